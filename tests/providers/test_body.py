from __future__ import annotations

import gzip
import zlib

import pytest

from exporter.providers.body import BodyReader, UnreadableBodyError
from exporter.providers.sse import Event


def is_last(event: Event) -> bool:
    return event.data == b"end"


def read(*pieces: bytes, kind: str = "application/json", encoding: str = "", limit_bytes: int = 100) -> BodyReader:
    reader = BodyReader(kind, encoding, is_last, limit_bytes)
    for piece in pieces:
        reader.feed(piece)
    reader.finish()
    return reader


@pytest.mark.parametrize("pack", [lambda body: body, gzip.compress, zlib.compress], ids=["plain", "gzip", "zlib"])
def test_a_body_may_fill_its_limit_and_not_pass_it(pack: object) -> None:
    assert callable(pack)
    encoding = "" if pack(b"x") == b"x" else "gzip"
    assert read(pack(b"x" * 100), encoding=encoding).body == b"x" * 100
    for length in (101, 102, 100_000):
        with pytest.raises(UnreadableBodyError, match=r"^a body larger than 0 KiB$"):
            read(pack(b"x" * length), encoding=encoding)


def test_the_limit_holds_over_all_pieces() -> None:
    with pytest.raises(UnreadableBodyError):
        read(*[b"x" * 40] * 3)


def test_what_follows_a_packed_body_is_dropped_and_counts() -> None:
    packed = gzip.compress(b"{}")
    assert read(packed, b"rest", encoding="gzip").body == b"{}"
    with pytest.raises(UnreadableBodyError):
        read(packed, *[b"rest" * 10] * 3, encoding="gzip")


def test_a_packed_body_that_is_cut_off_is_unreadable() -> None:
    with pytest.raises(UnreadableBodyError, match="cut off"):
        read(gzip.compress(b"{}" * 20)[:-9], encoding="gzip")
    assert read(encoding="gzip").body == b""


def test_the_last_event_ends_the_reading() -> None:
    reader = BodyReader("text/event-stream; charset=utf-8", "", is_last)
    assert [reader.feed(piece) for piece in (b"data: 1\n\n", b"data: en", b"d\n\n")] == [False, False, True]
    assert reader.events == (Event("", b"1"), Event("", b"end"))


def test_a_stream_with_another_content_type_is_found_by_its_first_word() -> None:
    reader = BodyReader("text/plain", "", is_last)
    assert [reader.feed(piece) for piece in (b"da", b"ta: 1\n\nda", b"ta: end\n\n")] == [False, False, True]
    assert reader.events == (Event("", b"1"), Event("", b"end"))


def test_json_that_mentions_data_is_no_stream() -> None:
    reader = read(b'{"x": 1,\n', b"data: 2\n\n")
    assert reader.events is None
    assert reader.body == b'{"x": 1,\ndata: 2\n\n'


def test_a_body_without_events_is_no_stream_whatever_its_content_type_says() -> None:
    reader = read(b'{"x": 1}', kind="text/event-stream")
    assert (reader.events, reader.body) == (None, b'{"x": 1}')
