from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exporter.errors import StoreError, StoreLockedError
from exporter.store import open_store

HOLDER = """
import sys
from exporter.store import open_store
with open_store(sys.argv[1]).turn("bot"):
    print("mine", flush=True)
    sys.stdin.read()
"""
BUSY = "target bot: another program is checking it at this moment; wait until it is done, or stop that program"


def test_a_target_is_one_programs_at_a_time_and_another_target_is_free(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/history.db"
    first, second = open_store(url), open_store(url)
    with first.turn("bot"):
        with pytest.raises(StoreLockedError) as caught, second.turn("bot"):
            pytest.fail("two at once")
        with second.turn("other"):
            pass
    with second.turn("bot"):
        pass
    assert str(caught.value) == BUSY
    first.close()
    second.close()


def test_who_looks_whether_a_target_is_worked_on_keeps_nobody_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(f"sqlite:///{tmp_path}/history.db")
    with store.turn("bot"):
        (file,) = tmp_path.glob("*.turn")
    looking = os.open(file, os.O_RDWR | os.O_CREAT)
    flock, refused = fcntl.flock, []
    flock(looking, fcntl.LOCK_SH)

    def note(descriptor: int, operation: int) -> None:
        try:
            flock(descriptor, operation)
        except BlockingIOError:
            refused.append(operation)
            flock(looking, fcntl.LOCK_UN)
            raise

    monkeypatch.setattr(fcntl, "flock", note)
    with store.turn("bot"):
        assert refused == [fcntl.LOCK_EX | fcntl.LOCK_NB]
    os.close(looking)
    store.close()


def test_the_turn_leaves_no_file_behind(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/history.db")
    with store.turn("bot"):
        assert len(list(tmp_path.glob("*.turn"))) == 1
    store.close()
    assert list(tmp_path.glob("*.turn")) == []


def test_a_killed_program_has_no_turn_any_more(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/history.db"
    store = open_store(url)
    with subprocess.Popen([sys.executable, "-c", HOLDER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"mine\n"
        with pytest.raises(StoreLockedError), store.turn("bot"):
            pytest.fail("two at once")
        holder.kill()
        holder.wait()
        with store.turn("bot"):
            pass
    store.close()


def test_a_folder_that_takes_no_file_is_a_clear_error(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = open_store(f"sqlite:///{folder}/history.db")
    folder.rename(tmp_path / "moved")
    with pytest.raises(StoreError) as caught, store.turn("bot"):
        pytest.fail("no file, no turn")
    assert str(caught.value).startswith(f"storage {folder}/history.db-")
    assert str(caught.value).endswith(f".turn: cannot be made: No such file or directory; let this user write in {folder}")
    store.close()
