from __future__ import annotations

from typing import Any

import pytest

from exporter.providers.registry import ADAPTERS
from exporter.records import Charge, Reason, ToolCall, ToolSpec, Usage
from tests.providers.contract import Wording, ask, ask_and_look, for_every_api
from tests.providers.loopback import STREAM_HEAD, says, sends
from tests.providers.wordings import WORDINGS

TEXT = "Two and two are four. 日本語も。\nANSWER: 4"
USAGE = Usage(input_tokens=12, output_tokens=3)
TOOL = ToolSpec("weather", "Tells the weather", {"type": "object", "properties": {"city": {"type": "string"}}})


def test_every_api_that_is_built_has_a_wording() -> None:
    assert {wording.api for wording in WORDINGS} == set(ADAPTERS)


@for_every_api(WORDINGS)
def test_a_good_answer_is_usable(wording: Wording) -> None:
    answer = ask(wording, says(200, wording.answer(TEXT)))
    assert (answer.reason, answer.message) == (None, "")
    assert answer.text == TEXT
    assert answer.usage == USAGE
    assert answer.charge is Charge.REPORTED
    assert answer.identity.served_model == wording.served
    assert answer.finish_reason is not None
    assert not answer.reasoning_in_content
    assert not answer.cached


@for_every_api(WORDINGS)
def test_a_streamed_answer_is_the_plain_one(wording: Wording) -> None:
    plain = ask(wording, says(200, wording.answer(TEXT)))
    streamed = ask(wording, sends(wording.stream_head, *wording.stream(TEXT)), stream=True)
    assert streamed == plain


@for_every_api([wording for wording in WORDINGS if wording.stream_head == STREAM_HEAD])
def test_a_stream_may_come_in_any_pieces_and_line_ends(wording: Wording) -> None:
    events = b": a comment\n\n" + b"".join(wording.stream(TEXT))
    plain = ask(wording, says(200, wording.answer(TEXT)))
    for body in (events, events.replace(b"\n", b"\r\n"), events.replace(b"\n", b"\r")):
        assert ask(wording, sends(wording.stream_head, *(body[i : i + 1] for i in range(len(body)))), stream=True) == plain


@for_every_api(WORDINGS)
def test_a_stream_is_read_whatever_its_content_type_says(wording: Wording) -> None:
    head = wording.stream_head.replace(b"text/event-stream", b"application/json").replace(b"application/x-ndjson", b"application/json")
    assert ask(wording, sends(head, *wording.stream(TEXT)), stream=True).text == TEXT


@for_every_api(WORDINGS)
def test_a_plain_answer_to_a_request_for_a_stream_is_read(wording: Wording) -> None:
    for kind in ("application/json", "text/event-stream", "text/plain"):
        assert ask(wording, says(200, wording.answer(TEXT), {"content-type": kind}), stream=True).text == TEXT


@for_every_api(WORDINGS)
def test_an_answer_that_was_cut_off_is_truncated_and_says_what_to_raise(wording: Wording) -> None:
    answer = ask(wording, says(200, wording.stopped("Two and", wording.truncated_word)))
    assert (answer.reason, answer.message) == (Reason.TRUNCATED, "cut off at the token limit; raise max_tokens_scale")
    assert (answer.usage, answer.charge) == (USAGE, Charge.REPORTED)


@for_every_api(WORDINGS)
def test_a_truncated_answer_without_a_word_is_truncated_too(wording: Wording) -> None:
    assert ask(wording, says(200, wording.stopped("", wording.truncated_word))).reason is Reason.TRUNCATED


@for_every_api([wording for wording in WORDINGS if wording.refusal])
def test_a_refusal_is_a_refusal(wording: Wording) -> None:
    answer = ask(wording, says(200, wording.refusal))
    assert answer.reason is Reason.REFUSAL
    assert answer.message.startswith("the model refused")
    assert answer.identity.served_model == wording.served


@for_every_api(WORDINGS)
@pytest.mark.parametrize("text", ["", " \n ", "<think>Two and two.</think>\n"])
def test_an_answer_with_nothing_to_grade_is_empty(wording: Wording, text: str) -> None:
    payload = wording.answer(text)
    answer = ask(wording, says(200, payload))
    assert (answer.reason, answer.usage, answer.charge) == (Reason.EMPTY_RESPONSE, USAGE, Charge.REPORTED)


@for_every_api(WORDINGS)
def test_an_unknown_finish_reason_is_not_trusted(wording: Wording) -> None:
    answer = ask(wording, says(200, wording.stopped(TEXT, "tired")))
    assert (answer.reason, answer.message) == (Reason.UNKNOWN_STOP, "the answer ended with an unknown finish reason: tired")


