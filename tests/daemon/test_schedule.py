"""When a target is due."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import pytest

from exporter.config import Decision, Schedule
from exporter.daemon.schedule import due_times, next_check, next_scheduled, spread_offset
from exporter.records import (
    BaselineState,
    Check,
    CheckKind,
    CheckState,
    Signal,
    SignalState,
    Verdict,
    VerdictKind,
)

DAILY = Schedule(cron="0 9 * * *", spread=0)


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def text_of(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(sep=" ", timespec="minutes")[:16]


def closed_check(kind: CheckKind, verdict_kind: VerdictKind, closed_at: float, *signals: SignalState) -> Check:
    verdict = Verdict(
        target="bot",
        check_id=1,
        decided_at=closed_at,
        kind=verdict_kind,
        standing=verdict_kind,
        protocol="p",
        runs=1,
        questions_asked=1,
        signals=signals,
        baseline=BaselineState(5, 5, frozen=False),
    )
    return Check(1, "bot", kind, closed_at - 60, closed_at - 60, CheckState.CLOSED, closed_at=closed_at, verdict=verdict)


def test_due_times_follow_the_cron_and_are_later_by_the_targets_own_offset() -> None:
    schedule = Schedule(cron="0 9 * * *", spread="15m")
    offset = spread_offset(schedule, "bot")
    assert 0 <= offset < 900
    assert offset != spread_offset(schedule, "other-bot")
    first = next(due_times(schedule, "bot", at("2026-11-30 08:00")))
    assert first == at("2026-11-30 09:00") + offset


def test_a_due_time_within_the_offset_is_not_lost() -> None:
    schedule = Schedule(cron="0 9 * * *", spread="15m")
    offset = spread_offset(schedule, "bot")
    moment = at("2026-11-30 09:00") + offset / 2
    assert next(due_times(schedule, "bot", moment)) == at("2026-11-30 09:00") + offset


@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        ("30 2 * * *", "2026-03-27 12:00", ["2026-03-28 01:30", "2026-03-29 01:00", "2026-03-30 00:30"]),
        ("30 2 * * *", "2026-10-24 12:00", ["2026-10-25 00:30", "2026-10-26 01:30", "2026-10-27 01:30"]),
        ("0 9 * * *", "2026-10-24 12:00", ["2026-10-25 08:00", "2026-10-26 08:00", "2026-10-27 08:00"]),
    ],
    ids=["skipped hour", "repeated hour", "morning"],
)
def test_each_local_day_is_due_once_when_clocks_change(cron: str, after: str, expected: list[str]) -> None:
    schedule = Schedule(cron=cron, timezone="Europe/Berlin", spread=0)
    assert [text_of(moment) for moment in islice(due_times(schedule, "bot", at(after)), 3)] == expected


def test_a_target_never_checked_is_due_at_once() -> None:
    now = at("2026-11-30 12:00")
    assert next_scheduled(DAILY, "bot", None, now) == now


def test_after_downtime_one_late_check_is_due_for_the_newest_missed_time() -> None:
    due = next_scheduled(DAILY, "bot", at("2026-11-20 09:00"), at("2026-11-30 12:00"))
    assert text_of(due) == "2026-11-30 09:00"


def test_a_year_of_downtime_with_a_check_each_minute_is_one_late_check() -> None:
    due = next_scheduled(Schedule(cron="* * * * *", spread=0), "bot", at("2025-11-30 09:00"), at("2026-11-30 12:00"))
    assert text_of(due) == "2026-11-30 12:00"


def test_a_due_time_that_was_claimed_is_not_due_again() -> None:
    assert text_of(next_scheduled(DAILY, "bot", at("2026-11-30 09:00"), at("2026-11-30 09:00"))) == "2026-12-01 09:00"


def test_a_clock_set_back_a_week_goes_on_from_where_it_is() -> None:
    assert text_of(next_scheduled(DAILY, "bot", at("2026-11-30 09:00"), at("2026-11-23 12:00"))) == "2026-11-24 09:00"


def test_a_failed_check_is_tried_again_three_times_an_hour_apart_and_then_waits_for_the_schedule() -> None:
    failed = VerdictKind.MEASUREMENT_FAILED
    first = closed_check(CheckKind.SCHEDULED, failed, at("2026-11-30 09:05"))
    retry = closed_check(CheckKind.RETRY, failed, at("2026-11-30 10:10"))
    now, last_due = at("2026-11-30 10:20"), at("2026-11-30 09:00")

    def due(*closed: Check) -> tuple[str, str]:
        found = next_check(DAILY, Decision(), "bot", last_due, list(closed), now)
        return found.kind.value, text_of(found.due_at)

    assert due(first) == ("retry", "2026-11-30 10:05")
    assert due(retry, first) == ("retry", "2026-11-30 11:10")
    assert due(retry, retry, retry, first) == ("scheduled", "2026-12-01 09:00")


def test_a_failed_manual_check_is_not_tried_again() -> None:
    failed = closed_check(CheckKind.MANUAL, VerdictKind.MEASUREMENT_FAILED, at("2026-11-30 09:05"))
    found = next_check(DAILY, Decision(), "bot", at("2026-11-30 09:00"), [failed], at("2026-11-30 09:10"))
    assert found.kind is CheckKind.SCHEDULED


def test_a_failed_manual_check_in_between_ends_no_retries_and_a_measured_one_does() -> None:
    failed, measured = VerdictKind.MEASUREMENT_FAILED, VerdictKind.STABLE
    first = closed_check(CheckKind.SCHEDULED, failed, at("2026-11-30 09:05"))
    retry = closed_check(CheckKind.RETRY, failed, at("2026-11-30 10:10"))
    by_hand = closed_check(CheckKind.MANUAL, failed, at("2026-11-30 09:30"))
    mended = closed_check(CheckKind.MANUAL, measured, at("2026-11-30 09:30"))

    def due(*closed: Check) -> tuple[str, str]:
        found = next_check(DAILY, Decision(), "bot", at("2026-11-30 09:00"), list(closed), at("2026-11-30 09:40"))
        return found.kind.value, text_of(found.due_at)

    assert due(by_hand, first) == ("retry", "2026-11-30 10:05")
    assert due(by_hand, retry, by_hand, retry, first) == ("retry", "2026-11-30 11:10")
    assert due(retry, by_hand, retry, retry, first) == ("scheduled", "2026-12-01 09:00")
    assert due(mended, first) == ("scheduled", "2026-12-01 09:00")


def test_a_confirmed_check_is_followed_by_an_extra_one_until_it_is_conclusive() -> None:
    confirmed = SignalState(Signal.ACCURACY, confirmed=True, confirmed_checks=1)
    conclusive = SignalState(Signal.ACCURACY, confirmed=True, conclusive=True, confirmed_checks=2)
    now, last_due = at("2026-11-30 12:00"), at("2026-11-30 09:00")

    def due(*signals: SignalState) -> tuple[str, str]:
        closed = closed_check(CheckKind.SCHEDULED, VerdictKind.DRIFT, at("2026-11-30 10:00"), *signals)
        found = next_check(DAILY, Decision(), "bot", last_due, [closed], now)
        return found.kind.value, text_of(found.due_at)

    assert due(confirmed) == ("recheck", "2026-11-30 22:00")
    assert due(conclusive) == ("scheduled", "2026-12-01 09:00")
    assert due() == ("scheduled", "2026-12-01 09:00")


def test_an_extra_check_that_would_come_after_the_scheduled_one_is_not_made() -> None:
    confirmed = SignalState(Signal.ACCURACY, confirmed=True, confirmed_checks=1)
    closed = closed_check(CheckKind.SCHEDULED, VerdictKind.DRIFT, at("2026-11-30 10:00"), confirmed)
    hourly = Schedule(cron="0 * * * *", spread=0)
    assert next_check(hourly, Decision(), "bot", at("2026-11-30 10:00"), [closed], at("2026-11-30 10:30")).kind is CheckKind.SCHEDULED
