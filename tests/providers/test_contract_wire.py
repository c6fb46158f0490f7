from __future__ import annotations

import asyncio
import gzip
import json
import socket

import pytest

from exporter.providers.registry import ADAPTERS
from exporter.records import Answer, Charge, Reason
from tests.fakes import FakeClock
from tests.ports import free_port
from tests.providers.contract import Wording, ask, ask_and_look, ask_once, for_every_api, open_target, request
from tests.providers.loopback import STREAM_HEAD, Loopback, Received, holds, resets, response, says, sends
from tests.providers.replies import streams
from tests.providers.wordings import WORDINGS

TEXT = "ANSWER: 4"


def json_response(body: bytes, **headers: str) -> bytes:
    return response(200, body, {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}})


@for_every_api(WORDINGS)
def test_a_body_that_drips_ends_at_the_deadline(wording: Wording) -> None:
    body = json.dumps(wording.answer(TEXT)).encode()

    async def drip(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(json_response(b"", content_length=str(len(body))))
        for byte in body:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)

    answer, received = ask_and_look(wording, drip, timeout_seconds=0.2)
    assert answer.reason is Reason.TIMEOUT
    assert answer.charge is (Charge.UNKNOWN if received else answer.charge)
    assert answer.message.endswith(" within 0.2 s; raise request_timeout if this stays")


@for_every_api(WORDINGS)
@pytest.mark.parametrize("pieces", [(), (b"HTTP/1.1 200 OK\r\n",), (STREAM_HEAD,), (STREAM_HEAD, b": keep-alive\n\n")])
def test_silence_ends_at_the_deadline(wording: Wording, pieces: tuple[bytes, ...]) -> None:
    answer, received = ask_and_look(wording, holds(*pieces), timeout_seconds=0.2, stream=True)
    assert answer.reason is Reason.TIMEOUT
    assert answer.charge is (Charge.UNKNOWN if received else answer.charge)


@for_every_api([wording for wording in WORDINGS if wording.goodbye_events is not None])
def test_only_the_last_event_or_an_error_ends_the_reading_of_a_stream(wording: Wording) -> None:
    is_last = ADAPTERS[wording.api].is_last
    *others, last = streams(wording)(*wording.stream(TEXT)).events or ()
    assert not any(is_last(event) for event in others)
    assert is_last(last)
    assert all(is_last(event) for event in streams(wording)(wording.stream_error(500, "api_error", "No.")).events or ())


@for_every_api([wording for wording in WORDINGS if wording.goodbye_events is not None])
def test_what_follows_the_last_event_is_not_read(wording: Wording) -> None:
    events = b"".join(wording.stream(TEXT))
    for pieces in ((events, b"data: {odd\n\n"), (events + b"data: {odd\n\n",)):
        assert ask(wording, holds(wording.stream_head, *pieces), stream=True).text == TEXT


@for_every_api(WORDINGS)
def test_a_stream_that_never_says_goodbye_still_counts_once_it_has_given_its_reason(wording: Wording) -> None:
    events = wording.stream(TEXT)
    events = events[: len(events) - (wording.goodbye_events or 0)]
    for respond in (holds(wording.stream_head, *events), resets(wording.stream_head, *events)):
        answer = ask(wording, respond, stream=True, timeout_seconds=0.9)
        assert (answer.reason, answer.text) == (None, TEXT)


@for_every_api(WORDINGS)
def test_a_stream_that_stops_early_is_a_bad_response(wording: Wording) -> None:
    events = b"".join(wording.stream(TEXT))
    for body in (b"".join(wording.stream(TEXT)[:2]), events[: events.index(b"ANSW") + 2]):
        answer = ask(wording, sends(wording.stream_head, body), stream=True)
        assert (answer.reason, answer.charge, answer.text) == (Reason.BAD_RESPONSE, Charge.UNKNOWN, "")


@for_every_api(WORDINGS)
def test_a_stream_that_is_reset_is_a_network_failure(wording: Wording) -> None:
    answer = ask(wording, resets(wording.stream_head, *wording.stream(TEXT)[:2]), stream=True)
    assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.UNKNOWN)


@for_every_api(WORDINGS)
def test_a_stream_without_an_event_is_an_empty_response(wording: Wording) -> None:
    for body in (b"", b": nothing to say\n\n", b"data: [DONE]\n\n"):
        assert ask(wording, sends(wording.stream_head, body), stream=True).reason in (Reason.EMPTY_RESPONSE, Reason.BAD_RESPONSE)


