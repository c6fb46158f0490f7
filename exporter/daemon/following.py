"""What happened in the store since it was last looked at, by whatever program: which targets to read again. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from exporter.store import Activity, UnderWay

MOST_AT_ONCE = 200
"""Targets read again in one go, so that one look does not keep the next one waiting; the rest is read then."""


class Following:
    """Compares each look at the store with the one before, and keeps which targets are to be read again, oldest first."""

    def __init__(self, seen: Activity) -> None:
        self._seen = seen
        self._shown = seen
        self._stale: dict[str, None] = {}

    @property
    def is_up_to_date(self) -> bool:
        """Whether nothing is left to be read again."""
        return not self._stale

    @property
    def events_version(self) -> int:
        """Up to which event a person's decisions are known."""
        return self._seen.events_version

    def notice(
        self, activity: Activity, decided: Collection[str], shown: Mapping[str, int], busy: Collection[str] = (), *, with_progress: bool
    ) -> list[str]:
        """Targets of which a check began, went on to another state or ended, or of which something was decided.

        Those of which more, or fewer, checks have ended than are `shown` become stale, and those of which something was decided;
        `with_progress` also those whose checks under way are not as far as they were, and those of the `busy`, which are shown with
        a check under way, that have none.
        """
        moved = {name for name in _names(self._seen, activity) if _steps(self._seen, name) != _steps(activity, name)}
        self._seen = activity
        self.add(name for name, closed in activity.closed.items() if closed != shown.get(name, 0))
        self.add(decided)
        if with_progress:
            earlier, now = self._shown.under_way, activity.under_way
            self.add(name for name in now if earlier.get(name) != now[name])
            self.add(name for name in busy if name not in now)
            self._shown = activity
        return sorted(moved.union(decided))

    def add(self, names: Iterable[str]) -> None:
        """These are to be read again."""
        self._stale.update(dict.fromkeys(names))

    def take(self, known: Collection[str]) -> list[str]:
        """The next to be read, of those in `known`; the others are forgotten."""
        taken = [name for name in self._stale if name in known][:MOST_AT_ONCE]
        last = set(taken)
        self._stale = {name: None for name in self._stale if name in known and name not in last}
        return taken


def _names(before: Activity, now: Activity) -> set[str]:
    return {*before.under_way, *now.under_way, *before.closed, *now.closed}


def _steps(activity: Activity, name: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    under_way: tuple[UnderWay, ...] = activity.under_way.get(name, ())
    return activity.closed.get(name, 0), tuple((check.check_id, check.state) for check in under_way)
