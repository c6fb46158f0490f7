"""The tables. Every column is a fact of its own or a running total written in the same transaction as its facts.

Times are Unix seconds, days are days since 1970-01-01 (UTC), money is whole nano-dollars. There is no column for a prompt
or an answer. Running totals (`spend_days`, `counters`, the sums in `checks`) spare readers a scan; `verify` recounts them.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

ALL_TARGETS = ""
"""The target under which `spend_days` keeps the sum over all targets."""

SUMS = ("usd_nanos", "estimated_usd_nanos", "tokens", "requests", "priced_requests")
"""The columns of running totals."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Only a column declared INTEGER is SQLite's own row id; elsewhere ids need eight bytes.
Id = BigInteger().with_variant(Integer, "sqlite")

checks = Table(
    "checks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("target", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("due_at", Double, nullable=False),
    Column("claimed_at", Double, nullable=False),
    Column("state", Text, nullable=False),
    Column("confirm_at", Double),
    Column("closed_at", Double),
    Column("usd_nanos", BigInteger, nullable=False),
    Column("estimated_usd_nanos", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("requests", BigInteger, nullable=False),
    Column("priced_requests", BigInteger, nullable=False),
    UniqueConstraint("target", "due_at"),
    Index(None, "target", "id"),
    Index("ix_checks_open", "target", sqlite_where=text("closed_at IS NULL"), postgresql_where=text("closed_at IS NULL")),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("check_id", Id, ForeignKey("checks.id"), primary_key=True, autoincrement=False),
    Column("target", Text, nullable=False),
    Column("decided_at", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("standing", Text, nullable=False),
    Column("record", Text, nullable=False),
    Index(None, "target", "check_id"),
    Index(None, "target", "standing", "check_id"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("check_id", Id, ForeignKey("checks.id"), nullable=False),
    Column("target", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("protocol", Text, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("deadline_at", Double, nullable=False),
    Column("state", Text, nullable=False),
    Column("ended_at", Double),
    Column("reason", Text),
    Column("message", Text, nullable=False),
    Column("grades_pruned_at", Double),
    Column("pruned_input_tokens", BigInteger),
    Column("pruned_output_tokens", BigInteger),
    UniqueConstraint("check_id", "number"),
)

# Stored in the order of its key: a run's grades lie side by side, and there is no second copy of the key.
grades = Table(
    "grades",
    metadata,
    Column("run_id", Id, ForeignKey("runs.id"), nullable=False),
    Column("question_key", Text, nullable=False),
    Column("sample", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("question_id", Text, nullable=False),
    Column("suite", Text, nullable=False),
    Column("area", Text, nullable=False),
    Column("right", Boolean),
    Column("graded_at", Double, nullable=False),
    Column("reason", Text),
    Column("message", Text, nullable=False),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("identity", Text),
    Column("fingerprint", Text),
    Column("answer_hash", Text),
    Column("answer_line_missing", Boolean, nullable=False),
    Column("reasoning_in_content", Boolean, nullable=False),
    Column("latency_seconds", Double, nullable=False),
    Column("host", Text),
    Column("tier", Text),
    Column("region", Text),
    PrimaryKeyConstraint("run_id", "question_key", "sample", "attempt"),
    sqlite_with_rowid=False,
)

# One row an attempt, written before it is sent; open while settled_at is NULL. `day` is the day it was reserved for.
requests = Table(
    "requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("runs.id"), nullable=False),
    Column("check_id", Id, ForeignKey("checks.id"), nullable=False),
    Column("target", Text, nullable=False),
    Column("question_key", Text, nullable=False),
    Column("sample", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("day", Integer, nullable=False),
    Column("reserved_at", Double, nullable=False),
    Column("reserved_tokens", BigInteger, nullable=False),
    Column("reserved_usd_nanos", BigInteger),
    Column("settled_at", Double),
    Column("tokens", BigInteger),
    Column("usd_nanos", BigInteger),
    Column("estimated", Boolean),
    Column("orphan", Boolean, nullable=False),
    Column("reason", Text),
    Index("ix_requests_open", "run_id", sqlite_where=text("settled_at IS NULL"), postgresql_where=text("settled_at IS NULL")),
    Index("ix_requests_failed", "check_id", "reason", sqlite_where=text("reason IS NOT NULL"), postgresql_where=text("reason IS NOT NULL")),
)

# What the requests of a check came to once their own rows are gone; `reason` is "" for those that did not fail.
request_sums = Table(
    "request_sums",
    metadata,
    Column("check_id", Id, ForeignKey("checks.id"), nullable=False),
    Column("day", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("usd_nanos", BigInteger, nullable=False),
    Column("estimated_usd_nanos", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("requests", BigInteger, nullable=False),
    Column("priced_requests", BigInteger, nullable=False),
    PrimaryKeyConstraint("check_id", "day", "reason"),
    sqlite_with_rowid=False,
)

spend_days = Table(
    "spend_days",
    metadata,
    Column("target", Text, nullable=False),
    Column("day", Integer, nullable=False),
    Column("usd_nanos", BigInteger, nullable=False),
    Column("estimated_usd_nanos", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("requests", BigInteger, nullable=False),
    Column("priced_requests", BigInteger, nullable=False),
    PrimaryKeyConstraint("target", "day"),
    sqlite_with_rowid=False,
)

counters = Table(
    "counters",
    metadata,
    Column("target", Text, nullable=False),
    Column("family", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("value", BigInteger, nullable=False),
    PrimaryKeyConstraint("target", "family", "label"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("target", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("happened_at", Double, nullable=False),
    Column("protocol", Text),
    Column("from_protocol", Text),
    Column("run_ids", Text, nullable=False),
    Column("identity", Text),
    Column("suite", Text),
    Column("question_keys", Text, nullable=False),
    Column("note", Text, nullable=False),
    Index(None, "target", "id"),
)

identities = Table(
    "identities",
    metadata,
    Column("target", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("first_seen_at", Double, nullable=False),
    Column("last_seen_at", Double, nullable=False),
    PrimaryKeyConstraint("target", "identity", "fingerprint"),
    sqlite_with_rowid=False,
)

errors = Table(
    "errors",
    metadata,
    Column("id", Id, primary_key=True),
    Column("target", Text, nullable=False),
    Column("happened_at", Double, nullable=False),
    Column("reason", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("question_id", Text),
    Index(None, "target", "id"),
)

# Who works on a target, and until when: of programs that share a server. With a file it is a lock on another file instead.
turns = Table(
    "turns",
    metadata,
    Column("target", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Double, nullable=False),
)

# Programs with this store, by their own word, and the configs that they run. Times are by the clock of the database.
replicas = Table(
    "replicas",
    metadata,
    Column("holder", Text, primary_key=True),
    Column("started_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
    Column("version", Text, nullable=False),
    Column("config_hash", Text, nullable=False),
    Column("config_loaded_at", Double, nullable=False),
)

configs = Table(
    "configs",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("loaded_at", Double, nullable=False),
    Column("targets", Text, nullable=False),
)
