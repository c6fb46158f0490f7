from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.store import open_store
from tests.cli.world import World
from tests.store import damage
from tests.store.facts import DAY_SECONDS, do_check

STORAGE = "storage sqlite:///history.db"
DAYS = 70
OLD = DAYS - 64
"""Days whose grades nobody needs: the newest 64 checks are kept, also of a target that is not in the config now."""


@pytest.fixture
def lived(world: World) -> World:
    """A config, and a store with ten weeks of another target, all of it more than a year ago."""
    world.write()
    store = open_store("sqlite:///history.db")
    start = SystemClock().now() - 500 * DAY_SECONDS
    with store.batch():
        for day in range(DAYS):
            do_check(store, "former", start + day * DAY_SECONDS)
    store.close()
    return world


def rows(table: str) -> int:
    with closing(sqlite3.connect("history.db")) as connection:
        (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - a table's name
        return int(count)


def test_a_store_that_is_whole_is_said_to_be(lived: World) -> None:
    said = lived.run("store", "check")
    assert (said.code, said.out, said.err) == (0, f"{STORAGE}: whole, and everything adds up; targets: 1\n", "")
    assert lived.run("store", "check", "--json").document == {"storage": "sqlite:///history.db", "ok": True, "problems": []}


def test_what_is_wrong_is_a_line_each_and_exit_code_1(lived: World) -> None:
    with closing(sqlite3.connect("history.db")) as tampering, tampering:
        tampering.execute("UPDATE counters SET value = 3 WHERE family = 'requests'")
    what = "counter requests{} of former: (3,) is written down, (140,) is what its requests add up to"
    line = f"{STORAGE}: {what}; restore it from a backup, or report this as a bug"
    said = lived.run("store", "check")
    assert (said.code, said.out) == (1, f"{line}\n")
    said = lived.run("store", "check", "--json")
    assert (said.code, said.document) == (1, {"storage": "sqlite:///history.db", "ok": False, "problems": [line]})
    said = lived.run("store", "backup", "copy.db")
    assert (said.code, said.out.splitlines()[0]) == (1, line)
    assert said.out.splitlines()[1].startswith("copy.db: ")
    assert said.out.endswith(" MiB, as wrong as the store is\n")


def test_of_very_many_wrong_things_the_first_are_told(lived: World) -> None:
    with closing(sqlite3.connect("history.db")) as tampering, tampering:
        tampering.execute("UPDATE checks SET tokens = tokens + 1")
    said = lived.run("store", "check")
    assert (said.code, len(said.out.splitlines()), said.errors) == (1, 20, [f"and {DAYS - 20} more; --json lists them all"])
    assert len(lived.run("store", "check", "--json").document["problems"]) == DAYS


@pytest.mark.parametrize("verb", [("check",), ("backup", "copy.db"), ("prune", "--yes"), ("prune", "--dry-run")])
def test_a_store_that_cannot_be_opened_is_named_with_the_reason(lived: World, verb: tuple[str, ...]) -> None:
    damage.be_scribbled_over(Path("history.db"))
    before = Path("history.db").read_bytes()
    said = lived.run("store", *verb)
    line = f"{STORAGE}: is damaged; restore it from a backup, or move it away to start anew"
    assert (said.code, said.out, said.errors) == (2, "", [line])
    assert Path("history.db").read_bytes() == before
    assert lived.run("store", *verb, "--json").document == {"errors": [line]}


@pytest.mark.parametrize("verb", [("check",), ("backup", "copy.db"), ("prune", "--yes"), ("prune", "--dry-run")])
def test_a_store_that_is_not_there_is_not_made(world: World, verb: tuple[str, ...]) -> None:
    world.write()
    said = world.run("store", *verb)
    assert (said.code, said.errors) == (2, [f"{STORAGE}: there is no such file; run serve or check first, they create it"])
    assert not Path("history.db").exists()


def test_serve_on_a_damaged_store_ends_at_once_with_the_reason_and_leaves_it_as_it_is(lived: World) -> None:
    damage.be_scribbled_over(Path("history.db"))
    before = Path("history.db").read_bytes()
    said = lived.run("serve", "--web.listen-address", "127.0.0.1:0")
    assert said.code == 2
    assert said.errors[-1] == f"{STORAGE}: is damaged; restore it from a backup, or move it away to start anew"
    assert Path("history.db").read_bytes() == before


def test_a_backup_is_said_to_be_whole_and_is(lived: World) -> None:
    said = lived.run("store", "backup", "copy.db", "--json")
    assert (said.code, said.document) == (0, {"file": "copy.db", "size_bytes": Path("copy.db").stat().st_size, "problems": []})
    again = lived.run("store", "backup", "copy.db")
    assert (again.code, again.errors) == (2, ["backup copy.db: is there already, and is not replaced; name a new file"])
    Path("copy.db").replace("history.db")
    assert lived.run("store", "check").code == 0


def test_what_would_be_removed_is_told_and_left(lived: World) -> None:
    said = lived.run("store", "prune", "--dry-run")
    assert said.out == f"would remove: {2 * OLD} grades of {OLD} runs, 0 errors; condensed to sums: {2 * DAYS} requests\n"
    assert (rows("grades"), rows("requests"), rows("request_sums")) == (2 * DAYS, 2 * DAYS, 0)


def test_what_is_old_is_removed_and_the_store_adds_up(lived: World) -> None:
    said = lived.run("store", "prune", "--yes", "--json")
    assert said.document == {"grades": 2 * OLD, "runs": OLD, "requests": 2 * DAYS, "errors": 0}
    assert (rows("grades"), rows("requests"), rows("request_sums")) == (2 * 64, 0, DAYS)
    assert lived.run("store", "check").code == 0
    assert lived.run("store", "prune").out == "removed: 0 grades of 0 runs, 0 errors; condensed to sums: 0 requests\n"


def test_nothing_is_removed_where_retention_says_never(lived: World) -> None:
    lived.write("retention: {grades: never, errors: never}\n")
    assert lived.run("store", "prune", "--yes").out == "removed: 0 grades of 0 runs, 0 errors; condensed to sums: 0 requests\n"