@for_every_api(WORDINGS)
def test_reasoning_inside_the_content_is_flagged(wording: Wording) -> None:
    for text in ("<think>Two and two.</think>\nANSWER: 4", "Two and two.</think>ANSWER: 4", "<think>never closed ANSWER: 4"):
        answer = ask(wording, says(200, wording.answer(text)))
        assert (answer.reason, answer.text, answer.reasoning_in_content) == (None, text, True)


@for_every_api(WORDINGS)
def test_a_tool_call_is_read_plain_and_streamed(wording: Wording) -> None:
    arguments: dict[str, Any] = {"city": "Sapporo", "days": 3}
    for respond in (
        says(200, wording.tool_call("weather", arguments)),
        sends(wording.stream_head, *wording.tool_stream("weather", arguments)),
    ):
        answer = ask(wording, respond, tools=(TOOL,))
        assert (answer.reason, answer.text, answer.tool_calls) == (None, "", (ToolCall("weather", arguments),))


@for_every_api(WORDINGS)
def test_a_call_without_arguments_has_an_empty_object_of_them(wording: Wording) -> None:
    assert ask(wording, sends(wording.stream_head, *wording.tool_stream("now", {}))).tool_calls == (ToolCall("now", {}),)


@for_every_api(WORDINGS)
def test_usage_that_is_missing_is_unknown_and_never_nought(wording: Wording) -> None:
    answer = ask(wording, says(200, wording.without_usage(wording.answer(TEXT))))
    assert (answer.reason, answer.usage, answer.charge) == (None, None, Charge.UNKNOWN)


@for_every_api(WORDINGS)
def test_fields_that_nobody_knows_are_ignored(wording: Wording) -> None:
    payload = {**wording.answer(TEXT), "new_field": {"error": [1, 2, 3]}, "x": None}
    assert ask(wording, says(200, payload)) == ask(wording, says(200, wording.answer(TEXT)))


@for_every_api(WORDINGS)
def test_a_request_carries_what_it_was_given(wording: Wording) -> None:
    extra = {"seed": 7, "metadata": {"team": "support"}}
    changes: dict[str, Any] = {"system": "Be brief.", "sampling": {"temperature": 0.5}, "extra_body": extra, "tools": (TOOL,)}
    _, received = ask_and_look(wording, says(200, wording.answer(TEXT)), **changes)
    sent = received[0].json()
    assert received[0].path == wording.path
    assert wording.asked(received[0]) == ("model-0", "What is 2 + 2?", 64)
    assert sampling_of(wording, sent)["temperature"] == 0.5
    assert (sent["seed"], sent["metadata"]) == (7, {"team": "support"})
    assert "Be brief." in received[0].body.decode()
    assert "weather" in received[0].body.decode()
    assert not sent.get("stream")


@for_every_api(WORDINGS)
def test_a_request_says_who_asks_and_wants_its_answer_unpacked(wording: Wording) -> None:
    _, received = ask_and_look(wording, says(200, wording.answer(TEXT)))
    headers = received[0].headers
    assert (headers["accept-encoding"], headers["content-type"]) == ("identity", "application/json")
    assert headers["user-agent"].startswith("model-drift-exporter/")


@for_every_api(WORDINGS)
def test_nothing_is_sampled_unless_the_target_says_so(wording: Wording) -> None:
    _, received = ask_and_look(wording, says(200, wording.answer(TEXT)))
    assert set(received[0].json()) == wording.plain_fields
    assert len(sampling_of(wording, received[0].json())) == (1 if wording.sampling_in else len(wording.plain_fields))


@for_every_api(WORDINGS)
def test_an_extra_of_null_takes_a_field_away_and_an_object_is_merged(wording: Wording) -> None:
    extra = {"temperature": None, "bias": {"b": 2}}
    changes: dict[str, Any] = {
        "extra_body": {wording.sampling_in: extra} if wording.sampling_in else extra,
        "sampling": {"temperature": 0, "bias": {"a": 1}},
    }
    _, received = ask_and_look(wording, says(200, wording.answer(TEXT)), **changes)
    sampling = sampling_of(wording, received[0].json())
    assert "temperature" not in sampling
    assert sampling["bias"] == {"a": 1, "b": 2}


def sampling_of(wording: Wording, sent: dict[str, Any]) -> dict[str, Any]:
    """The object of a body that sampling goes into."""
    inner: dict[str, Any] = sent[wording.sampling_in] if wording.sampling_in else sent
    return inner
