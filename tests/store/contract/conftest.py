from __future__ import annotations

from typing import Any

import pytest

from tests.store.conftest import AnyBackend


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> AnyBackend:
    backend: Any = request.getfixturevalue({"sqlite": "sqlite_backend", "postgresql": "postgres_backend"}[request.param])
    assert isinstance(backend, AnyBackend)
    return backend
