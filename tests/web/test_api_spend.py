from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exporter.metrics import MetricsView
from exporter.store import Store, open_store
from tests.metrics.snapshots import NOW, three_targets
from tests.store.facts import DAY_SECONDS, do_check, finish_check, reserve, settle, start_run
from tests.web.api_world import BOT, data
from tests.web.fake_state import FakeState


@pytest.fixture
def state(tmp_path: Path) -> Iterator[FakeState]:
    """Two targets checked on each of three days, the last of them today; the price of the second is not known."""
    store: Store = open_store(f"sqlite:///{tmp_path}/history.db")
    for ago in (2, 1, 0):
        at = NOW - ago * DAY_SECONDS
        do_check(store, "support-bot", at)
        run = start_run(store, "new-model", at)
        settle(store, reserve(store, run, usd=None, now=at), usd=None, now=at)
        finish_check(store, run, now=at + 60)
    yield FakeState(store=store)
    store.close()


def test_a_target_tells_what_it_has_spent_and_what_its_caps_leave(state: FakeState) -> None:
    told = data(state, f"{BOT}/spend")
    assert told == {
        "target": "support-bot",
        "periods": data(state, BOT)["spend"],
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
    assert told["periods"] == [
        {
            "period": "check",
            "spent_usd": None,
            "spent_tokens": 350,
            "limit_usd": None,
            "limit_tokens": 120_000,
            "remaining_usd": None,
            "remaining_tokens": 119_650,
        }
    ]


def test_all_targets_together_are_told_with_the_caps_over_all_of_them(state: FakeState) -> None:
    told = data(state, "/api/v1/spend?days=1")
    assert told["periods"] == [
        {
            "period": "day",
            "spent_usd": 0.08,
            "spent_tokens": 420,
            "limit_usd": 10.0,
            "limit_tokens": None,
            "remaining_usd": 9.92,
            "remaining_tokens": None,
        },
        {
            "period": "month",
            "spent_usd": 0.24,
            "spent_tokens": 1260,
            "limit_usd": None,
            "limit_tokens": None,
            "remaining_usd": None,
            "remaining_tokens": None,
        },
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
