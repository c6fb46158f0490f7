"""Requests that cannot be answered as they are, and what exactly is said of them."""

from __future__ import annotations

import pytest

from tests.web.api_world import BOT, refusal
from tests.web.fake_state import FakeState

NO_NUMBER = "is no number from 1 to 500"
VERDICTS = "collecting, baseline_ready, stable, improved, unconfirmed, suspect, drift, token_shift, model_changed, measurement_failed"
NO_TIME = "is no time; write Unix seconds, or as in 2026-11-30T09:00:00Z"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (f"{BOT}/checks?limit=x", f'limit: "x" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=0", f'limit: "0" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=501", f'limit: "501" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=-1", f'limit: "-1" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=1e2", f'limit: "1e2" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=1_0", f'limit: "1_0" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=%D9%A3", f'limit: "٣" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=", f'limit: "" {NO_NUMBER}'),
        (f"{BOT}/checks?limit", f'limit: "" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=%201", f'limit: " 1" {NO_NUMBER}'),
        (f"{BOT}/checks?limit={'9' * 100}", f'limit: "{"9" * 59}…" {NO_NUMBER}'),
        (f"{BOT}/checks?limit=1&limit=2", "limit: given 2 times; give it once"),
        (f"{BOT}/checks?before=0", 'before: "0" is no number from 1 on'),
        (f"{BOT}/checks?before=9007199254740992", 'before: "9007199254740992" is no number from 1 on'),
        (f"{BOT}/checks?colour=red", '"colour": no such parameter; choose from: limit, before'),
        (f"{BOT}/checks?Limit=1", '"Limit": no such parameter; choose from: limit, before'),
        (f"{BOT}/checks?%0Aa=1", '"\\na": no such parameter; choose from: limit, before'),
        (f"{BOT}?limit=1", '"limit": no such parameter; none is taken here'),
        (f"{BOT}/checks/1?limit=1", '"limit": no such parameter; none is taken here'),
        ("/api/v1/status/buildinfo?x", '"x": no such parameter; none is taken here'),
        ("/api/v1/status/runtimeinfo?x", '"x": no such parameter; none is taken here'),
        ("/api/v1/targets?verdict=bad", f'verdict: "bad" is none; choose from: {VERDICTS}'),
        ("/api/v1/targets?verdict=drift&verdict=", f'verdict: "" is none; choose from: {VERDICTS}'),
        (f"{BOT}/verdicts?since=yesterday", f'since: "yesterday" {NO_TIME}'),
        (f"{BOT}/verdicts?since=nan", f'since: "nan" {NO_TIME}'),
        (f"{BOT}/verdicts?until=-5", f'until: "-5" {NO_TIME}'),
        (f"{BOT}/verdicts?until=2026-11-30", f'until: "2026-11-30" {NO_TIME}'),
        (f"{BOT}/verdicts?until=2026-11-30T09:00:00", f'until: "2026-11-30T09:00:00" {NO_TIME}'),
        (f"{BOT}/verdicts?until=0001-01-01T00:00:00%2B09:00", f'until: "0001-01-01T00:00:00+09:00" {NO_TIME}'),
        (f"{BOT}/verdicts?since=2&until=1", "since: is later than until"),
        (f"{BOT}/errors?limit=x", f'limit: "x" {NO_NUMBER}'),
        (f"{BOT}/spend?days=0", 'days: "0" is no number from 1 to 400'),
        ("/api/v1/spend?days=401", 'days: "401" is no number from 1 to 400'),
    ],
)
def test_a_bad_parameter_is_told(path: str, said: str) -> None:
    assert refusal(FakeState(), path) == (400, "bad_data", said)


def test_all_that_is_wrong_is_told_at_once_a_line_each() -> None:
    refused = refusal(FakeState(), f"{BOT}/verdicts?limit=x&until=never&since=1&colour=red&before=a")
    assert refused[2].split("\n") == [
        '"colour": no such parameter; choose from: limit, before, since, until',
        f'limit: "x" {NO_NUMBER}',
        'before: "a" is no number from 1 on',
        f'until: "never" {NO_TIME}',
    ]
