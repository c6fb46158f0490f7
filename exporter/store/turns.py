"""Whose turn it is: of all programs with one store, one at a time works on a target. A dead program has no turn.

For a file it is a lock on another file beside the store, not a row in it: the system takes it back in the moment in which its
holder dies.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import Connection

from exporter.errors import Problem, StoreError

IsAlive = Callable[[], bool]
"""Whether what works on a target still does. Any thread may ask, again and again, and is answered at once."""


class Turns(ABC):
    """The turns that this program has."""

    @abstractmethod
    def hold(self, target: str, is_alive: IsAlive) -> AbstractContextManager[bool]:
        """Have the turn for as long as the block lasts; False where somebody else has it. Raises StoreError where that cannot be told.

        A turn that runs out is renewed only while `is_alive`.
        """

    @abstractmethod
    def find_held(self, connection: Connection, targets: Collection[str]) -> list[str]:
        """Those of `targets` that any program works on at this moment, sorted."""

    @abstractmethod
    def renew(self) -> frozenset[str]:
        """Keep the turns whose holders are alive from running out; those that others have taken over."""

    @abstractmethod
    def require(self, connection: Connection, targets: Collection[str]) -> None:
        """Raise StoreTakenError unless all `targets` are still this program's to work on, and see to it until the transaction ends."""


class FileTurns(Turns):
    """One small file for each target at work, beside the store at `store`."""

    def __init__(self, store: Path) -> None:
        self._store = store

    @contextlib.contextmanager
    def hold(self, target: str, is_alive: IsAlive) -> Iterator[bool]:
        """See `Turns`."""
        path = self._file_of(target)
        try:
            lock = _lock(path)
        except OSError as error:
            problem = Problem(f"storage {path}", f"cannot be made: {error.strerror}", f"let this user write in {path.parent}")
            raise StoreError(problem) from error
        try:
            yield lock is not None
        finally:
            if lock is not None:
                path.unlink(missing_ok=True)
                os.close(lock)

    def find_held(self, connection: Connection, targets: Collection[str]) -> list[str]:
        """See `Turns`. A file that a dead program left behind is locked by nobody."""
        return sorted(target for target in targets if _is_locked(self._file_of(target)))

    def renew(self) -> frozenset[str]:
        """A lock does not run out."""
        return frozenset()

    def require(self, connection: Connection, targets: Collection[str]) -> None:
        """A lock is never lost."""

    def _file_of(self, target: str) -> Path:
        return Path(f"{self._store}-{hashlib.sha256(target.encode()).hexdigest()[:12]}.turn")


def _is_locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return _is_held(descriptor)
    finally:
        os.close(descriptor)


def _is_held(descriptor: int) -> bool:
    """Whether anybody has the file for themselves. Until the descriptor is closed, nobody can: who wants to looks once more."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _lock(path: Path) -> int | None:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that its last holder removed between our two calls is locked for nobody.
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except BlockingIOError:
            if _is_held(descriptor):
                os.close(descriptor)
                return None
        except FileNotFoundError:
            pass
        os.close(descriptor)
