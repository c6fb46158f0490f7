from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

from exporter.metrics import MetricsView
from exporter.reports import as_dict
from tests.metrics.snapshots import NOW, drifted, named
from tests.web.fake_state import FakeState, get


def targets(state: FakeState) -> list[dict[str, Any]]:
    response = get(state, "/api/v1/targets")
    assert response.headers["content-type"] == "application/json"
    document = json.loads(response.text)
    assert document["status"] == "success"
    return document["data"]["targets"]  # type: ignore[no-any-return]  # JSON has no types


def test_targets_are_listed_in_the_order_of_the_config() -> None:
    assert [one["target"] for one in targets(FakeState())] == ["support-bot", "new-model", "summaries"]


def test_a_target_says_what_it_is_when_it_is_checked_and_what_stands() -> None:
    first = targets(FakeState())[0]
    verdict = first.pop("verdict")
    assert drifted().verdict is not None
    assert verdict == json.loads(json.dumps(as_dict(drifted().verdict)))
    assert verdict["standing"] == "drift"
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
        "verdict_changed_at": NOW - 86_400,
        "last_check_at": NOW - 600,
        "last_success_at": NOW - 600,
        "next_check_at": NOW + 42_600,
        "check_in_progress": False,
        "confirmation_pending": False,
    }


def test_before_the_first_check_there_is_no_verdict() -> None:
    assert targets(FakeState())[1]["verdict"] is None


def test_what_json_has_no_word_for_is_null() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    odd = named("a", verdict=replace(verdict, token_shift_ratio=math.inf, input_token_shift_ratio=math.nan, notes=("\ud83d",)))
    (shown,) = targets(FakeState(MetricsView(snapshots=(odd,))))
    assert shown["verdict"]["token_shift_ratio"] is None
    assert shown["verdict"]["input_token_shift_ratio"] is None
    assert shown["verdict"]["notes"] == ["\ud83d"]


def test_the_page_of_a_target_is_a_path_that_works() -> None:
    state = FakeState(MetricsView(snapshots=(named("a/b c"),)))
    (shown,) = targets(state)
    assert shown["page"] == "/targets/a%2Fb%20c"
    assert get(state, shown["page"]).status_code == 200
