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
from exporter.suites.program import Call, Fault, Outcome, Program, Raised, Report, Returned, Strange

if TYPE_CHECKING:
    from pydantic_monty import OSPolicy, ResourceLimits

ANSWER_CPU_SECONDS = 2
"""The most processor time that one answer may use, all its calls together. The kernel counts it, and ends the worker when it is over.

In whole seconds, as the kernel has it; the worker's own start is in it, with a few thousandths.
"""

GUARD_SECONDS = 30.0
"""How long a worker is waited for. An answer cannot sleep or wait in there: one that is not done by then was not let compute."""

LIMITS: ResourceLimits = {
    "max_memory": 32 * 2**20,
    "max_recursion_depth": 1000,
    "max_suspensions": 100,
    "max_total_sleep_secs": 0.0,
}
"""Kept by the worker itself, at its checkpoints. Recursion goes as deep as in plain Python."""

LONGEST_SOURCE = 100_000
"""Characters of an answer; a longer one is not run."""

_CPU_LIMIT_MET = "(SIGXCPU)"
_MEMORY_COUNTED = "memory limit exceeded: "
_MOST_OUTPUT_BYTES = 64 * 2**10
_POLICY: OSPolicy = {"datetime": datetime(2026, 1, 1, tzinfo=UTC), "timezone": "utc", "sleep": "zero", "random_start": {"seed": 1}}
_RUN = "run(source, name, calls)"
_MEMORY_CHECK = Program(f"def f(): return len(b'x' * {28 * 2**20})", "f", (Call(),))
"""Fills most of the memory that an answer may have."""


def run_program(program: Program) -> Report:
    """What came of the program. Blocks for up to GUARD_SECONDS, never raises; a fault is told in the report.

    Only what the answer itself used makes it meet a limit, never what the machine withheld from it.
    """
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
    try:
        with (
            monty.Monty(
                min_processes=0,
                max_processes=1,
                max_checkouts_per_worker=1,
                request_timeout=GUARD_SECONDS,
                feed_duration_limit_grace=None,
            ) as pool,
            pool.checkout(limits=LIMITS, os_policy=_POLICY) as session,
        ):
            _limit_processor_time(session.worker_pid)
            return session.feed_run(HARNESS + _RUN, inputs=inputs, print_callback=monty.CollectString(_MOST_OUTPUT_BYTES))
    except monty.MontyCrashedError as error:
        if error.timed_out:
            return Fault.STARVED
        return Fault.LIMIT if _CPU_LIMIT_MET in str(error) else Fault.BROKEN
    except monty.MontyRuntimeError as error:
        inner = error.exception()
        if isinstance(inner, MemoryError):
            return _find_memory_fault(inner, program)
        return Fault.LIMIT if isinstance(inner, RecursionError) else _uncatchable(error)


def _find_memory_fault(error: MemoryError, program: Program) -> Fault:
    """Whose fault it is: a worker that met its limit and one that the machine gave no memory die alike, so another one tries to have it."""
    if str(error).startswith(_MEMORY_COUNTED):
        return Fault.LIMIT
    return Fault.LIMIT if program is not _MEMORY_CHECK and isinstance(_run(_MEMORY_CHECK), list) else Fault.BROKEN


def _uncatchable(error: Any) -> list[Any]:
    """What the answer could not catch itself, told as if it had been raised while it was loaded."""
    inner = error.exception()
    return ["unloaded", ["raised", type(inner).__name__, str(inner)[:300]]]


def _limit_processor_time(pid: int | None) -> None:
    """Let the kernel end the worker, by a signal that says why; also where its parent was killed.

    Where the system has no such limit, or forbids to set it, an answer is run all the same, and ended by GUARD_SECONDS.
    """
    if pid is not None and hasattr(resource, "prlimit"):
        with suppress(OSError, ValueError):
            # At the harder limit the signal would be SIGKILL, which may come from anybody.
            resource.prlimit(pid, resource.RLIMIT_CPU, (ANSWER_CPU_SECONDS, ANSWER_CPU_SECONDS + 1))
            # No core file is as small as that; at 0 a core would still be piped to the system's program for them.
            resource.prlimit(pid, resource.RLIMIT_CORE, (1, 1))


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
