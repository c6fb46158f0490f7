"""What each kind of database knows for itself: how to connect to it, whether it is still there, what its failures mean."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sqlalchemy import Connection, Engine

from exporter.errors import Problem, StoreError


class Backend(ABC):
    """A database that may be connected to. `where` names it in messages, without a password.

    `reads` begins transactions that see one state and write nothing, `writes` those that write. `failures` are what drivers
    raise; anything else is a mistake of ours and is left as it is.
    """

    failures: tuple[type[BaseException], ...]
    missing: Problem
    """There are no tables yet, and they are not to be made."""

    def __init__(self, where: str, engine: Engine, reads: Engine, writes: Engine) -> None:
        self.where = where
        self.engine = engine
        self.reads = reads
        self.writes = writes

    @abstractmethod
    def explain(self, error: BaseException) -> StoreError:
        """The StoreError that tells of one of `failures`."""

    @abstractmethod
    def require_there(self) -> None:
        """Raise one of `failures` where what would be written now would be lost."""

    @abstractmethod
    def require_sound(self, connection: Connection) -> None:
        """Raise one of `failures` where the transaction of `connection` failed, and its end would keep nothing without a word."""
