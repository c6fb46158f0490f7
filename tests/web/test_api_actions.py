from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.web import Outcome, OutcomeKind
from tests.web.api_world import BOT, refusal
from tests.web.fake_state import FakeState, request

ACTIONS = ["check", "reset"]


@pytest.fixture
def state() -> FakeState:
    return FakeState(lifecycle=True)


def post(state: FakeState, path: str) -> tuple[int, dict[str, Any]]:
    response = request(state, "POST", path)
    return response.status_code, json.loads(response.text)


def test_a_check_is_begun_and_its_link_is_told(state: FakeState) -> None:
    status, document = post(state, f"{BOT}/check")
    assert (status, document["status"]) == (202, "success")
    assert document["data"] == {
        "target": "support-bot",
        "message": "a check of support-bot has begun",
        "check_id": 7,
        "link": f"{BOT}/checks/7",
    }
    assert request(state, "POST", f"{BOT}/check").headers["location"] == f"{BOT}/checks/7"
    assert state.actions == [("check", "support-bot", "127.0.0.1")] * 2


def test_a_new_baseline_is_begun(state: FakeState) -> None:
    status, document = post(state, f"{BOT}/reset")
    message = "a new baseline of support-bot starts with the next check"
    assert (status, document["data"]) == (200, {"target": "support-bot", "message": message, "check_id": None, "link": None})
    assert state.actions == [("reset", "support-bot", "127.0.0.1")]


@pytest.mark.parametrize("action", ACTIONS)
def test_without_lifecycle_nothing_is_done(action: str) -> None:
    state = FakeState()
    said = "actions over HTTP are off; start with --web.enable-lifecycle, or use the command line"
    assert refusal(state, f"{BOT}/{action}", "POST") == (403, "forbidden", said)
    assert state.actions == []


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}],
)
def test_a_page_of_another_site_gets_nothing_done(state: FakeState, action: str, headers: dict[str, str]) -> None:
    assert refusal(state, f"{BOT}/{action}", "POST", **headers) == (403, "forbidden", "not from a page of another site")
    assert state.actions == []


@pytest.mark.parametrize("action", ACTIONS)
def test_a_target_that_is_not_there_is_404(state: FakeState, action: str) -> None:
    assert refusal(state, f"/api/v1/targets/nobody/{action}", "POST") == (404, "not_found", 'there is no target "nobody"')


@pytest.mark.parametrize("action", ACTIONS)
def test_a_parameter_is_refused_before_anything_is_done(state: FakeState, action: str) -> None:
    refused = refusal(state, f"{BOT}/{action}?force=1", "POST")
    assert refused == (400, "bad_data", '"force": no such parameter; none is taken here')
    assert state.actions == []


def test_a_check_under_way_is_409_and_is_named(state: FakeState) -> None:
    state.outcome = Outcome(OutcomeKind.UNDER_WAY, "check 6 of support-bot is under way", 6)
    status, document = post(state, f"{BOT}/check")
    assert status == 409
    assert document == {
        "status": "error",
        "errorType": "conflict",
        "error": "check 6 of support-bot is under way",
        "data": {"target": "support-bot", "message": "check 6 of support-bot is under way", "check_id": 6, "link": f"{BOT}/checks/6"},
    }


@pytest.mark.parametrize("action", ACTIONS)
def test_a_store_that_does_not_do_its_part_is_503(state: FakeState, action: str) -> None:
    state.outcome = Outcome(OutcomeKind.UNAVAILABLE, "history.db: is locked; stop the other program")
    assert refusal(state, f"{BOT}/{action}", "POST") == (503, "unavailable", "history.db: is locked; stop the other program")
