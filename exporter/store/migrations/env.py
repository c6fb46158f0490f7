"""What alembic runs: on the connection handed over by `exporter.store.schema`, inside its transaction."""

from alembic import context

from exporter.store.schema import VERSION_TABLE
from exporter.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
