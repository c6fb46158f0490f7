from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.metrics import MetricsView
from exporter.reports import as_dict
from tests.metrics.snapshots import NOW, collecting, drifted
from tests.web.api_world import BOT, data
from tests.web.fake_state import FakeState


def targets(state: FakeState, query: str = "") -> list[dict[str, Any]]:
    return data(state, f"/api/v1/targets{query}")["targets"]  # type: ignore[no-any-return]  # JSON has no types


def test_targets_are_listed_in_the_order_of_the_config() -> None:
    assert [one["target"] for one in targets(FakeState())] == ["support-bot", "new-model", "summaries"]


def test_a_target_says_what_it_is_when_it_is_checked_and_what_stands() -> None:
    first = targets(FakeState())[0]
    assert first.pop("verdict") == {
        "headline": "Drift: accuracy 75 % against 94 % in the baseline (-18.8 points), confirmed by 2 checks in a row and conclusive.",
        "next_step": first_verdict()["next_step"],
        "decided_at": NOW - 600,
        "kind": "drift",
        "standing": "drift",
        "reason": None,
        "confirmed": ["accuracy", "trend"],
        "conclusive": ["accuracy"],
        "protocol": "a1b2c3d4",
        "runs": 2,
        "questions_asked": 61,
        "accuracy_ratio": 0.75,
        "baseline_ratio": 0.9375,
        "change_ratio": -0.1875,
        "change_lower_ratio": -0.28,
        "change_upper_ratio": -0.095,
        "accuracy_p_value": 0.00025,
        "trend_p_value": 0.0006,
        "tokens_p_value": 0.31,
        "accuracy_threshold": 0.004,
        "trend_threshold": 0.001,
        "tokens_threshold": 0.01,
        "token_shift_ratio": 1.03,
        "input_token_shift_ratio": 1.0,
        "refusal_ratio": 0.0,
        "truncated_ratio": 0.03125,
        "reasoning_in_content_ratio": 0.0,
        "unusable_ratio": 0.03125,
        "lost": 2,
        "gained": 0,
        "measurement_errors": 0,
        "failed_checks": 0,
        "baseline_runs": 15,
        "spend_usd": None,
        "spend_tokens": 0,
    }
    assert first == {
        "target": "support-bot",
        "provider": "openai",
        "api": "openai_chat",
        "model": "gpt-5.5",
        "suites": ["core", "./our-questions.yml"],
        "protocol": "a1b2c3d4",
        "identity_evidence": "strong",
        "labels": {"team": "support"},
        "page": "/targets/support-bot",
        "link": BOT,
        "standing": "drift",
        "verdict_changed_at": NOW - 86_400,
        "last_check_at": NOW - 600,
        "last_success_at": NOW - 600,
        "next_check_at": NOW + 42_600,
        "check_in_progress": False,
        "confirmation_pending": False,
    }


def first_verdict() -> dict[str, Any]:
    verdict = drifted().verdict
    assert verdict is not None
    return json.loads(json.dumps(as_dict(verdict)))  # type: ignore[no-any-return]  # JSON has no types


def test_before_the_first_check_there_is_no_verdict_and_it_is_collecting() -> None:
    new = targets(FakeState())[1]
    assert (new["verdict"], new["standing"]) == (None, "collecting")


def test_targets_can_be_asked_for_by_their_verdict() -> None:
    assert [one["target"] for one in targets(FakeState(), "?verdict=drift")] == ["support-bot"]
    assert [one["target"] for one in targets(FakeState(), "?verdict=collecting&verdict=measurement_failed")] == ["new-model", "summaries"]
    assert targets(FakeState(), "?verdict=improved") == []


def test_one_target_is_told_in_full() -> None:
    whole = data(FakeState(), BOT)
    listed = targets(FakeState())[0]
    assert whole["verdict"] == first_verdict()
    assert whole["verdict"]["baseline"]["runs"] == 15
    assert whole["verdict"]["flips"][0] == {"versus": "reference", "lost": ["long-multiplication", "letters-1"], "gained": []}
    assert {name: whole[name] for name in listed if name != "verdict"} == {name: listed[name] for name in listed if name != "verdict"}
    assert {name: whole[name] for name in whole if name not in listed} == {
        "confirm_at": None,
        "last_duration_seconds": 61.5,
        "areas": ["reasoning", "japanese"],
        "question_ids": ["long-multiplication", "letters-1", "kana-2"],
        "runs_required": 5,
        "served": [
            {"identity": "gpt-5.5-2026-09-01", "fingerprint": "fp_2", "share_ratio": 0.96875, "in_baseline": True},
            {"identity": "gpt-5.5-2026-06-01", "fingerprint": None, "share_ratio": 0.03125, "in_baseline": False},
        ],
        "served_changed_at": NOW - 400_000,
        "price_known": True,
        "check_estimate_usd": 0.11,
        "spend": [
            {
                "period": "check",
                "spent_usd": 0.21,
                "spent_tokens": 21_000,
                "limit_usd": 0.5,
                "limit_tokens": 120_000,
                "remaining_usd": pytest.approx(0.29),
                "remaining_tokens": 99_000,
            },
            {
                "period": "day",
                "spent_usd": 0.21,
                "spent_tokens": 21_000,
                "limit_usd": 5.0,
                "limit_tokens": None,
                "remaining_usd": pytest.approx(4.79),
                "remaining_tokens": None,
            },
            {
                "period": "month",
                "spent_usd": 2.5125,
                "spent_tokens": 240_000,
                "limit_usd": 50.0,
                "limit_tokens": None,
                "remaining_usd": 47.4875,
                "remaining_tokens": None,
            },
        ],
        "counters": {
            "measurement_errors": {"truncated": 3},
            "checks": {"stable": 27, "drift": 2},
            "requests": 1200,
            "request_failures": {"rate_limited": 4, "truncated": 3},
            "input_tokens": 90_000,
            "output_tokens": 240_000,
            "reasoning_tokens": 180_000,
            "spend_usd": 2.5125,
            "spend_estimated_usd": 0.0125,
        },
        "read_at": NOW,
        "links": {name: f"{BOT}/{name}" for name in ("checks", "verdicts", "errors", "spend")},
    }


def test_an_empty_config_has_no_targets() -> None:
    assert targets(FakeState(MetricsView(read_at=NOW))) == []
    assert data(FakeState(MetricsView(snapshots=(collecting(),))), "/api/v1/targets/new-model")["verdict"] is None
