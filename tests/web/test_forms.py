from __future__ import annotations

import asyncio

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from exporter.web.forms import MAX_BODY_BYTES, Seals, read_form

FORM = "application/x-www-form-urlencoded"


def read(body: bytes, content_type: str = FORM, parts: int = 1) -> dict[str, str]:
    size = len(body) // parts + 1
    chunks = [body[start : start + size] for start in range(0, len(body), size)] or [b""]
    messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages[-1]["more_body"] = False

    async def receive() -> dict[str, object]:
        return messages.pop(0)

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", content_type.encode())]}
    return dict(asyncio.run(read_form(Request(scope, receive))))


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"action=check&token=ab12", {"action": "check", "token": "ab12"}),
        (b"name=a%20b+c%26d", {"name": "a b c&d"}),
        (b"action=reset&action=check", {"action": "reset"}),
        (b"empty=&other", {}),
        (b"", {}),
        (b"half=%ed%a0%bd", {"half": "\ufffd\ufffd\ufffd"}),
    ],
)
def test_a_form_is_read(body: bytes, fields: dict[str, str]) -> None:
    assert read(body) == fields


def test_a_form_may_come_in_parts_and_with_a_charset() -> None:
    assert read(b"action=check&token=ab12", f"{FORM}; charset=utf-8", parts=7) == {"action": "check", "token": "ab12"}


@pytest.mark.parametrize(
    ("body", "content_type", "status", "said"),
    [
        (b"{}", "application/json", 415, f"only forms are read here: send {FORM}"),
        (b"action=check", "", 415, f"only forms are read here: send {FORM}"),
        (b"a=" + b"x" * MAX_BODY_BYTES, FORM, 413, "a form of this page has less than 4096 bytes"),
        (b"a=\xff", FORM, 400, "the form cannot be read; load the page again"),
        (b"&".join(b"a=1" for _ in range(9)), FORM, 400, "the form cannot be read; load the page again"),
    ],
)
def test_what_is_no_form_of_ours_is_turned_away(body: bytes, content_type: str, status: int, said: str) -> None:
    with pytest.raises(HTTPException) as caught:
        read(body, content_type)
    assert (caught.value.status_code, caught.value.detail) == (status, said)


def test_a_body_without_an_end_is_not_kept() -> None:
    asked = 0

    async def receive() -> dict[str, object]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b"x" * 1000, "more_body": True}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", FORM.encode())]}
    with pytest.raises(HTTPException):
        asyncio.run(read_form(Request(scope, receive)))
    assert asked == 5


def test_a_seal_holds_for_its_own_words_and_process_alone() -> None:
    seals = Seals()
    seal = seals.seal("check", "bot")
    assert seals.holds(seal, "check", "bot")
    assert not seals.holds(seal, "reset", "bot")
    assert not seals.holds(seal, "check", "other")
    assert not seals.holds(seals.seal("ab", "c"), "a", "bc")
    assert not Seals().holds(seal, "check", "bot")
    assert Seals(b"same").holds(Seals(b"same").seal("a"), "a")


@pytest.mark.parametrize("seal", [None, "", "0" * 64, "é", "\ud83d"])
def test_anything_else_is_no_seal(seal: str | None) -> None:
    assert not Seals().holds(seal, "check", "bot")


@pytest.mark.parametrize("name", ["a/b", "日本語", "\x00", "\ud83d"])
def test_any_name_can_be_sealed(name: str) -> None:
    seals = Seals()
    assert seals.holds(seals.seal("check", name), "check", name)
