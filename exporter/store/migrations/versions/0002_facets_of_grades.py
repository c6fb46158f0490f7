"""Where an answer came from beside its model: host, tier and region, as far as the response names them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of what was graded before nobody knows them."""
    for facet in ("host", "tier", "region"):
        op.add_column("grades", sa.Column(facet, sa.Text()))
