"""For all tests: hypothesis may take its time, as no test here is held against a clock; and a PostgreSQL server where one is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import PostgresServer, postgres_server

# Who works on something is shown new examples at each run; whether a change may land is not left to chance.
is_ci = "MODEL_DRIFT_CI_RUN" in os.environ
settings.register_profile("unhurried", deadline=None, derandomize=is_ci, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests of this process."""
    with postgres_server() as server:
        yield server
