from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from exporter.metrics import RequestDurations, Tally
from exporter.metrics.tallies import NO_DURATIONS


def test_a_duration_on_a_bound_belongs_to_the_bucket_below_it() -> None:
    durations = RequestDurations()
    for seconds in (0.1, 0.11, 120.0, 120.1):
        durations.observe("a", seconds)
    assert durations.of("a").counts == (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)
    assert durations.of("a").sum_seconds == pytest.approx(240.31)


def test_a_clock_that_went_back_never_makes_the_sum_smaller() -> None:
    durations = RequestDurations()
    durations.observe("a", -5.0)
    assert durations.of("a").sum_seconds == 0.0
    assert durations.of("a").counts[0] == 1


def test_what_was_read_does_not_change_when_more_is_observed() -> None:
    durations = RequestDurations()
    durations.observe("a", 1.0)
    before = durations.of("a")
    assert durations.of("a") is before
    durations.observe("a", 1.0)
    assert sum(before.counts) == 1
    assert sum(durations.of("a").counts) == 2


def test_targets_are_counted_apart() -> None:
    durations = RequestDurations()
    durations.observe("a", 1.0)
    assert durations.of("b") is NO_DURATIONS


def test_a_tally_begins_with_every_name_at_0() -> None:
    tally = Tally(("read", "write"))
    tally.count("write")
    assert tally.counts() == {"read": 0, "write": 1}


def test_a_name_outside_the_set_is_refused() -> None:
    with pytest.raises(KeyError, match="guess"):
        Tally(("read", "write")).count("guess")


def test_nothing_is_lost_between_threads() -> None:
    tally = Tally(("read",))
    durations = RequestDurations()

    def feed(_: int) -> None:
        for _number in range(500):
            tally.count("read")
            durations.observe("a", 0.5)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(feed, range(4)))
    assert tally.counts() == {"read": 2000}
    assert sum(durations.of("a").counts) == 2000
    assert durations.of("a").sum_seconds == 1000.0
