"""The first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_SUMS = ("usd_nanos", "estimated_usd_nanos", "tokens", "requests", "priced_requests")


def upgrade() -> None:
    """Make every table of the first version."""
    _make_checks()
    _make_runs()
    _make_money()
    _make_the_rest()


def downgrade() -> None:
    """There is nothing before the first version."""
    raise NotImplementedError("the first version cannot be undone")


def _column(name: str, type_: sa.types.TypeEngine[Any] | None = None, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, type_ or sa.Text(), nullable=null)


def _sums() -> list[sa.Column[Any]]:
    return [_column(name, sa.BigInteger()) for name in _SUMS]


def _make_checks() -> None:
    op.create_table(
        "checks",
        _column("id", _ID),
        _column("target"),
        _column("kind"),
        _column("due_at", sa.Double()),
        _column("claimed_at", sa.Double()),
        _column("state"),
        _column("confirm_at", sa.Double(), null=True),
        _column("closed_at", sa.Double(), null=True),
        *_sums(),
        sa.PrimaryKeyConstraint("id", name="pk_checks"),
        sa.UniqueConstraint("target", "due_at", name="uq_checks_target_due_at"),
    )
    unclosed = sa.text("closed_at IS NULL")
    op.create_index("ix_checks_target_id", "checks", ["target", "id"])
    op.create_index("ix_checks_open", "checks", ["target"], sqlite_where=unclosed, postgresql_where=unclosed)
    op.create_table(
        "verdicts",
        sa.Column("check_id", _ID, nullable=False, autoincrement=False),
        _column("target"),
        _column("decided_at", sa.Double()),
        _column("kind"),
        _column("standing"),
        _column("record"),
        sa.PrimaryKeyConstraint("check_id", name="pk_verdicts"),
        sa.ForeignKeyConstraint(["check_id"], ["checks.id"], name="fk_verdicts_check_id_checks"),
    )
    op.create_index("ix_verdicts_target_check_id", "verdicts", ["target", "check_id"])


def _make_runs() -> None:
    op.create_table(
        "runs",
        _column("id", _ID),
        _column("check_id", _ID),
        _column("target"),
        _column("number", sa.Integer()),
        _column("protocol"),
        _column("started_at", sa.Double()),
        _column("deadline_at", sa.Double()),
        _column("state"),
        _column("ended_at", sa.Double(), null=True),
        _column("reason", null=True),
        _column("message"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("check_id", "number", name="uq_runs_check_id_number"),
        sa.ForeignKeyConstraint(["check_id"], ["checks.id"], name="fk_runs_check_id_checks"),
    )
    op.create_table(
        "grades",
        _column("run_id", _ID),
        _column("question_key"),
        _column("sample", sa.Integer()),
        _column("attempt", sa.Integer()),
        _column("question_id"),
        _column("suite"),
        _column("area"),
        _column("right", sa.Boolean(), null=True),
        _column("graded_at", sa.Double()),
        _column("reason", null=True),
        _column("message"),
        _column("input_tokens", sa.BigInteger(), null=True),
        _column("output_tokens", sa.BigInteger(), null=True),
        _column("identity", null=True),
        _column("fingerprint", null=True),
        _column("answer_hash", null=True),
        _column("answer_line_missing", sa.Boolean()),
        _column("reasoning_in_content", sa.Boolean()),
        _column("latency_seconds", sa.Double()),
        sa.PrimaryKeyConstraint("run_id", "question_key", "sample", "attempt", name="pk_grades"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_grades_run_id_runs"),
        sqlite_with_rowid=False,
    )


def _make_money() -> None:
    op.create_table(
        "requests",
        _column("id", _ID),
        _column("run_id", _ID),
        _column("check_id", _ID),
        _column("target"),
        _column("question_key"),
        _column("sample", sa.Integer()),
        _column("attempt", sa.Integer()),
        _column("day", sa.Integer()),
        _column("reserved_at", sa.Double()),
        _column("reserved_tokens", sa.BigInteger()),
        _column("reserved_usd_nanos", sa.BigInteger(), null=True),
        _column("settled_at", sa.Double(), null=True),
        _column("tokens", sa.BigInteger(), null=True),
        _column("usd_nanos", sa.BigInteger(), null=True),
        _column("estimated", sa.Boolean(), null=True),
        _column("orphan", sa.Boolean()),
        _column("reason", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_requests_run_id_runs"),
        sa.ForeignKeyConstraint(["check_id"], ["checks.id"], name="fk_requests_check_id_checks"),
    )
    unsettled = sa.text("settled_at IS NULL")
    op.create_index("ix_requests_open", "requests", ["run_id"], sqlite_where=unsettled, postgresql_where=unsettled)
    op.create_table(
        "spend_days",
        _column("target"),
        _column("day", sa.Integer()),
        *_sums(),
        sa.PrimaryKeyConstraint("target", "day", name="pk_spend_days"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "counters",
        _column("target"),
        _column("family"),
        _column("label"),
        _column("value", sa.BigInteger()),
        sa.PrimaryKeyConstraint("target", "family", "label", name="pk_counters"),
        sqlite_with_rowid=False,
    )


def _make_the_rest() -> None:
    op.create_table(
        "events",
        _column("id", _ID),
        _column("target"),
        _column("kind"),
        _column("happened_at", sa.Double()),
        _column("protocol", null=True),
        _column("from_protocol", null=True),
        _column("run_ids"),
        _column("identity", null=True),
        _column("suite", null=True),
        _column("question_keys"),
        _column("note"),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
    )
    op.create_index("ix_events_target_id", "events", ["target", "id"])
    op.create_table(
        "identities",
        _column("target"),
        _column("identity"),
        _column("fingerprint"),
        _column("first_seen_at", sa.Double()),
        _column("last_seen_at", sa.Double()),
        sa.PrimaryKeyConstraint("target", "identity", "fingerprint", name="pk_identities"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "errors",
        _column("id", _ID),
        _column("target"),
        _column("happened_at", sa.Double()),
        _column("reason"),
        _column("message"),
        _column("question_id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_errors"),
    )
    op.create_index("ix_errors_target_id", "errors", ["target", "id"])
