"""A store whose bytes were changed somewhere: what is said of it has words, and what is there is left as it is."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from exporter.errors import StoreCorruptError, StoreError
from exporter.records import BaselineEvent, EventKind
from exporter.store import Store, back_up, open_store
from tests.store.facts import DAY_SECONDS, NOW, do_check, reserve, start_run

LAST_DAY = NOW + 100 * DAY_SECONDS


@pytest.fixture(scope="module")
def whole(fresh_file: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Some fifty pages: two weeks of two targets, a frozen baseline, an open check."""
    path = tmp_path_factory.mktemp("whole") / "history.db"
    shutil.copy(fresh_file, path)
    store = open_store(f"sqlite:///{path}")
    with store.batch():
        for day in range(14):
            for target in ("bot", "other"):
                do_check(store, target, NOW + day * DAY_SECONDS)
        store.add_event(BaselineEvent(0, "bot", EventKind.FREEZE, NOW, "p1", run_ids=(1, 3, 5)))
        reserve(store, start_run(store, due_at=LAST_DAY))
    store.close()
    return path.read_bytes()


@pytest.fixture
def folder() -> Iterator[Path]:
    memory = Path("/dev/shm")  # noqa: S108 - the folder made in it has a name nobody can guess
    made = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    yield made
    shutil.rmtree(made)


def scribbled(whole: bytes, seed: int) -> bytes:
    """Bytes in one place, or in five, lost or changed: a bit, a sector, or a page that was half written."""
    chance = Random(seed)  # noqa: S311 - the same damage every time
    content = bytearray(whole)
    for _ in range(chance.choice([1, 1, 1, 5])):
        start = chance.randrange(len(content))
        size = min(chance.choice([1, 8, 64, 512, 4096]), len(content) - start)
        content[start : start + size] = bytes(size) if chance.random() < 0.5 else chance.randbytes(size)
    return bytes(content)


def torn(whole: bytes, seed: int) -> bytes:
    """A page of which only the first half reached the disk."""
    page = Random(seed).randrange(len(whole) // 4096)  # noqa: S311 - the same damage every time
    return whole[: page * 4096 + 2048] + bytes(2048) + whole[(page + 1) * 4096 :]


def use(store: Store) -> None:
    """What a daemon and a person read, and a day of writing."""
    for target in store.targets():
        store.history(target), store.events(target), store.counters(target), store.served(target), store.errors(target, 5)
        store.progress(target), store.verdict_changed_at(target), store.past(target, limit=100), store.spend(target, NOW)
        store.prune_grades(target, store.old_runs(target, NOW + 5 * DAY_SECONDS), NOW)
    store.open_checks()
    do_check(store, "bot", LAST_DAY + DAY_SECONDS)


def tell(act: Callable[[], object]) -> str:
    """The kind of word that was said, "fine" where none was."""
    try:
        act()
    except StoreError as error:
        return type(error).__name__ if all(problem.what and problem.fix for problem in error.problems) else "wordless"
    return "fine"


@pytest.mark.parametrize("harm", [scribbled, torn])
def test_wherever_a_store_is_damaged_it_is_told_in_words_and_left_as_it_is(
    whole: bytes, folder: Path, harm: Callable[[bytes, int], bytes]
) -> None:
    path, copy = folder / "history.db", folder / "copy.db"
    url = f"sqlite:///{path}"
    told: Counter[tuple[str, str]] = Counter()
    for seed in range(20):
        for left_over in folder.iterdir():
            left_over.unlink()
        content = harm(whole, seed)
        path.write_bytes(content)
        copied = tell(lambda: back_up(url, copy))
        told["copied", copied] += 1
        assert copy.exists() == (copied == "fine")
        assert {file.name for file in folder.iterdir()} <= {"history.db", "history.db-wal", "history.db-shm", "copy.db"}
        told["checked", tell(lambda: _check(url))] += 1
        assert path.read_bytes() == content
        told["used", tell(lambda: _use(url))] += 1
    assert {kind for _, kind in told} <= {"fine", "StoreCorruptError", "StoreVersionError"}
    assert told["copied", "StoreCorruptError"] >= 5
    assert told["checked", "StoreCorruptError"] >= 10


def _use(url: str) -> None:
    store = open_store(url)
    try:
        use(store)
    finally:
        store.close()


def _check(url: str) -> None:
    store = open_store(url, read_only=True)
    try:
        found = store.verify()
    finally:
        store.close()
    if found:
        raise StoreCorruptError(found)


@pytest.mark.parametrize("left", [0, 100, 4096, 5000, 40_960, -4096])
def test_a_store_that_was_cut_off_is_told_in_words_and_left_as_it_is(whole: bytes, folder: Path, left: int) -> None:
    path = folder / "history.db"
    path.write_bytes(whole[:left])
    url = f"sqlite:///{path}"
    word = "StoreMissingError" if left == 0 else "StoreCorruptError"
    assert [tell(lambda: _check(url)), tell(lambda: back_up(url, folder / "copy.db"))] == [word, word]
    assert path.read_bytes() == whole[:left]
    assert not (folder / "copy.db").exists()


def test_a_log_of_garbage_beside_the_file_is_passed_over_and_the_file_is_whole(whole: bytes, folder: Path) -> None:
    """SQLite takes nothing from a -wal whose checksums are wrong: at worst what was written last is gone, the rest stands."""
    path = folder / "history.db"
    path.write_bytes(whole)
    Path(f"{path}-wal").write_bytes(b"\xa5garbage" * 12_000)
    assert tell(lambda: _check(f"sqlite:///{path}")) == "fine"
    assert tell(lambda: _use(f"sqlite:///{path}")) == "fine"


def test_without_its_log_a_store_is_whole_as_of_its_last_checkpoint(whole: bytes, folder: Path) -> None:
    path = folder / "history.db"
    path.write_bytes(whole)
    store = open_store(f"sqlite:///{path}")
    do_check(store, "bot", LAST_DAY + DAY_SECONDS)
    shutil.copy(path, folder / "without.db")
    store.close()
    without = open_store(f"sqlite:///{folder / 'without.db'}")
    assert without.verify() == ()
    assert len(without.checks("bot", 100)) == 15
    without.close()
