"""What several programs with one database have to know of each other."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; nothing is in them before the first replica says that it is there."""
    op.create_table(
        "turns",
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("target", name="pk_turns"),
    )
    op.create_table(
        "replicas",
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("config_hash", sa.Text(), nullable=False),
        sa.Column("config_loaded_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("holder", name="pk_replicas"),
    )
    op.create_table(
        "configs",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("loaded_at", sa.Double(), nullable=False),
        sa.Column("targets", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_configs"),
    )
