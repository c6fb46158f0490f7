"""PostgreSQL: a server that several programs share. What SQLite does with one lock on the file is done here by locks on rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import URL, Connection, ExceptionContext, QueuePool, create_engine, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import SQLAlchemyError

from exporter.errors import ExporterError, Problem, StoreError
from exporter.store.backend import Backend
from exporter.store.faults import explain_postgres

ReadPassword = Callable[[], str | None]
"""Called for each new connection, so that a password that was changed is used from then on."""

_WRITES = "exporter_writes"
_MOST_CONNECTIONS = 16
_ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server that is gone without a word is noticed within half a minute; seconds, but for the last, which is in milliseconds."""

_STATEMENT_SECONDS = 30
_READ_ONLY = "25006"

_IDLE_SECONDS = 60
"""How long a server waits for the next statement of a transaction, so that a program that hangs holds no lock for good."""


class _PasswordError(Exception):
    """The password could not be read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class PostgresBackend(Backend):
    """The database that a URL names, which is one by `require_postgres_url`. Raises StoreError where psycopg is not installed."""

    def __init__(self, url: URL, where: str, *, read_only: bool, lock_timeout_seconds: float, read_password: ReadPassword | None) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise StoreError(Problem("storage", "needs psycopg", "pip install 'model-drift-exporter[postgres]'")) from error
        self._psycopg = psycopg
        self.failures = (SQLAlchemyError, psycopg.Error, OverflowError, _PasswordError)
        self._read_password = read_password
        self._arguments = _connect_arguments(url, lock_timeout_seconds)
        self.missing = Problem(where, "there is nothing in the database yet", "run serve or check first, they fill it")
        engine = create_engine(
            "postgresql+psycopg://",
            creator=self._open,
            poolclass=QueuePool,
            pool_size=4,
            max_overflow=_MOST_CONNECTIONS - 4,
            pool_use_lifo=True,
            use_native_hstore=False,
        )
        event.listen(engine, "begin", self._begin)
        event.listen(engine, "handle_error", _leave_a_server_that_takes_no_writes)
        self._read_only = read_only
        super().__init__(where, engine, engine, engine.execution_options(**{_WRITES: True}))

    def explain(self, error: BaseException) -> StoreError:
        """In words about servers and connections."""
        if isinstance(error, _PasswordError):
            return StoreError(error.problem)
        return explain_postgres(self.where, error)

    def require_there(self) -> None:
        """What is written to a server that is gone fails by itself."""

    def require_sound(self, connection: Connection) -> None:
        """COMMIT of a failed transaction is a ROLLBACK here, and no error."""
        driver: Any = connection.connection.driver_connection
        if driver.info.transaction_status == self._psycopg.pq.TransactionStatus.INERROR:
            raise self._psycopg.errors.InFailedSqlTransaction("a statement before has failed")

    def _begin(self, connection: Connection) -> None:
        """Say what the coming BEGIN will say; None leaves it to the server, which may be a standby and take no READ WRITE."""
        writes = connection.get_execution_options().get(_WRITES)
        driver: Any = connection.connection.driver_connection
        driver.read_only = True if self._read_only or not writes else None
        driver.isolation_level = None if writes else self._psycopg.IsolationLevel.REPEATABLE_READ

    def _open(self) -> Any:
        try:
            password = self._read_password() if self._read_password is not None else None
        except ExporterError as error:
            raise _PasswordError(error.problems[0]) from None
        # An empty password is none, and keeps libpq from taking one out of the environment.
        return self._psycopg.connect(**self._arguments, password=password or "")


def _leave_a_server_that_takes_no_writes(context: ExceptionContext) -> None:
    """Let go of all connections that are open, as where one is cut: another server may be the primary by now, and this one may stay on."""
    if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
        context.is_disconnect = True


def _connect_arguments(url: URL, lock_timeout_seconds: float) -> dict[str, Any]:
    dialect: Any = PGDialect_psycopg
    _, named = dialect().create_connect_args(url)
    settings = {
        "statement_timeout": _STATEMENT_SECONDS * 1000,
        "lock_timeout": max(1, round(lock_timeout_seconds * 1000)),
        "idle_in_transaction_session_timeout": _IDLE_SECONDS * 1000,
        "default_transaction_isolation": r"read\ committed",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {
        "connect_timeout": 5,
        "application_name": "model-drift-exporter",
        "client_encoding": "utf8",
        **_ALIVE,
        **named,
        "options": options,
    }
