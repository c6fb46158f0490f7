"""What happened, kept: checks, runs, grades, requests and what they cost, verdicts, a person's decisions about baselines.

Facts only: no prompt and no answer is ever written here, no conclusion is drawn, nothing is asked and no time is read.
Everything is one transaction; what was settled survives a kill at any moment. SQL is spoken in this room and in no other.
"""

from exporter.store.backup import back_up
from exporter.store.database import OPERATIONS
from exporter.store.digests import Digest
from exporter.store.leases import LEASE_SECONDS
from exporter.store.nouns import Activity, Cap, GradesOf, KnownConfig, PastCheck, RecordedError, Replica, ServedIdentity, Spent, UnderWay
from exporter.store.store import Store, open_store, reach_store
from exporter.store.transfer import Copied, CopiedTable, copy_history
from exporter.store.writer import Writer

__all__ = [
    "LEASE_SECONDS",
    "OPERATIONS",
    "Activity",
    "Cap",
    "Copied",
    "CopiedTable",
    "Digest",
    "GradesOf",
    "KnownConfig",
    "PastCheck",
    "RecordedError",
    "Replica",
    "ServedIdentity",
    "Spent",
    "Store",
    "UnderWay",
    "Writer",
    "back_up",
    "copy_history",
    "open_store",
    "reach_store",
]
