"""Valid responses with one or more places bent at random: always an Answer that keeps its promises, never an exception."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.records import Answer, Charge, Reason
from tests.providers.contract import Wording, for_every_api
from tests.providers.replies import read, reply, streams
from tests.providers.wordings import WORDINGS

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["\ud800", "stop", "4", 10**400])
ODD = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=5
)
HEADERS = st.dictionaries(st.sampled_from(["retry-after", "age", "x-cache", "request-id", "content-type"]), st.text(max_size=20))
STATUSES = st.sampled_from([200, 201, 204, 302, 400, 401, 404, 429, 500, 529, 599])


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every node below the top."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in items for found in [(*path, key), *paths_of(inner, (*path, key))]]


@st.composite
def bent(draw: st.DrawFn, payload: Any) -> Any:
    """The payload with one to three nodes deleted, replaced, wrapped in a list, or emptied."""
    payload = copy.deepcopy(payload)
    for _ in range(draw(st.integers(1, 3))):
        paths = paths_of(payload)
        if not paths:
            return draw(ODD)
        *way, last = draw(st.sampled_from(paths))
        holder = payload
        for key in way:
            holder = holder[key]
        match draw(st.sampled_from(["delete", "replace", "wrap", "empty", "add"])):
            case "delete":
                del holder[last]
            case "replace":
                holder[last] = draw(ODD)
            case "wrap":
                holder[last] = [holder[last]]
            case "empty":
                holder[last] = type(holder[last])()
            case _ if isinstance(holder, dict):
                holder[draw(st.sampled_from(["error", "errors", "new", "refusal", "choices", "type", "usage"]))] = draw(ODD)
    return payload


def check(answer: Answer) -> None:
    """What holds of every Answer, whatever came back."""
    assert answer.reason is None or isinstance(answer.reason, Reason)
    if answer.reason is None:
        assert answer.text.strip() or answer.tool_calls
        assert answer.message == ""
        assert answer.finish_reason
    else:
        assert answer.message
    assert len(answer.message) <= 256
    assert answer.message.isprintable()
    json.dumps(
        [answer.text, answer.identity.served_model, answer.identity.fingerprint, dict(answer.identity.facets)], ensure_ascii=False
    ).encode()
    assert (answer.charge is Charge.REPORTED) == (answer.usage is not None)
    if answer.usage:
        assert 0 <= answer.usage.cached_tokens <= answer.usage.input_tokens
        assert 0 <= answer.usage.reasoning_tokens <= answer.usage.output_tokens
        assert answer.usage.input_tokens + answer.usage.output_tokens > 0
    assert answer.retry_after_seconds is None or answer.retry_after_seconds >= 0


@for_every_api(WORDINGS)
@settings(max_examples=300)
@given(data=st.data())
def test_a_bent_response_is_an_answer(wording: Wording, data: st.DataObject) -> None:
    whole = [
        wording.answer("ANSWER: 4"),
        wording.refusal or wording.answer(""),
        wording.stopped("4", wording.truncated_word),
        wording.tool_call("now", {"a": [1, {"b": None}]}),
        wording.error(400, "some_code", "No."),
    ]
    payload = data.draw(bent(data.draw(st.sampled_from(whole))))
    check(read(wording.api, reply(payload, data.draw(STATUSES), data.draw(HEADERS))))


@for_every_api(WORDINGS)
@settings(max_examples=300)
@given(data=st.data())
def test_a_bent_stream_is_an_answer(wording: Wording, data: st.DataObject) -> None:
    events = data.draw(
        st.sampled_from([wording.stream("ANSWER: 4"), wording.tool_stream("now", {"a": 1}), [wording.stream_error(500, "x", "y")]])
    )
    events = list(events)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(events) - 1))
        head, mark, text = events[at].partition(b"data: ") if b"data: " in events[at] else (b"", b"", events[at])
        match data.draw(st.sampled_from(["bend", "drop", "repeat", "cut"])):
            case "bend" if text.endswith(b"}\n\n" if mark else b"}\n"):
                events[at] = head + mark + json.dumps(data.draw(bent(json.loads(text.split(b"\n")[0])))).encode() + b"\n\n"
            case "drop" if len(events) > 1:
                del events[at]
            case "repeat":
                events.insert(at, events[at])
            case _:
                events[at] = events[at][: data.draw(st.integers(0, len(events[at])))]
    check(read(wording.api, streams(wording)(*events)))


@for_every_api(WORDINGS)
@settings(max_examples=200)
@given(body=st.binary(max_size=60) | ODD.map(lambda value: json.dumps(value).encode()), status=STATUSES)
def test_any_body_at_all_is_an_answer(wording: Wording, body: bytes, status: int) -> None:
    check(read(wording.api, reply(body, status)))


@for_every_api(WORDINGS)
@settings(max_examples=200)
@given(cut=st.integers(0, 10_000))
def test_a_response_cut_off_anywhere_is_never_taken_for_a_whole_one(wording: Wording, cut: int) -> None:
    body = json.dumps(wording.answer("ANSWER: 4")).encode()
    answer = read(wording.api, reply(body[: cut % len(body)]))
    assert answer.reason in (Reason.BAD_RESPONSE, Reason.EMPTY_RESPONSE)


@for_every_api(WORDINGS)
@settings(max_examples=200)
@given(cut=st.integers(0, 10_000))
def test_a_stream_cut_off_before_its_finish_reason_is_never_taken_for_a_whole_one(wording: Wording, cut: int) -> None:
    events = b"".join(wording.stream("ANSWER: 4"))
    ends = events.index(wording.done_word)
    answer = read(wording.api, streams(wording)(events[: cut % ends]))
    assert answer.reason in (Reason.BAD_RESPONSE, Reason.EMPTY_RESPONSE)
