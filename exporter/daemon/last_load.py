"""How the last load of a file went that is read again while it is in use, for whoever shows it."""

from __future__ import annotations

from exporter.clock import Clock


class LastLoad:
    """Begins with the load at the start, which worked. `succeeded_at` is when one last did, in Unix seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.is_successful = True
        self.succeeded_at = clock.now()

    def succeed(self) -> None:
        """What the file says is in use."""
        self.is_successful, self.succeeded_at = True, self._clock.now()

    def fail(self) -> None:
        """What it said before stays in use."""
        self.is_successful = False
