from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace

import pytest

from exporter.errors import ConfigError, Problem
from exporter.providers.registry import ADAPTERS
from exporter.records import Charge, Reason
from tests.providers.contract import KEY, Wording, ask, ask_and_look, ask_once, for_every_api, open_target, posted, request
from tests.providers.loopback import Loopback, response, says, sends
from tests.providers.wordings import WORDINGS


@for_every_api(WORDINGS)
def test_the_key_goes_into_its_header_and_nowhere_else(wording: Wording) -> None:
    _, received = ask_and_look(wording, says(200, wording.answer("4")))
    name, value = wording.key_header
    assert received[0].headers[name] == value
    bearer = {"authorization"} if ADAPTERS[wording.api].bearer_elsewhere else set()
    assert {header for header, value in received[0].headers.items() if KEY in value} == {name} | bearer
    assert KEY not in received[0].path
    assert KEY.encode() not in received[0].body


@for_every_api(WORDINGS)
def test_without_a_key_no_key_header_is_sent(wording: Wording) -> None:
    _, received = ask_and_look(wording, says(200, wording.answer("4")), read_key=lambda: None)
    assert wording.key_header[0] not in received[0].headers


@for_every_api(WORDINGS)
def test_the_headers_of_the_target_win(wording: Wording) -> None:
    headers = {"X-Team": "support", wording.key_header[0].title(): "another"}
    _, received = ask_and_look(wording, says(200, wording.answer("4")), target={"headers": headers})
    assert received[0].headers["x-team"] == "support"
    assert received[0].headers[wording.key_header[0]] == "another"


