"""Each fault by name, as it comes over the wire."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from exporter.demo.behaviour import Behaviour
from exporter.demo.faults import FAULTS
from exporter.demo.mock import MockProvider, running_mock
from tests.demo.asking import Asker, events_of, text_of, with_mock
from tests.demo.questions import SUITE
from tests.ports import free_port

SHAPES = [
    ("rate_limited", "openai_chat", 429, '"code": "rate_limit_exceeded"'),
    ("rate_limited", "anthropic", 429, '"type": "rate_limit_error"'),
    ("rate_limited_as_string", "openai_chat", 429, '{"error": "Rate limit exceeded for this model"}'),
    ("quota", "openai_chat", 429, '"code": "insufficient_quota"'),
    ("quota", "anthropic", 402, "credit balance is too low"),
    ("payment_required", "openai_chat", 402, "Insufficient credits"),
    ("overloaded", "anthropic", 529, '"type": "overloaded_error"'),
    ("overloaded", "openai_chat", 503, "currently overloaded"),
    ("server_error", "anthropic", 500, '"type": "api_error"'),
    ("auth", "openai_chat", 401, '"code": "invalid_api_key"'),
    ("forbidden", "anthropic", 403, '"type": "permission_error"'),
    ("model_not_found", "openai_chat", 404, '"code": "model_not_found"'),
    ("model_not_found", "anthropic", 404, '"message": "model: model_not_found"'),
    ("unsupported_parameter", "openai_chat", 400, '"param": "temperature", "code": "unsupported_value"'),
    ("unsupported_parameter", "anthropic", 400, "`temperature` is not supported"),
    ("unsupported_parameter_as_500", "openai_chat", 500, '"code": "unsupported_value"'),
    ("unsupported_max_tokens", "openai_chat", 400, '"param": "max_tokens", "code": "unsupported_parameter"'),
    ("could_not_finish", "openai_chat", 400, "Could not finish the message because max_tokens"),
    ("content_filter_as_400", "openai_chat", 400, '"innererror"'),
    ("bad_request", "openai_chat", 400, "Invalid request."),
    ("too_large", "anthropic", 413, '"type": "request_too_large"'),
    ("timeout_408", "openai_chat", 408, "timed out"),
    ("conflict_409", "openai_chat", 409, "conflict"),
    ("too_early_425", "openai_chat", 425, "Too early"),
    ("html_502", "openai_chat", 502, "<title>502 Bad Gateway</title>"),
    ("truncated", "openai_chat", 200, '"content": "", "refusal": null}, "logprobs": null, "finish_reason": "length"'),
    ("truncated", "openai_chat", 200, '"completion_tokens_details": {"reasoning_tokens": 1024}'),
    ("truncated", "anthropic", 200, '"content": [], "stop_reason": "max_tokens"'),
    ("empty_response", "anthropic", 200, '"content": [], "stop_reason": "end_turn"'),
    ("no_choices", "openai_chat", 200, '"choices": [], "usage": {'),
    ("no_message", "openai_chat", 200, '"choices": [{"index": 0, "finish_reason": "stop"}], "usage": {'),
    ("error_in_200", "openai_chat", 200, '"code": 429'),
    ("error_in_choice", "openai_chat", 200, '"finish_reason": "error", "error": {"code": 502'),
    ("refusal", "openai_chat", 200, '"content": null, "refusal": "I can\'t help with that."'),
    ("refusal", "anthropic", 200, '"content": [], "stop_reason": "refusal"'),
    ("content_filter", "openai_chat", 200, '"finish_reason": "content_filter"'),
    ("unknown_stop", "anthropic", 200, '"stop_reason": "tuesday"'),
    ("null_answer", "openai_chat", 200, "null"),
    ("thinking_first", "anthropic", 200, '"content": [{"type": "thinking"'),
    ("unknown_fields", "openai_chat", 200, '"brand_new"'),
    ("html_200", "openai_chat", 200, "<title>Sign in</title>"),
    ("redirect", "openai_chat", 307, ""),
    ("choices_missing", "openai_chat", 200, '"system_fingerprint": null, "usage": {'),
    ("only_reasoning", "openai_chat", 200, '"content": "", "refusal": null, "reasoning_content": "ANSWER: not yet"'),
    ("null_fields", "openai_chat", 200, '{"id": null, "object": null, "created": null, "model": null,'),
    ("null_fields", "anthropic", 200, '"model": null, "content": [{"type": "text"'),
    ("odd_types", "openai_chat", 200, '{"id": ["a", 1], "object": ["a", 1], "created": "3", "model": ["a", 1],'),
    ("text_as_list", "openai_chat", 200, '"content": [{"type": "text", "text": "'),
    ("text_as_number", "openai_chat", 200, '"content": 42'),
    ("wrong_content_type", "anthropic", 200, '"type": "text"'),
    ("invalid_utf8", "anthropic", 200, '"id": "\ufffd'),
    ("duplicate_ids", "anthropic", 200, '"id": "msg_0"'),
    ("many_fingerprints", "openai_chat", 200, '"system_fingerprint": "fp_'),
]


def failing(name: str, **fields: Any) -> Mapping[str, Behaviour]:
    return {"m": Behaviour(faults={name: 1.0}, **fields)}


@pytest.fixture(scope="module")
def responses() -> dict[tuple[str, str], httpx.Response]:
    """The response to each row of the table: one mock for them all."""
    found = {}

    async def talk(asker: Asker) -> None:
        for name, api, _, _ in SHAPES:
            found[name, api] = await asker.ask(SUITE[0].prompt, api=api, model=name)

    with_mock(talk, {name: Behaviour(faults={name: 1.0}) for name in FAULTS})
    return found


@pytest.mark.parametrize(("name", "api", "status", "words"), SHAPES)
def test_a_fault_comes_as_its_provider_sends_it(
    name: str, api: str, status: int, words: str, responses: dict[tuple[str, str], httpx.Response]
) -> None:
    assert responses[name, api].status_code == status
    assert words in responses[name, api].text


@pytest.mark.parametrize("retry_after", ["2", "0.5", "Wed, 21 Oct 2026 07:28:00 GMT", "soon", None])
def test_retry_after_is_sent_as_it_was_set(retry_after: str | None) -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.ask("x")).headers.get("retry-after") == retry_after

    with_mock(talk, failing("rate_limited", retry_after=retry_after))


def test_a_fault_can_be_a_share_of_the_requests() -> None:
    async def talk(asker: Asker) -> None:
        statuses = [(await asker.ask(question.prompt)).status_code for question in SUITE]
        assert (statuses.count(200), statuses.count(429), statuses.count(500)) == (10, 4, 7)

    with_mock(talk, {"m": Behaviour(faults={"rate_limited": 0.25, "server_error": 0.25})})


@pytest.mark.parametrize(
    "name", ["thinking_first", "reasoning_in_content", "reasoning_half_in_content", "reasoning_outside_usage", "unknown_fields"]
)
def test_an_oddity_leaves_the_answer_in_the_response(name: str) -> None:
    async def talk(asker: Asker) -> None:
        api = "openai_chat" if "openai_chat" in FAULTS[name].apis else "anthropic"
        assert text_of((await asker.ask(SUITE[0].prompt, api=api)).json()).endswith("ANSWER: 2")

    with_mock(talk, failing(name))


def test_the_connection_is_reset_before_the_first_byte() -> None:
    async def talk(asker: Asker) -> None:
        with pytest.raises(httpx.ReadError):
            await asker.ask("x")
        assert (await asker.log())[0]["status"] == 0

    with_mock(talk, failing("reset"))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", ["close_early", "half_closed"])
def test_the_connection_is_closed_in_the_middle(name: str, stream: bool) -> None:
    async def talk(asker: Asker) -> None:
        with pytest.raises(httpx.RemoteProtocolError):
            await asker.ask(SUITE[0].prompt, stream=stream)

    with_mock(talk, failing(name))


def test_a_half_closed_connection_is_still_heard() -> None:
    async def talk(asker: Asker) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(asker.mock.url.rpartition(":")[2]))
        body = json.dumps(MESSAGE).encode()
        writer.write(b"POST /v1/messages HTTP/1.1\r\nhost: mock\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
        head, _, sent = (await reader.read()).partition(b"\r\n\r\n")
        assert b"HTTP/1.1 200 OK" in head
        assert 0 < len(sent) < int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
        writer.write(b"still heard")
        await writer.drain()
        writer.close()

    with_mock(talk, failing("half_closed"))


def test_one_port_of_a_client_may_have_connections_to_two_servers() -> None:
    async def open_from(port: int, mock: MockProvider) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        mine = socket.socket()
        mine.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        mine.bind(("127.0.0.1", port))
        mine.setblocking(False)
        await asyncio.get_running_loop().sock_connect(mine, ("127.0.0.1", int(mock.url.rpartition(":")[2])))
        return await asyncio.open_connection(sock=mine)

    async def run() -> None:
        body, port = json.dumps(MESSAGE).encode(), free_port()
        async with running_mock(SUITE, failing("close_early")) as first, running_mock(SUITE, {"m": Behaviour()}) as second:
            (reader, writer), (_, other) = await open_from(port, first), await open_from(port, second)
            async with asyncio.timeout(60):
                await ask_for_models(second)  # its connection is known by now
                writer.write(b"POST /v1/messages HTTP/1.1\r\nhost: mock\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
                assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")
            for each in (writer, other):
                each.close()
                await each.wait_closed()

    asyncio.run(run())


async def ask_for_models(mock: MockProvider) -> None:
    async with httpx.AsyncClient(base_url=mock.url, trust_env=False, timeout=60) as client:
        assert (await client.get("/v1/models")).status_code == 200


def test_silence_lasts_until_the_client_hangs_up() -> None:
    async def talk(asker: Asker) -> None:
        with pytest.raises(httpx.ReadTimeout):
            await asker.client.post("/v1/messages", json=MESSAGE, timeout=httpx.Timeout(60, read=0.2))
        assert (await asker.client.get("/v1/models")).status_code == 200

    with_mock(talk, failing("silence"))


def test_a_slow_drip_sends_one_byte_a_second() -> None:
    async def talk(asker: Asker) -> None:
        async with asker.client.stream("POST", "/v1/messages", json=MESSAGE) as response:
            got = [chunk async for chunk in response.aiter_raw()]
        assert json.loads(b"".join(got))["stop_reason"] == "end_turn"
        assert asker.clock.slept == [1.0] * len(b"".join(got))

    with_mock(talk, failing("slow_drip"))


def test_a_huge_body_is_eight_mebibytes() -> None:
    async def talk(asker: Asker) -> None:
        assert len((await asker.ask("x")).content) == 8 * 1024 * 1024

    with_mock(talk, failing("huge_body"))


@pytest.mark.parametrize("name", ["cut_off_json", "stream_cut"])
def test_a_cut_off_body_is_no_json_and_has_the_length_it_promises(name: str) -> None:
    async def talk(asker: Asker) -> None:
        response = await asker.ask("x")
        with pytest.raises(json.JSONDecodeError):
            response.json()
        assert int(response.headers["content-length"]) == len(response.content)

    with_mock(talk, failing(name))


def test_a_cut_stream_stops_without_its_last_events() -> None:
    async def talk(asker: Asker) -> None:
        events = events_of((await asker.ask(SUITE[0].prompt, api="anthropic", stream=True)).text)
        assert events[0][0] == "message_start"
        assert "message_stop" not in dict(events)

    with_mock(talk, failing("stream_cut"))


@pytest.mark.parametrize("api", ["openai_chat", "anthropic"])
def test_a_stream_can_carry_an_error(api: str) -> None:
    async def talk(asker: Asker) -> None:
        name, data = events_of((await asker.ask(SUITE[0].prompt, api=api, stream=True)).text)[-1]
        assert (name, data["error"]["type"]) == ("message" if api == "openai_chat" else "error", "overloaded_error")

    with_mock(talk, failing("stream_error"))


def test_a_gateway_that_only_streams_turns_plain_requests_away() -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.ask("x")).status_code == 400
        assert (await asker.ask("x", stream=True)).status_code == 200

    with_mock(talk, failing("stream_required"))


def test_a_fault_that_an_api_cannot_have_is_none_there() -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.ask("x", api="anthropic")).status_code == 200

    with_mock(talk, failing("no_choices"))


def test_two_faults_cannot_have_one_name() -> None:
    from exporter.demo.faults.registry import fault

    with pytest.raises(ValueError, match="two faults named reset"):
        fault("reset", None)(FAULTS["reset"].bend)


MESSAGE = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "x"}]}
