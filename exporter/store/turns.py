"""Whose turn it is: of all programs with one store, one at a time works on a target. A dead program has no turn.

A lock on a file beside the store, not a row in it: the system takes it back in the moment in which its holder dies.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from exporter.errors import Problem, StoreError


@contextlib.contextmanager
def hold(store: Path, target: str) -> Iterator[bool]:
    """Have the turn for as long as the block lasts; False where somebody else has it. Raises StoreError where no file can be made."""
    path = Path(f"{store}-{hashlib.sha256(target.encode()).hexdigest()[:12]}.turn")
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


def _lock(path: Path) -> int | None:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that its last holder removed between our two calls is locked for nobody.
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        except FileNotFoundError:
            pass
        os.close(descriptor)