@for_every_api(WORDINGS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_stays_here(wording: Wording, status: int) -> None:
    async def run() -> None:
        async with Loopback(says(200, wording.answer("4"))) as other:
            moved = response(status, b"", {"location": f"{other.url}/v1?key={KEY}"})
            async with Loopback(sends(moved)) as server:
                answer = await ask_once(wording, server.url)
            assert other.received == []
            assert (answer.reason, answer.charge) == (Reason.BAD_REQUEST, Charge.NOTHING)
            assert answer.message == f"HTTP {status}: a redirect, which is not followed; set base_url to the final address"

    asyncio.run(run())


ECHOES = [
    f"Incorrect API key provided: {KEY}.",
    f"Authorization: Bearer {KEY}",
    f"{KEY[:-1]}****",
    f"{'x' * 230} {KEY} and more",
    base64.b64encode(KEY.encode()).decode(),
    "Bearer some-other-token-123",
    "key AIzaSyA-1234567890abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
]


@for_every_api(WORDINGS)
@pytest.mark.parametrize("echo", ECHOES)
def test_a_key_that_is_echoed_is_masked(wording: Wording, echo: str) -> None:
    body = wording.error(400, "invalid_request_error", f"No: {echo}")
    for respond in (says(400, body), says(200, body), says(400, echo.encode()), says(400, {"detail": echo}, {"request-id": echo})):
        answer = ask(wording, respond)
        for secret in (KEY, KEY[3:], KEY[3:19], "some-other-token", "SyA-1234", "eyJzdWI", base64.b64encode(KEY.encode()).decode()[:20]):
            assert secret not in repr(answer)
        assert "<secret>" in answer.message or echo.startswith("xxx")


@for_every_api(WORDINGS)
def test_a_long_key_leaves_no_piece_of_itself_where_a_message_is_cut(wording: Wording) -> None:
    key = "0a1b2c3d" * 40
    error = wording.error(400, "unsupported_value", f"{'x' * 200}{key}")
    answer = ask(wording, says(400, error, {"request-id": key}), read_key=lambda: key)
    assert "0a1b2c3d" not in answer.message
    assert answer.message.endswith("; request <secret>")


@for_every_api(WORDINGS)
def test_a_key_that_is_echoed_inside_a_stream_is_masked(wording: Wording) -> None:
    answer = ask(wording, sends(wording.stream_head, wording.stream_error(401, "authentication_error", f"bad key {KEY}")), stream=True)
    assert answer.reason is Reason.AUTH
    assert KEY not in repr(answer)


@for_every_api([wording for wording in WORDINGS if wording.served])
def test_a_model_that_is_called_by_the_key_is_not(wording: Wording) -> None:
    named = json.dumps(wording.answer("4")).replace('"model-1"', f'"model-{KEY}"').replace('"fp_1"', f'"{KEY[:-2]}"')
    lookup = json.loads(json.dumps(wording.looked_up).replace("sha256:", KEY)) if wording.looked_up else None
    answer = ask(replace(wording, looked_up=lookup), says(200, named.encode()))
    assert answer.identity.served_model == "model-<secret>"
    assert KEY[:-2] not in repr(answer)


@for_every_api(WORDINGS)
def test_secret_headers_and_what_the_url_hides_are_masked(wording: Wording) -> None:
    async def run() -> str:
        echo = wording.error(400, "", "gateway-secret hunter2hunter2 cf-token-value not-a-secret")
        async with Loopback(says(400, echo)) as server:
            base_url = server.url.replace("http://", "http://user:hunter2hunter2@") + "/v1?token=gateway-secret"
            answer = await ask_once(wording, base_url, headers={"CF-Access-Client-Secret": "cf-token-value", "X-Team": "not-a-secret"})
            assert server.received[0].path == f"{wording.path}?token=gateway-secret"
            assert server.received[0].headers["authorization"] == f"Basic {base64.b64encode(b'user:hunter2hunter2').decode()}"
            return answer.message

    assert "<secret> <secret> <secret> not-a-secret" in asyncio.run(run())


@for_every_api(WORDINGS)
def test_a_prompt_that_is_echoed_is_masked(wording: Wording) -> None:
    answer = ask(wording, says(400, wording.error(400, "", "cannot answer: What is 2 + 2?")))
    assert "What is" not in answer.message


@for_every_api(WORDINGS)
@pytest.mark.parametrize("key", [f"{KEY}\nx", f"{KEY}\r\nHost: evil", f"{KEY}\x00", f"{KEY}…"])
def test_a_key_that_no_header_can_carry_is_told_without_the_key(wording: Wording, key: str) -> None:
    answer = ask(wording, says(200, wording.answer("4")), read_key=lambda: key)
    assert (answer.reason, answer.charge) == (Reason.BAD_REQUEST, Charge.NOTHING)
    assert answer.message == "the request cannot be written: a character in the key or a header, or a value in extra_body"


@for_every_api(WORDINGS)
@pytest.mark.parametrize("value", [float("nan"), {1, 2}, "\ud800"], ids=["nan", "set", "surrogate"])
def test_an_extra_that_json_cannot_carry_is_a_bad_request(wording: Wording, value: object) -> None:
    answer = ask(wording, says(200, wording.answer("4")), extra_body={"x": value})
    assert (answer.reason, answer.charge) == (Reason.BAD_REQUEST, Charge.NOTHING)


@for_every_api(WORDINGS)
def test_a_key_that_cannot_be_read_is_an_answer_and_nothing_is_sent(wording: Wording) -> None:
    def read_key() -> str:
        raise ConfigError(Problem("target bot.api_key_file", "cannot be read", "mount the secret"))

    answer, received = ask_and_look(wording, says(200, wording.answer("4")), read_key=read_key)
    assert (answer.reason, answer.charge) == (Reason.AUTH, Charge.NOTHING)
    assert answer.message == "target bot.api_key_file: cannot be read; mount the secret"
    assert received == []


@for_every_api(WORDINGS)
def test_a_key_that_was_changed_is_taken_up_by_the_next_request(wording: Wording) -> None:
    async def run() -> list[str]:
        keys = iter(["first-key", "second-key"])
        async with Loopback(says(200, wording.answer("4"))) as server:
            provider = open_target(wording, server.url, lambda: next(keys))
            await provider.ask(request())
            await provider.ask(request())
            await provider.aclose()
            return [received.headers[wording.key_header[0]].removeprefix("Bearer ") for received in posted(server)]

    assert asyncio.run(run()) == ["first-key", "second-key"]
