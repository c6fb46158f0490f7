"""What is left of grades and requests that grew too old, and indexes for what is asked all the time."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_SUMS = ("usd_nanos", "estimated_usd_nanos", "tokens", "requests", "priced_requests")


def upgrade() -> None:
    """Add what is new; nothing is removed by this."""
    op.add_column("runs", sa.Column("grades_pruned_at", sa.Double()))
    op.add_column("runs", sa.Column("pruned_input_tokens", sa.BigInteger()))
    op.add_column("runs", sa.Column("pruned_output_tokens", sa.BigInteger()))
    op.create_table(
        "request_sums",
        sa.Column("check_id", _ID, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in _SUMS),
        sa.PrimaryKeyConstraint("check_id", "day", "reason", name="pk_request_sums"),
        sa.ForeignKeyConstraint(["check_id"], ["checks.id"], name="fk_request_sums_check_id_checks"),
        sqlite_with_rowid=False,
    )
    failed = sa.text("reason IS NOT NULL")
    op.create_index("ix_requests_failed", "requests", ["check_id", "reason"], sqlite_where=failed, postgresql_where=failed)
    op.create_index("ix_verdicts_target_standing_check_id", "verdicts", ["target", "standing", "check_id"])