@for_every_api(WORDINGS)
def test_a_stream_with_an_event_that_is_no_json_is_a_bad_response(wording: Wording) -> None:
    first, *rest = wording.stream(TEXT)
    for odd in (b'data: {"choices": [\n\n', b'data: {"x": "\xff\xfe"}\n\n'):
        answer = ask(wording, sends(wording.stream_head, first, odd, *rest), stream=True)
        assert (answer.reason, answer.message) == (Reason.BAD_RESPONSE, "the stream holds an event that is no JSON")


@for_every_api(WORDINGS)
def test_an_error_inside_a_stream_is_told_as_one(wording: Wording) -> None:
    pieces = [*wording.stream(TEXT)[:2], wording.stream_error(529, "overloaded_error", "Overloaded")]
    answer = ask(wording, holds(wording.stream_head, *pieces), stream=True)
    assert (answer.reason, answer.charge) == (Reason.OVERLOADED, Charge.UNKNOWN)
    assert "overloaded_error: Overloaded" in answer.message


@for_every_api(WORDINGS)
def test_nobody_listening_costs_nothing(wording: Wording) -> None:
    port = free_port()
    answer = ask(wording, says(200, {}), target={"base_url": f"http://127.0.0.1:{port}/v1"})
    assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.NOTHING)
    assert answer.message == f"cannot connect to 127.0.0.1:{port}: connection refused; check base_url"


@for_every_api(WORDINGS)
def test_a_name_that_does_not_exist_costs_nothing(wording: Wording, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", find_nobody)
    answer = ask(wording, says(200, {}), target={"base_url": "http://nobody.invalid/v1"})
    assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.NOTHING)
    assert answer.message == "cannot connect to nobody.invalid: the name cannot be resolved; check base_url"


@for_every_api(WORDINGS)
def test_a_server_that_does_not_speak_tls_costs_nothing(wording: Wording) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run() -> Answer:
        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
            base_url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            return await ask_once(wording, base_url)

    answer = asyncio.run(run())
    assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.NOTHING)
    assert answer.message.endswith(": TLS could not be agreed on; is the server speaking https?")


@for_every_api(WORDINGS)
def test_a_reset_after_sending_may_have_cost_something(wording: Wording) -> None:
    for pieces in ((), (json_response(b'{"id"', content_length="500"),)):
        answer = ask(wording, resets(*pieces))
        assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.UNKNOWN)


@for_every_api(WORDINGS)
def test_a_connection_closed_in_the_middle_is_a_network_failure(wording: Wording) -> None:
    for pieces in ((), (json_response(b'{"id"', content_length="500"),)):
        answer = ask(wording, sends(*pieces))
        assert (answer.reason, answer.charge) == (Reason.NETWORK, Charge.UNKNOWN)
        assert answer.message.endswith(" closed the connection in the middle")


@for_every_api(WORDINGS)
def test_a_server_of_another_protocol_is_a_bad_response(wording: Wording) -> None:
    answer = ask(wording, sends(b"220 mail.example.net ESMTP\r\n\r\n"))
    assert (answer.reason, answer.charge) == (Reason.BAD_RESPONSE, Charge.UNKNOWN)


@for_every_api(WORDINGS)
@pytest.mark.parametrize(
    ("body", "kind", "reason", "message"),
    [
        (b"<html>Hello</html>", "text/html; charset=utf-8", Reason.BAD_RESPONSE, "HTTP 200 with a body that is no JSON (text/html)"),
        (b'{"id": "x", "cho', "application/json", Reason.BAD_RESPONSE, "HTTP 200 with a body that is no JSON (application/json)"),
        (b'{"id": "\xff\xfe"}', "application/json", Reason.BAD_RESPONSE, "HTTP 200 with a body that is no JSON (application/json)"),
        (b"[" * 100_000, "application/json", Reason.BAD_RESPONSE, "HTTP 200 with a body that is no JSON (application/json)"),
        (
            b" \r\n",
            "application/json",
            Reason.EMPTY_RESPONSE,
            "HTTP 200 with an empty body; set stream: true if this server answers streams only",
        ),
        (b"", "", Reason.EMPTY_RESPONSE, "HTTP 200 with an empty body; set stream: true if this server answers streams only"),
        (b"", "application/x-ndjson", Reason.EMPTY_RESPONSE, "HTTP 200 with an empty body"),
    ],
    ids=["html", "cut off", "invalid utf-8", "too deep", "blank", "empty", "empty stream"],
)
def test_a_body_that_is_no_json_has_its_reason(wording: Wording, body: bytes, kind: str, reason: Reason, message: str) -> None:
    answer = ask(wording, sends(response(200, body, {"content-type": kind})))
    assert (answer.reason, answer.message, answer.charge) == (reason, message, Charge.UNKNOWN)


