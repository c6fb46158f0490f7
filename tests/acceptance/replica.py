"""`serve` with leases that end sooner, and that SIGUSR1 hangs: `python -m tests.acceptance.replica LEASE_SECONDS serve …`.

All else is the program itself.
"""

from __future__ import annotations

import signal
import sys
import threading

from exporter.cli.main import main
from exporter.store import store
from exporter.store.database import Database
from exporter.store.leases import LeaseTurns
from exporter.store.turns import Turns


def shorten_leases(seconds: float) -> None:
    """Have every store of this process hold its turns for so long."""

    def open_turns(database: Database, holder: str) -> Turns:
        return LeaseTurns(database, holder, lease_seconds=seconds)

    store.open_turns = open_turns  # type: ignore[attr-defined]  # imported there, and looked up there


def hang_when_told() -> None:
    """Have SIGUSR1 stop the event loop for good, as code does that never gives back control; the other threads go on."""
    signal.signal(signal.SIGUSR1, lambda *_: threading.Event().wait())


if __name__ == "__main__":
    hang_when_told()
    shorten_leases(float(sys.argv.pop(1)))
    main()
