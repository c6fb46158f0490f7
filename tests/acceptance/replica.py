"""`serve` with leases that end sooner: `python -m tests.acceptance.replica LEASE_SECONDS serve …`. All else is the program itself."""

from __future__ import annotations

import sys

from exporter.cli.main import main
from exporter.store import store
from exporter.store.database import Database
from exporter.store.leases import LeaseTurns
from exporter.store.turns import Turns


def shorten_leases(seconds: float) -> None:
    """Have every store of this process hold its turns for so long."""

    def open_turns(database: Database, holder: str) -> Turns:
        return LeaseTurns(database, holder, lease_seconds=seconds)

    store.open_turns = open_turns


if __name__ == "__main__":
    shorten_leases(float(sys.argv.pop(1)))
    main()
