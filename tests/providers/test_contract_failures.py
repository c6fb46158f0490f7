from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.hints import hint_key
from exporter.providers.registry import ADAPTERS
from exporter.records import Charge, Reason
from tests.fakes import FakeClock
from tests.providers.contract import Wording, ask, for_every_api
from tests.providers.loopback import says, sends
from tests.providers.wordings import WORDINGS


@for_every_api(WORDINGS)
@pytest.mark.parametrize(
    ("status", "code", "reason", "charge"),
    [
        (400, "invalid_request_error", Reason.BAD_REQUEST, Charge.NOTHING),
        (401, "authentication_error", Reason.AUTH, Charge.NOTHING),
        (402, "billing_error", Reason.QUOTA, Charge.NOTHING),
        (403, "permission_error", Reason.AUTH, Charge.NOTHING),
        (404, "not_found_error", Reason.MODEL_NOT_FOUND, Charge.NOTHING),
        (405, "", Reason.BAD_REQUEST, Charge.NOTHING),
        (408, "", Reason.TIMEOUT, Charge.UNKNOWN),
        (409, "conflict_error", Reason.SERVER_ERROR, Charge.UNKNOWN),
        (413, "request_too_large", Reason.BAD_REQUEST, Charge.NOTHING),
        (418, "", Reason.BAD_REQUEST, Charge.NOTHING),
        (422, "", Reason.BAD_REQUEST, Charge.NOTHING),
        (425, "", Reason.SERVER_ERROR, Charge.UNKNOWN),
        (429, "rate_limit_error", Reason.RATE_LIMITED, Charge.NOTHING),
        (429, "insufficient_quota", Reason.QUOTA, Charge.NOTHING),
        (500, "api_error", Reason.SERVER_ERROR, Charge.UNKNOWN),
        (500, "unsupported_value", Reason.UNSUPPORTED_PARAMETER, Charge.NOTHING),
        (502, "", Reason.SERVER_ERROR, Charge.UNKNOWN),
        (503, "", Reason.SERVER_ERROR, Charge.UNKNOWN),
        (504, "timeout_error", Reason.TIMEOUT, Charge.UNKNOWN),
        (524, "", Reason.TIMEOUT, Charge.UNKNOWN),
        (529, "overloaded_error", Reason.OVERLOADED, Charge.NOTHING),
        (599, "", Reason.SERVER_ERROR, Charge.UNKNOWN),
    ],
)
def test_every_status_has_its_reason(wording: Wording, status: int, code: str, reason: Reason, charge: Charge) -> None:
    answer = ask(wording, says(status, wording.error(status, code, "No.")))
    assert (answer.reason, answer.charge, answer.usage, answer.text) == (reason, charge, None, "")
    assert f"HTTP {status}" in answer.message


@for_every_api(WORDINGS)
@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b'"no"', b"{", b"\xff", b"<html>", b'{"error": []}', b'{"error": 7}'])
def test_a_status_has_its_reason_whatever_its_body(wording: Wording, body: bytes) -> None:
    assert ask(wording, says(401, body)).reason is Reason.AUTH
    assert ask(wording, says(429, body)).reason is Reason.RATE_LIMITED
    assert ask(wording, says(502, body)).reason is Reason.SERVER_ERROR


@for_every_api(WORDINGS)
def test_the_title_of_an_error_page_is_told(wording: Wording) -> None:
    page = b"<!doctype html><html><head><TITLE>\n502 Bad  Gateway</title></head><body>nginx</body></html>"
    answer = ask(wording, says(502, page, {"content-type": "text/html"}))
    assert answer.message == "HTTP 502: a web page instead of an answer: 502 Bad Gateway"


@for_every_api(WORDINGS)
def test_a_long_message_leaves_room_for_what_to_do(wording: Wording) -> None:
    answer = ask(wording, says(401, wording.error(401, "", "x" * 5000), {"request-id": "req_7"}))
    assert len(answer.message) == 256
    assert "x…; no key is configured; set api_key_env: " in answer.message
    assert answer.message.endswith(", or api_key_file; request req_7")


@for_every_api(WORDINGS)
@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"api_key_env": "BOT_KEY"}, "check the key in the variable BOT_KEY (api_key_env)"),
        ({"api_key_file": "/run/secrets/bot"}, "check the key in api_key_file /run/secrets/bot"),
        ({"api_key_file": f"/{'a' * 300}/bot"}, f"check the key in api_key_file …{'a' * 75}/bot"),
        ({"headers": {"X-Gateway-Key": "hidden-in-plain-sight"}}, "check the key in headers"),
        ({}, "no key is configured; set api_key_env: {}, or api_key_file"),
    ],
    ids=["variable", "file", "long path", "header", "none"],
)
def test_a_key_that_is_refused_is_told_by_where_it_came_from(wording: Wording, settings: dict[str, Any], advice: str) -> None:
    plain = ask(wording, says(401, wording.error(401, "invalid_api_key", "No.")), target=settings)
    refused = sends(wording.stream_head, wording.stream_error(401, "authentication_error", "No."))
    for answer in (plain, ask(wording, refused, target=settings, stream=True)):
        assert answer.reason is Reason.AUTH
        assert advice.format(ADAPTERS[wording.api].key_env) in answer.message


def test_the_variable_of_a_known_host_is_named_rather_than_that_of_its_api() -> None:
    target = Target(name="bot", api="openai_chat", model="m")
    for base_url, variable in (("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"), ("http://localhost:8000/v1", "OPENAI_API_KEY")):
        assert hint_key(target, base_url, "OPENAI_API_KEY") == f"no key is configured; set api_key_env: {variable}, or api_key_file"


@for_every_api(WORDINGS)
def test_a_message_is_one_line(wording: Wording) -> None:
    answer = ask(wording, says(400, wording.error(400, "", "one\r\n two\x1b[31m\u202e three")))
    assert answer.message.endswith("one two [31m three")


NOW = 1_800_000_000.0


@for_every_api(WORDINGS)
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": format_datetime(datetime.fromtimestamp(NOW + 30, UTC), usegmt=True)}, 30.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_a_wait_that_is_asked_for_is_passed_on(wording: Wording, headers: dict[str, str], seconds: float | None) -> None:
    answer = ask(wording, says(429, wording.error(429, "", "Slow down"), headers), clock=FakeClock(NOW))
    assert answer.retry_after_seconds == seconds


@for_every_api(WORDINGS)
def test_a_replayed_answer_is_known_as_one(wording: Wording) -> None:
    payload = wording.answer("ANSWER: 4")
    assert ask(wording, says(200, payload, {"cf-aig-cache-status": "HIT"})).cached
    assert not ask(wording, says(200, payload, {"cf-aig-cache-status": "MISS"})).cached
