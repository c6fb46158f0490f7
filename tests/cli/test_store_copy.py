from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.store import open_store
from tests.cli.world import World
from tests.fakes import FakeClock
from tests.postgres import GUARDED_USER, PASSWORD, PostgresServer
from tests.store.facts import do_check

FROM, TO = "sqlite:///history.db", "sqlite:///moved.db"


@pytest.fixture
def lived(world: World) -> World:
    """A config, and a store with a check of its target."""
    world.write()
    world.collect(1)
    return world


def move(world: World, storage: str) -> None:
    """Let the config name another storage."""
    path = world.folder / "config.yml"
    path.write_text(path.read_text().replace(f"storage: {FROM}", f"storage: {storage}"))


def test_a_moved_history_is_told_table_by_table(lived: World) -> None:
    said = lived.run("store", "copy", "--from", FROM, "--to", TO)
    assert (said.code, said.err) == (0, "")
    lines = [line.split() for line in said.out.splitlines()]
    assert lines[0] == ["table", "rows", "sha256"]
    assert lines[2][:2] == ["checks", "1"]
    assert len(lines[2][2]) == 16
    assert ["grades", "12"] in [line[:2] for line in lines]
    assert said.out.splitlines()[-2].startswith(f"storage {TO}: ")
    assert said.out.splitlines()[-2].endswith(" rows, counted and hashed on both sides, all equal")
    assert said.out.splitlines()[-1] == "→ name it as storage in the config, start, and keep the old one until a check was made"


def test_a_server_and_a_file_tell_and_show_the_same_as_the_file_that_was_moved(
    lived: World, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = SystemClock().now()
    for verb in ("status", "export"):
        monkeypatch.setattr(f"exporter.cli.{verb}.SystemClock", lambda: FakeClock(now))
    postgres.make_database("moved")
    with postgres.connect() as connection:
        connection.execute(f"ALTER DATABASE moved OWNER TO {GUARDED_USER}")
    (lived.folder / "password").write_text(PASSWORD + "\n")
    there, back = postgres.url("moved", GUARDED_USER), "sqlite:///back.db"
    first = lived.run("store", "copy", "--from", FROM, "--to", there, "--to-password-file", "password", "--json").document
    second = lived.run("store", "copy", "--from", there, "--to", back, "--from-password-file", "password", "--json").document
    assert (first["ok"], second["ok"], first["tables"]) == (True, True, second["tables"])
    shown = [show(lived)]
    move(lived, f"{there}\nstorage_password_file: password")
    shown.append(show(lived))
    move(lived, FROM)
    Path("back.db").replace("history.db")
    Path("history.db-wal").unlink(missing_ok=True)
    lived.write()
    shown.append(show(lived))
    assert shown[0] == shown[1] == shown[2]


def show(world: World) -> tuple[object, str]:
    """What status says and `/metrics` would show; that the books add up is asked, too."""
    assert world.run("store", "check").code == 0
    status = world.run("status", "--json").document
    assert world.run("export", "--textfile", "now.prom").code == 0
    metrics = Path("now.prom").read_text()
    assert "model_drift_checks_total{" in metrics
    return status, metrics


def test_a_table_that_came_out_different_is_exit_code_1(lived: World) -> None:
    open_store(TO).close()
    with closing(sqlite3.connect("moved.db")) as tampering, tampering:
        tampering.execute("CREATE TRIGGER t AFTER INSERT ON counters BEGIN DELETE FROM counters WHERE label = 'collecting'; END")
    said = lived.run("store", "copy", "--from", FROM, "--to", TO)
    assert said.code == 1
    assert said.out.splitlines()[-1].startswith(f"storage {TO}: counters is ")
    assert said.out.splitlines()[-1].endswith("; nothing was kept there, report this as a bug")
    assert lived.run("store", "copy", "--from", FROM, "--to", TO, "--json").document["ok"] is False
    with closing(open_store(TO)) as moved:
        assert moved.targets() == []


SEVERAL = "write postgresql://user@/database?host=one:5432&host=two:5432&target_session_attrs=read-write"


def test_a_program_with_the_source_is_told_of(lived: World) -> None:
    with closing(open_store(FROM)) as serving:
        serving.announce("1.0", "h", {})
        said = lived.run("store", "copy", "--from", FROM, "--to", TO)
    what = "a program works with it, or did half a minute ago; what it writes after this copy is not in it: stop it, copy anew"
    assert (said.code, said.errors) == (0, [f"storage {FROM}: {what}"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((FROM, FROM), "--to: is the same as --from; name another database"),
        (("sqlite:///no.db", TO), "storage sqlite:///no.db: there is no such file; run serve or check first, they create it"),
        ((FROM, FROM.upper()), f"storage {FROM.upper()}: this kind of database is not supported; write sqlite:///data/history.db"),
        (
            ("postgresql://u:hunter2@h/d", TO),
            "--from: holds a password; write it into a file, and name that with --from-password-file",
        ),
        (
            (FROM, "postgresql://u@one:5432,two:5432/d"),
            f"--to: names servers where only one can be; {SEVERAL}",
        ),
        ((FROM, TO, "--to-password-file", "f"), "--to-password-file: --to has no password, it is a file; leave it out"),
        (
            (FROM, "postgresql://u@h/d", "--to-password-file", "f"),
            "--to-password-file f: there is no such file; name the file that holds the password",
        ),
        ((FROM, "nothing"), "storage: is not a database URL; write sqlite:///data/history.db"),
    ],
)
def test_what_cannot_be_copied_is_a_line_and_makes_nothing(lived: World, arguments: tuple[str, ...], line: str) -> None:
    source, target, *more = arguments
    said = lived.run("store", "copy", "--from", source, "--to", target, *more)
    assert (said.code, said.out, said.errors) == (2, "", [line])
    assert lived.run("store", "copy", "--from", source, "--to", target, *more, "--json").document == {"errors": [line]}
    assert not Path("moved.db").exists()


def test_a_target_with_a_history_is_refused(lived: World) -> None:
    assert lived.run("store", "copy", "--from", FROM, "--to", TO).code == 0
    said = lived.run("store", "copy", "--from", FROM, "--to", TO)
    line = f"storage {TO}: has a history already, and nothing is merged or replaced; name a new file or an empty database"
    assert (said.code, said.out, said.errors) == (2, "", [line])


def test_ctrl_c_leaves_a_target_that_the_next_attempt_fills(lived: World) -> None:
    with closing(open_store(FROM)) as store, store.batch():
        for day in range(400):
            do_check(store, "cat", 1e9 + day * 86_400.0)
    with lived.start("store", "copy", "--from", FROM, "--to", TO, "--json") as process:
        while not Path("moved.db-wal").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert (process.returncode, json.loads(out)) == (130, {"errors": ["interrupted"]})
    assert lived.run("store", "copy", "--from", FROM, "--to", TO).code == 0
