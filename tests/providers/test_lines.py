from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.providers.body import BodyReader
from exporter.providers.lines import LineReader, read_lines
from exporter.providers.sse import Event


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (b"", ()),
        (b"{}", (b"{}",)),
        (b"{}\n", (b"{}",)),
        (b"{}\r\n\n[]\n", (b"{}\r", b"[]")),
        (b" \n\n", ()),
    ],
)
def test_a_body_is_cut_into_its_lines(body: bytes, lines: tuple[bytes, ...]) -> None:
    assert read_lines(body) == tuple(Event("", line) for line in lines)


@given(st.lists(st.sampled_from([b"{}", b"\n", b"a", b"\n\n"])), st.integers(0, 60))
def test_where_a_body_is_torn_makes_no_difference(parts: list[bytes], cut: int) -> None:
    body = b"".join(parts)
    reader = LineReader()
    assert (*reader.feed(body[:cut]), *reader.feed(body[cut:]), *reader.finish()) == read_lines(body)


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/x-NDJSON; charset=utf-8", "application/jsonl"])
def test_the_last_line_ends_the_reading(kind: str) -> None:
    reader = BodyReader(kind, "", lambda event: event.data == b"end")
    assert [reader.feed(piece) for piece in (b"{}\n", b"en", b"d\n")] == [False, False, True]
    assert reader.events == (Event("", b"{}"), Event("", b"end"))
