from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from exporter.records import CheckKind, SpendPeriod
from exporter.store import open_store
from tests.store.conftest import SqliteBackend
from tests.store.facts import NOW, start_run

PROGRAM = """
import sys
from exporter.errors import BudgetExceededError
from exporter.records import CheckKind
from exporter.store import open_store
from tests.store.facts import NOW, a_cap, reserve, settle, a_grade

url, me = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
store = open_store(url, busy_timeout_seconds=60)
won = [due for due in range(40) if store.claim_check("bot", CheckKind.SCHEDULED, NOW + due, NOW) is not None]
spent = 0
if store.open_checks("shared"):
    run = store.open_checks("shared")[0].runs[0]
    try:
        while True:
            reservation = reserve(store, run, usd=0.01, caps=(a_cap("day", usd=0.5, scope=None),))
            settle(store, reservation, usd=0.01, grade=a_grade(f"{me}-{spent}"))
            spent += 1
    except BudgetExceededError:
        pass
print(len(won), spent)
store.close()
"""


def run_together(url: str, count: int) -> list[tuple[int, int]]:
    """Start several programs on one store at the same moment; what each claimed and spent."""
    programs = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, url, str(me)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for me in range(count)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    outputs = [program.communicate()[0] for program in programs]
    assert [program.returncode for program in programs] == [0] * count
    return [(int(won), int(spent)) for won, spent in (output.split() for output in outputs)]


def test_programs_that_make_the_store_at_the_same_moment_share_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/data/history.db"
    results = run_together(url, 3)
    assert sum(won for won, _ in results) == 40
    store = open_store(url, read_only=True)
    assert len(store.checks("bot", 100)) == 40
    assert store.verify() == ()
    store.close()


def test_programs_that_race_for_the_last_dollar_do_not_share_it(backend: SqliteBackend) -> None:
    store = backend.open()
    start_run(store, "shared")
    results = run_together(backend.url, 3)
    assert sum(spent for _, spent in results) == 50
    assert store.spend(None, NOW)[SpendPeriod.DAY].usd == 0.5
    assert store.claim_check("bot", CheckKind.SCHEDULED, NOW + 5, NOW) is None
    assert store.verify() == ()
    store.close()
