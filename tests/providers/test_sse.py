from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exporter.providers.sse import Event, EventReader, looks_like_events, read_events


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"", ()),
        (b"data: 1\n\n", (Event("", b"1"),)),
        (b"data:1\n\n", (Event("", b"1"),)),
        (b"data:  1 \n\n", (Event("", b" 1 "),)),
        (b"data: 1\r\n\r\n", (Event("", b"1"),)),
        (b"data: 1\r\rdata: 2\r\r", (Event("", b"1"), Event("", b"2"))),
        (b"data: 1\ndata: 2\n\n", (Event("", b"1\n2"),)),
        (b"data\n\n", (Event("", b""),)),
        (b": comment\n\ndata: 1\n\n", (Event("", b"1"),)),
        (b"event: ping\n\n", ()),
        (b"event: ping\ndata: 1\n\ndata: 2\n\n", (Event("ping", b"1"), Event("", b"2"))),
        (b"id: 3\nretry: 9\nnew: x\ndata: 1\n\n", (Event("", b"1"),)),
        (b"\xef\xbb\xbfdata: 1\n\n", (Event("", b"1"),)),
        (b"data: 1", (Event("", b"1"),)),
        (b"data: 1\n", (Event("", b"1"),)),
        (b"data: 1\r\n\r", (Event("", b"1"),)),
        (b"\n\n\n", ()),
        (b"event: \xff\ndata: \xff\n\n", (Event("\ufffd", b"\xff"),)),
    ],
)
def test_a_stream_is_cut_into_its_events(body: bytes, events: tuple[Event, ...]) -> None:
    assert read_events(body) == events


PARTS = st.sampled_from([b"data: a", b"data: b", b"event: e", b": c", b"x", b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n"])


@settings(max_examples=500)
@example([b"data: a", b"\r", b"data: b"], [8])
@given(st.lists(PARTS), st.lists(st.integers(0, 60)))
def test_where_a_stream_is_torn_makes_no_difference(parts: list[bytes], cuts: list[int]) -> None:
    body = b"".join(parts)
    edges = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    reader = EventReader()
    torn = [event for start, end in itertools.pairwise(edges) for event in reader.feed(body[start:end])]
    assert (*torn, *reader.finish()) == read_events(body)


def test_an_event_is_handed_over_as_soon_as_it_is_whole() -> None:
    reader = EventReader()
    assert reader.feed(b"data: 1\n") == []
    assert reader.feed(b"\nda") == [Event("", b"1")]
    assert reader.feed(b"ta: 2\n\n") == [Event("", b"2")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"data: x", True),
        (b"\n event: x", True),
        (b": keep-alive", True),
        (b"id: 1", True),
        (b'{"data": 1}', False),
        (b"[DONE]", False),
        (b"<html>", False),
        (b"", False),
        (b"dat", False),
    ],
)
def test_a_stream_is_known_by_its_first_word(body: bytes, expected: bool) -> None:
    assert looks_like_events(body) is expected
