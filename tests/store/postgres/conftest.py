from __future__ import annotations

from collections.abc import Iterator

import pytest

from exporter.store import Store
from tests.store.conftest import PostgresBackend


@pytest.fixture
def backend(postgres_backend: PostgresBackend) -> PostgresBackend:
    return postgres_backend


@pytest.fixture
def other(backend: PostgresBackend) -> Iterator[Store]:
    """Another replica's."""
    opened = backend.open()
    yield opened
    opened.close()
