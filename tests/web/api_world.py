"""A client for the API: what it answers, with the envelope taken off and looked at."""

from __future__ import annotations

import json
from typing import Any

from exporter.records import Reason
from exporter.store import Store
from tests.store.facts import a_grade, do_check, finish_check, reserve, settle, start_run
from tests.web.fake_state import FakeState, get, request

BOT = "/api/v1/targets/support-bot"


def data(state: FakeState, path: str) -> Any:
    """What is answered where all is well."""
    response = get(state, path)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json"), response.text
    document = json.loads(response.text)
    assert document.keys() == {"status", "data"}
    assert document["status"] == "success"
    return document["data"]


def refusal(state: FakeState, path: str, method: str = "GET", **headers: str) -> tuple[int, str, str]:
    """Status, errorType and error of what is not answered."""
    response = request(state, method, path, {name.replace("_", "-"): value for name, value in headers.items()})
    assert response.headers["content-type"] == "application/json"
    document = json.loads(response.text)
    assert document["status"] == "error"
    return response.status_code, document["errorType"], document["error"]


def check(store: Store, due_at: float, **changes: Any) -> int:
    """A whole check of two questions of the first target; its id."""
    return do_check(store, "support-bot", due_at, **changes).check_id


def check_with_tries(store: Store, due_at: float, **changes: Any) -> int:
    """A check in which a question is right at its second try, and another one cannot be used; its id."""
    run = start_run(store, "support-bot", due_at)
    unusable = a_grade(
        "q2", right=None, reason=Reason.TRUNCATED, message="cut off at <b>512</b> tokens", input_tokens=None, output_tokens=512
    )
    for grade in (a_grade("q1", right=False), a_grade("q1", attempt=2, area="japanese"), unusable):
        settle(store, reserve(store, run, now=due_at), grade=grade, now=due_at)
    return finish_check(store, run, now=due_at + 60, **changes).check_id
