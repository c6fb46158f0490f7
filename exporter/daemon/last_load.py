"""How the last load of a file went that is read again while it is in use, for whoever shows it."""

from __future__ import annotations

from exporter.clock import Clock


class LastLoad:
    """Begins with the load at the start, which worked. `succeeded_at` is when one last did, in Unix seconds; `error`: what went wrong."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.error: str | None = None
        self.succeeded_at = clock.now()

    @property
    def is_successful(self) -> bool:
        """Whether what the file says is in use."""
        return self.error is None

    def succeed(self) -> None:
        """What the file says is in use."""
        self.error, self.succeeded_at = None, self._clock.now()

    def fail(self, error: str) -> None:
        """What it said before stays in use."""
        self.error = error