@for_every_api(WORDINGS)
def test_an_answer_with_no_content_at_all_is_empty(wording: Wording) -> None:
    assert ask(wording, sends(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")).reason is Reason.EMPTY_RESPONSE


@for_every_api(WORDINGS)
@pytest.mark.parametrize("payload", [None, 7, "ok", [], [1], {}, {"object": "list", "data": []}], ids=repr)
def test_json_that_is_no_answer_has_its_reason(wording: Wording, payload: object) -> None:
    assert ask(wording, says(200, payload)).reason in (Reason.BAD_RESPONSE, Reason.EMPTY_RESPONSE)


@for_every_api(WORDINGS)
def test_a_body_past_the_limit_is_given_up(wording: Wording) -> None:
    piece = b" " * 65_536
    answer = ask(wording, sends(json_response(b"", content_length=str(200 * 1024 * 1024)), *[piece] * 70))
    assert (answer.reason, answer.charge) == (Reason.BAD_RESPONSE, Charge.UNKNOWN)
    assert answer.message.endswith("sent a body larger than 4096 KiB")


@for_every_api(WORDINGS)
def test_a_packed_body_past_the_limit_is_given_up_before_it_is_unpacked(wording: Wording) -> None:
    bomb = gzip.compress(b" " * (64 * 1024 * 1024))
    assert len(bomb) < 100_000
    answer = ask(wording, sends(json_response(bomb, content_encoding="gzip")))
    assert answer.reason is Reason.BAD_RESPONSE
    assert answer.message.endswith("sent a body larger than 4096 KiB")


@for_every_api(WORDINGS)
def test_a_packed_answer_is_unpacked_though_nobody_asked_for_it(wording: Wording) -> None:
    packed = gzip.compress(json.dumps(wording.answer(TEXT)).encode())
    assert ask(wording, sends(json_response(packed, content_encoding="gzip"))).text == TEXT
    stream = gzip.compress(b"".join(wording.stream(TEXT)))
    head = wording.stream_head.replace(b"connection", b"content-encoding: gzip\r\nconnection")
    assert ask(wording, sends(head, stream), stream=True).text == TEXT


@for_every_api(WORDINGS)
@pytest.mark.parametrize(
    ("encoding", "words"),
    [("br", "packed as br, which was not asked for"), ("gzip, gzip", "packed as gzip, gzip, which"), ("gzip", "cannot be unpacked")],
)
def test_a_body_packed_in_another_way_is_a_bad_response(wording: Wording, encoding: str, words: str) -> None:
    answer = ask(wording, sends(json_response(b"\x00\x01\x02", content_encoding=encoding)))
    assert answer.reason is Reason.BAD_RESPONSE
    assert words in answer.message


@for_every_api(WORDINGS)
def test_a_status_of_failure_stands_though_its_body_breaks_off(wording: Wording) -> None:
    cut = response(401, b'{"error', {"content-type": "application/json"}, length=500)
    for respond in (sends(cut), resets(cut)):
        answer = ask(wording, respond)
        assert (answer.reason, answer.charge) == (Reason.AUTH, Charge.NOTHING)


@for_every_api(WORDINGS)
def test_latency_is_read_from_the_clock_it_was_given(wording: Wording) -> None:
    clock = FakeClock()

    async def respond(received: Received, writer: asyncio.StreamWriter) -> None:
        clock.advance(1.5)
        await says(200, wording.answer(TEXT))(received, writer)

    assert ask(wording, respond, clock=clock).latency_seconds == 1.5


@for_every_api(WORDINGS)
def test_a_request_that_is_called_off_stops_at_once(wording: Wording) -> None:
    async def run() -> None:
        async with Loopback(holds(wording.stream_head)) as server:
            provider = open_target(wording, server.url)
            asking = asyncio.create_task(provider.ask(request()))
            while not server.received:
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await provider.aclose()

    asyncio.run(run())


@for_every_api(WORDINGS)
def test_one_provider_answers_many_requests_at_a_time(wording: Wording) -> None:
    async def run() -> list[str]:
        async with Loopback(says(200, wording.answer(TEXT))) as server:
            provider = open_target(wording, server.url)
            answers = await asyncio.gather(*(provider.ask(request()) for _ in range(20)))
            await provider.aclose()
            return [answer.text for answer in answers]

    assert asyncio.run(run()) == [TEXT] * 20
