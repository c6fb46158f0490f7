"""What hostile answers do: each is wrong, and nothing of it is left behind; and that nothing is wrong by the machine's fault.

The limit of processor time is short here, so that the tests are.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pydantic_monty
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exporter.records import Answer, Extract, Reason
from exporter.suites import grade, sandbox
from exporter.suites.harness import ROOM
from exporter.suites.program import Call, Fault, Program, Raised, Report, Returned, Strange
from exporter.suites.sandbox import ANSWER_CPU_SECONDS, GUARD_SECONDS, LIMITS, run_program
from tests.suites.examples import make_question
from tests.suites.hostile import HOSTILE

QUESTION = make_question(
    {"kind": "python", "function": "f", "cases": [{"args": [[3, 4]], "returns": 7}, {"args": [[]], "returns": 0}]}, Extract.CODE
)


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second of the worker's own processor time. The kernel, whose place this takes, counts in whole ones."""

    def end_at_limit(pid: int, handle: int) -> None:
        clock = (~pid << 3) | 2  # as clock_getcpuclockid() has it
        with os.fdopen(handle) as worker, suppress(OSError):
            ended = select.poll()
            ended.register(worker, select.POLLIN)
            while time.clock_gettime(clock) < 0.1:
                if ended.poll(10):
                    return
            signal.pidfd_send_signal(handle, signal.SIGXCPU)

    def limit(pid: int | None) -> None:
        assert pid is not None
        threading.Thread(target=end_at_limit, args=(pid, os.pidfd_open(pid)), daemon=True).start()

    monkeypatch.setattr(sandbox, "_limit_processor_time", limit)


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_answer_is_just_wrong(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    ruling = grade(QUESTION, Answer(text=f"```python\n{code}\n```"))
    assert (ruling.right, ruling.reason, ruling.message) == (False, None, "")
    assert capfd.readouterr().out == ""


def test_the_limits_are_all_set_and_an_answer_has_two_seconds_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: dict[str, Any] = {}

    def open_pool(**settings: Any) -> pydantic_monty.Monty:
        opened.update(settings)
        return monty(**settings)

    monty = pydantic_monty.Monty
    monkeypatch.setattr(pydantic_monty, "Monty", open_pool)
    assert run_program(Program("def f(): return 7", "f", (Call(),))) == Report((Returned(7),))
    assert (ANSWER_CPU_SECONDS, GUARD_SECONDS) == (2, 30.0)
    assert opened["request_timeout"] == 30.0
    assert (opened["min_processes"], opened["max_processes"], opened["max_checkouts_per_worker"]) == (0, 1, 1)
    assert LIMITS == {
        "max_memory": 33_554_432,
        "max_recursion_depth": 1000,
        "max_suspensions": 100,
        "max_total_sleep_secs": 0.0,
    }


def test_what_a_program_returns_comes_out_plain() -> None:
    code = "def f(x):\n    return [(1, 2.5), {'a': None}, 'é', True, {1}, {1: 2}, b'x', 7 ** 2000, f]"
    assert run_program(Program(code, "f", (Call((0,)),))).outcomes == (
        Returned(
            [[1, 2.5], {"a": None}, "é", True, Strange("set"), Strange("dict"), Strange("bytes"), Strange("int"), Strange("function")]
        ),
    )


def test_each_call_has_arguments_of_its_own_and_globals_last() -> None:
    code = "calls = 0\ndef f(items, more=None):\n    global calls\n    calls += 1\n    items.append(more)\n    return [calls, items]"
    twice = [[]]
    report = run_program(Program(code, "f", (Call(tuple(twice)), Call(([1],), {"more": 2}))))
    assert report == Report((Returned([1, [None]]), Returned([2, [1, 2]])))
    assert twice == [[]]


def test_what_is_raised_is_told_in_short() -> None:
    report = run_program(Program("def f(x):\n    raise KeyError('k' * 1000)", "f", (Call((1,)),)))
    assert report == Report((Raised("KeyError", "'" + "k" * 299),))


def test_values_that_fill_the_room_come_out_and_larger_ones_do_not() -> None:
    code = "def f(n):\n    return ['x'] * n"
    fits, does_not = (run_program(Program(code, "f", (Call((size,)),))) for size in (ROOM // 4, ROOM + 1))
    assert fits == Report((Returned(["x"] * (ROOM // 4)),))
    assert does_not == Report((Returned(Strange("list")),))


def test_running_is_the_same_every_time() -> None:
    code = "import random, time\nfrom datetime import datetime\ndef f():\n    return [random.random(), time.time(), str(datetime.now())]"
    reports = {str(run_program(Program(code, "f", (Call(),)))) for _ in range(3)}
    assert len(reports) == 1
    assert "2026-01-01" in reports.pop()


def test_the_main_guard_is_not_entered_and_examples_print_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    code = "def f():\n    return __name__\nprint(f())\nif __name__ == '__main__':\n    input()"
    assert run_program(Program(code, "f", (Call(),))) == Report((Returned("answer"),))
    assert capfd.readouterr() == ("", "")


def test_a_worker_that_dies_says_nothing_about_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(pid: int | None) -> None:
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    with monkeypatch.context() as patched:
        patched.setattr(sandbox, "_limit_processor_time", kill)
        assert run_program(Program("def f(): return 7", "f", (Call(),))) == Report(fault=Fault.BROKEN)
        assert grade(QUESTION, Answer(text="def f(x): return sum(x)")).reason is Reason.SANDBOX_ERROR
    assert grade(QUESTION, Answer(text="def f(x): return sum(x)")).right


def test_a_sandbox_that_cannot_start_says_nothing_about_the_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONTY_BIN", str(tmp_path / "none"))
    ruling = grade(QUESTION, Answer(text="def f(x): return sum(x)"))
    assert (ruling.right, ruling.reason, ruling.message) == (False, Reason.SANDBOX_ERROR, "the sandbox itself failed")


def test_an_answer_that_the_machine_does_not_let_compute_is_unusable_and_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def stall(pid: int | None) -> None:
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED)

    monkeypatch.setattr(sandbox, "_limit_processor_time", stall)
    monkeypatch.setattr(sandbox, "GUARD_SECONDS", 0.2)
    ruling = grade(QUESTION, Answer(text="def f(x): return sum(x)"))
    said = "the sandbox got too little processor time: not done after 30 seconds"
    assert (ruling.right, ruling.reason, ruling.message) == (False, Reason.SANDBOX_ERROR, said)


def test_an_answer_that_the_machine_gives_no_memory_is_unusable_and_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def withhold(pid: int | None) -> None:
        assert pid is not None
        resource.prlimit(pid, resource.RLIMIT_DATA, (2**20, 2**20))

    fits = Program("def f(): return len([0] * 10**6)", "f", (Call(),))
    with monkeypatch.context() as patched:
        patched.setattr(sandbox, "_limit_processor_time", withhold)
        assert run_program(fits) == Report(fault=Fault.BROKEN)
    assert run_program(fits) == Report((Returned(1_000_000),))


SLEEPING = [
    "import time\ndef f():\n    time.sleep(10**6)\n    return 7",
    "import time\ndef f():\n    for _ in range(500):\n        time.sleep(1)\n    return 7",
    "import asyncio\ndef f():\n    asyncio.run(asyncio.sleep(10**6))\n    return 7",
]


@pytest.mark.parametrize("code", SLEEPING)
def test_an_answer_cannot_wait_for_anything(code: str) -> None:
    assert run_program(Program(code, "f", (Call(),))) == Report((Returned(7),))


def test_the_kernel_ends_an_answer_by_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "ANSWER_CPU_SECONDS", 1)
    assert run_program(Program(HOSTILE["an endless loop outside of the function"], "f", (Call(),))) == Report(fault=Fault.LIMIT)


def test_a_worker_that_does_not_even_start_in_time_says_nothing_about_the_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sandbox, "GUARD_SECONDS", 0.2)
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 600\n")
    silent.chmod(0o755)
    monkeypatch.setenv("MONTY_BIN", str(silent))
    assert run_program(Program("def f(): return 7", "f", (Call(),))) == Report(fault=Fault.STARVED)


def test_an_answer_is_run_where_the_system_forbids_to_limit_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(resource, "prlimit", refuse)
    assert run_program(Program("def f(): return 7", "f", (Call(),))) == Report((Returned(7),))


@pytest.mark.usefixtures("short_limits")
def test_no_worker_outlives_its_answer() -> None:
    before = children()
    for code in ("def f(x): return 7", "while True:\n    pass", HOSTILE["a comparison that takes forever"]):
        run_program(Program(code, "f", (Call((1,)),)))
    assert children() - before == set()


def children() -> set[str]:
    """The processes that this one has started; other tests may have left some."""
    return {child for task in Path("/proc/self/task").iterdir() for child in Path(task, "children").read_text().split()}


HEAVY = (
    "a list that doubles",
    "a list that holds itself twice, sixty deep",
    "a long list",
    "a long text",
    "a dict whose keys collide",
    "an exception with a huge message",
    "an exception outside of the function",
    "endless output",
)


@pytest.mark.usefixtures("short_limits")
def test_the_memory_of_this_process_does_not_grow() -> None:
    for name in HEAVY:
        grade(QUESTION, Answer(text=HOSTILE[name]))
    before = resident_megabytes()
    for name in HEAVY * 2:
        grade(QUESTION, Answer(text=HOSTILE[name]))
    assert resident_megabytes() - before < 10


def resident_megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


GRADER = """
import sys
from exporter.suites import sandbox
from exporter.suites.program import Call, Program
sandbox.ANSWER_CPU_SECONDS = 1
limit = sandbox._limit_processor_time
def tell(pid):
    limit(pid)
    print(pid, flush=True)
sandbox._limit_processor_time = tell
sandbox.run_program(Program(sys.argv[1], "f", (Call(([],)),)))
"""


@pytest.mark.parametrize("name", ["an endless loop", "a comparison that takes forever"])
def test_a_worker_ends_where_its_daemon_was_killed(name: str) -> None:
    daemon = subprocess.Popen([sys.executable, "-c", GRADER, HOSTILE[name]], stdout=subprocess.PIPE, text=True)
    assert daemon.stdout is not None
    with daemon, os.fdopen(os.pidfd_open(int(daemon.stdout.readline()))) as worker:
        daemon.kill()
        daemon.wait()
        ended = select.poll()
        ended.register(worker, select.POLLIN)
        assert ended.poll(60_000)


PIECES = [
    "def f(x):",
    "\n    ",
    "\n",
    "return ",
    "sum(x)",
    "x",
    "(",
    ")",
    "[",
    "'",
    '"""',
    "#",
    "\\",
    "\0",
    "\ud800",
    "```",
    "é",
    "lambda: ",
    "7",
    "*",
    " ",
]


@pytest.mark.usefixtures("short_limits")
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=50) | st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_whatever_is_answered_nothing_is_raised(text: str) -> None:
    assert grade(QUESTION, Answer(text=text)).message != "the sandbox itself failed"


def test_nothing_of_the_sandbox_is_loaded_where_no_question_asks_for_code() -> None:
    code = "import sys; from pathlib import Path; from exporter.suites import load_suites; load_suites(['core'], Path())"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'pydantic_monty' not in sys.modules"], check=True)
