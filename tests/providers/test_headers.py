from __future__ import annotations

import pytest

from exporter.providers.headers import check_headers, read_headers


@pytest.mark.parametrize("value", ["", "a", "Bearer sk-1", "a \t b", "!~"])
def test_what_a_header_can_carry_is_let_through(value: str) -> None:
    check_headers({"x-a": value})


@pytest.mark.parametrize("value", [" a", "a ", "a\nb", "a\r\nb", "a\x00b", "a\x01b", "a\x7fb", "ü", "\ud800"])
def test_a_value_that_no_header_can_carry_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"^a header that cannot be sent$"):
        check_headers({"x-a": value})


@pytest.mark.parametrize("name", ["", "a b", "a:", "ü", "a\n", "content-length", "transfer-encoding"])
def test_a_name_that_no_header_of_ours_has_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^a header that cannot be sent$"):
        check_headers({name: "1"})


@pytest.mark.parametrize(
    ("raw", "headers"),
    [
        ([], {}),
        ([(b"X-A", b"1"), (b"x-b", b""), (b"x-a", b"2")], {"x-a": "1, 2", "x-b": ""}),
        ([(b"x-a", "schön".encode())], {"x-a": "schön"}),
        ([(b"x-a", b"sch\xf6n"), (b"x-b", b"b")], {"x-a": "schön", "x-b": "b"}),
    ],
)
def test_headers_are_read_by_name_whatever_they_are_written_in(raw: list[tuple[bytes, bytes]], headers: dict[str, str]) -> None:
    assert read_headers(raw) == headers
