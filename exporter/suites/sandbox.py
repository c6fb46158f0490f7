"""Running an answer in the pydantic-monty sandbox: an interpreter of its own, in a worker process of its own, under hard limits.

The only importer of pydantic_monty. A worker starts for one answer and ends with it, so nothing is left behind and nothing runs
where no question asks for code. There are no files, no network, no environment, no clock and no chance in the sandbox; the
answer's text is never given to the plain interpreter.
"""

from __future__ import annotations

import resource
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from exporter.suites.harness import HARNESS
from exporter.suites.program import Fault, Outcome, Program, Raised, Report, Returned, Strange

if TYPE_CHECKING:
    from pydantic_monty import OSPolicy, ResourceLimits

ANSWER_SECONDS = 2.0
"""The most that one answer may take, all its calls together. The worker is killed from outside when it is over."""

LIMITS: ResourceLimits = {
    "max_feed_duration_secs": 1.2,
    "max_memory": 32 * 2**20,
    "max_recursion_depth": 1000,
    "max_suspensions": 100,
    "max_total_sleep_secs": 0.0,
}
"""Kept by the worker itself, at its checkpoints. Recursion goes as deep as in plain Python."""

LONGEST_SOURCE = 100_000
"""Characters of an answer; a longer one is not run."""

_KILL_AFTER_SECONDS = ANSWER_SECONDS - 0.4  # the rest is for starting the worker, and for a busy machine
_MOST_CPU_SECONDS = 4  # beyond what two threads can use in ANSWER_SECONDS: met only where nobody is left to kill the worker
_MOST_OUTPUT_BYTES = 64 * 2**10
_POLICY: OSPolicy = {"datetime": datetime(2026, 1, 1, tzinfo=UTC), "timezone": "utc", "sleep": "zero", "random_start": {"seed": 1}}
_RUN = "run(source, name, calls)"


def run_program(program: Program) -> Report:
    """What came of the program. Blocks for up to ANSWER_SECONDS, never raises; a fault is told in the report."""
    if len(program.source) > LONGEST_SOURCE:
        return Report(fault=Fault.LIMIT)
    try:
        return _read(_run(program))
    except Exception:  # a sandbox that is not installed whole, or a defect of it: nothing was found out about the answer
        return Report(fault=Fault.BROKEN)


def _run(program: Program) -> Any:
    """The harness's own report, or a Fault."""
    import pydantic_monty as monty  # here, as it costs who asks for no code 16 MB and a fifth of a second

    inputs = {
        "source": program.source,
        "name": program.function,
        "calls": [[list(call.args), dict(call.kwargs)] for call in program.calls],
    }
    started = False
    try:
        with (
            monty.Monty(
                min_processes=0,
                max_processes=1,
                max_checkouts_per_worker=1,
                request_timeout=_KILL_AFTER_SECONDS,
                feed_duration_limit_grace=None,
            ) as pool,
            pool.checkout(limits=LIMITS, os_policy=_POLICY) as session,
        ):
            _bind_to_this_process(session.worker_pid)
            started = True
            return session.feed_run(HARNESS + _RUN, inputs=inputs, print_callback=monty.CollectString(_MOST_OUTPUT_BYTES))
    except monty.MontyCrashedError as error:
        return Fault.LIMIT if started and error.timed_out else Fault.BROKEN
    except monty.MontyRuntimeError as error:
        return Fault.LIMIT if isinstance(error.exception(), MemoryError | TimeoutError | RecursionError) else _uncatchable(error)


def _uncatchable(error: Any) -> list[Any]:
    """What the answer could not catch itself, told as if it had been raised while it was loaded."""
    inner = error.exception()
    return ["unloaded", ["raised", type(inner).__name__, str(inner)[:300]]]


def _bind_to_this_process(pid: int | None) -> None:
    """A worker whose parent was killed ends by itself: at the end of its input, or of its CPU time where it no longer reads.

    Where the system has no such limit, or forbids to set it, an answer is run all the same.
    """
    if pid is not None and hasattr(resource, "prlimit"):
        with suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_CPU, (_MOST_CPU_SECONDS, _MOST_CPU_SECONDS))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _read(told: Any) -> Report:
    if isinstance(told, Fault):
        return Report(fault=told)
    state, found = told
    if state == "unloaded":
        return Report(loading=Raised(*found[1:]))
    return Report(outcomes=tuple(_read_outcome(one) for one in found))


def _read_outcome(told: list[Any]) -> Outcome:
    return Returned(_read_value(told[1])) if told[0] == "returned" else Raised(*told[1:])


def _read_value(told: Any) -> Any:
    if not isinstance(told, list):
        return told
    kind, inner = told
    if kind == "list":
        return [_read_value(item) for item in inner]
    if kind == "dict" and all(isinstance(key, str) for key, _ in inner):
        return {key: _read_value(value) for key, value in inner}
    return Strange(kind if kind == "dict" else inner)
