from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporter.metrics import MetricsView
from exporter.store import Store, open_store
from tests.metrics.snapshots import NOW, three_targets
from tests.store.facts import DAY_SECONDS, do_check, finish_check, reserve, settle, start_run
from tests.web.api_world import BOT, data
from tests.web.fake_state import FakeState


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two targets checked on each of three days, the last of them today; the price of the second is not known."""
    opened = open_store(f"sqlite:///{tmp_path}/history.db")
    for ago in (2, 1, 0):
        at = NOW - ago * DAY_SECONDS
        do_check(opened, "support-bot", at)
        run = start_run(opened, "new-model", at)
        settle(opened, reserve(opened, run, usd=None, now=at), usd=None, now=at)
        finish_check(opened, run, now=at + 60)
    yield opened
    opened.close()


@pytest.fixture
def state(store: Store) -> FakeState:
    return FakeState(store=store)


def period(name: str, usd: float | None, tokens: int, requests: int, **more: float) -> dict[str, Any]:
    """What is told of a period; without caps unless there are `more`."""
    none = dict.fromkeys(("limit_usd", "limit_tokens", "remaining_usd", "remaining_tokens"))
    nothing = {"reserved_usd": 0.0, "reserved_tokens": 0, "estimated_usd": 0.0}
    return {"period": name, "spent_usd": usd, "spent_tokens": tokens, "requests": requests, **nothing, **none, **more}


def test_a_target_tells_what_it_has_spent_and_what_its_caps_leave(state: FakeState) -> None:
    told = data(state, f"{BOT}/spend")
    assert told == {
        "target": "support-bot",
        "periods": [
            period("check", 0.08, 280, 2, limit_usd=0.5, remaining_usd=0.42, limit_tokens=120_000, remaining_tokens=119_720),
            period("day", 0.08, 280, 2, limit_usd=5.0, remaining_usd=4.92),
            period("month", 0.24, 840, 6, limit_usd=50.0, remaining_usd=49.76),
        ],
        "total": {"usd": 0.24, "estimated_usd": 0.0, "tokens": 840, "requests": 6},
        "days": [
            {"day": "2027-01-15", "usd": 0.08, "estimated_usd": 0.0, "tokens": 280, "requests": 2},
            {"day": "2027-01-14", "usd": 0.08, "estimated_usd": 0.0, "tokens": 280, "requests": 2},
            {"day": "2027-01-13", "usd": 0.08, "estimated_usd": 0.0, "tokens": 280, "requests": 2},
        ],
    }


def test_the_days_are_as_many_as_are_asked_for_today_included(state: FakeState) -> None:
    assert [one["day"] for one in data(state, f"{BOT}/spend?days=1")["days"]] == ["2027-01-15"]
    assert [one["day"] for one in data(state, f"{BOT}/spend?days=2")["days"]] == ["2027-01-15", "2027-01-14"]


def test_a_price_that_is_not_known_is_null_and_no_zero(state: FakeState) -> None:
    told = data(state, "/api/v1/targets/new-model/spend")
    assert told["total"] == {"usd": None, "estimated_usd": 0.0, "tokens": 420, "requests": 3}
    assert told["periods"][0] == period("check", None, 140, 1, limit_tokens=120_000, remaining_tokens=119_860)


def test_what_is_reserved_for_requests_under_way_counts_as_spent(state: FakeState, store: Store) -> None:
    reserve(store, start_run(store, "support-bot", NOW + 5), tokens=700, usd=0.10)
    told = data(state, f"{BOT}/spend")["periods"]
    caps = {"limit_usd": 0.5, "remaining_usd": 0.4, "limit_tokens": 120_000, "remaining_tokens": 119_300}
    assert told[0] == period("check", 0.1, 700, 1, reserved_usd=0.1, reserved_tokens=700, **caps)
    assert (told[1]["spent_usd"], told[1]["reserved_usd"]) == (pytest.approx(0.18), 0.1)


def test_all_targets_together_are_told_with_the_caps_over_all_of_them(state: FakeState) -> None:
    told = data(state, "/api/v1/spend?days=1")
    assert told["periods"] == [
        period("day", 0.08, 420, 3, limit_usd=10.0, remaining_usd=9.92),
        period("month", 0.24, 1260, 9),
    ]
    assert told["total"] == {"usd": 0.24, "estimated_usd": 0.0, "tokens": 1260, "requests": 9}
    assert told["days"] == [{"day": "2027-01-15", "usd": 0.08, "estimated_usd": 0.0, "tokens": 420, "requests": 3}]
    assert [one["target"] for one in told["targets"]] == ["support-bot", "new-model", "summaries"]
    assert told["targets"][0]["periods"] == data(state, BOT)["spend"]


def test_a_cap_that_is_passed_leaves_nothing_and_no_less(state: FakeState) -> None:
    view: MetricsView = three_targets()
    (over,) = view.total_spend
    state.shown = replace(view, total_spend=(replace(over, limit_usd=0.05),))
    assert data(state, "/api/v1/spend")["periods"][0]["remaining_usd"] == 0
