"""What happened, kept: checks, runs, grades, requests and what they cost, verdicts, a person's decisions about baselines.

Facts only: no prompt and no answer is ever written here, no conclusion is drawn, nothing is asked and no time is read.
Everything is one transaction; what was settled survives a kill at any moment. SQL is spoken in this room and in no other.
"""

from exporter.store.backup import back_up
from exporter.store.database import OPERATIONS
from exporter.store.nouns import Cap, GradesOf, PastCheck, RecordedError, ServedIdentity, Spent
from exporter.store.store import Store, open_store
from exporter.store.writer import Writer

__all__ = [
    "OPERATIONS",
    "Cap",
    "GradesOf",
    "PastCheck",
    "RecordedError",
    "ServedIdentity",
    "Spent",
    "Store",
    "Writer",
    "back_up",
    "open_store",
]
