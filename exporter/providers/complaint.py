"""What an error body says, whichever of the many shapes it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exporter.providers.reply import Reply
from exporter.providers.shapes import as_list, as_name, as_object, as_text

_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_NAME_CHARACTERS = 60
_STATUSES = range(400, 600)
_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as told. `codes` are its code, type and inner code in lower case, the most telling first; `text` may be empty.

    `status` is the numeric code of the body where it has one, else the status of the response. Google names a `reason` and the
    wait that it asks for among the `details` of an error.
    """

    status: int
    text: str
    codes: tuple[str, ...] = ()
    param: str | None = None
    flagged: bool = False
    retry_after_seconds: float | None = None


def find_error(payload: object) -> object:
    """The part of a JSON value that tells of an error, or None: `error`, the first of `errors`, or a list holding one of these.

    An object that calls itself an error is one as a whole.
    """
    if isinstance(payload, list) and payload:
        payload = payload[0]
    body = as_object(payload)
    if body.get("object") == "error":
        return _bare_error(body)
    return body.get("error") or next(iter(as_list(body.get("errors"))), None)


def read_complaint(reply: Reply) -> Complaint:
    """What an unsuccessful response says."""
    try:
        payload = reply.payload()
    except ValueError:
        return Complaint(reply.status, _read_page(reply))
    error = find_error(payload)
    return complaint_of(error if error is not None else _bare_error(payload), reply.status)


def complaint_of(error: object, status: int) -> Complaint:
    """What an error object, or a plain string in its place, says."""
    if not isinstance(error, dict):
        return Complaint(status, as_text(error))
    inner = as_object(error.get("innererror") or error.get("inner_error"))
    metadata = as_object(error.get("metadata"))
    details = [as_object(detail) for detail in as_list(error.get("details"))]
    codes = tuple(word.lower() for key in ("code", "type", "status", "raw_status_code") if (word := _word(error.get(key))))
    reasons = tuple(word.lower() for detail in details if (word := as_text(detail.get("reason"))))
    inner_codes = tuple(word.lower() for source in (inner, metadata) for key in ("code", "error_type") if (word := _word(source.get(key))))
    number = next((number for word in codes if (number := _read_status(word)) is not None), None)
    text = as_text(error.get("message")) or as_text(error.get("error")) or as_text(error.get("detail"))
    raw = as_text(metadata.get("raw"))
    return Complaint(
        status=number or status,
        text=f"{text}: {raw}" if raw and raw not in text else text,
        codes=reasons + codes + inner_codes,
        param=_short_name(error.get("param")),
        flagged="flagged_input" in metadata or "reasons" in metadata,
        retry_after_seconds=next((seconds for detail in details if (seconds := _read_delay(detail.get("retryDelay"))) is not None), None),
    )


def _bare_error(payload: object) -> object:
    """Bodies without an error object: {"message": …}, {"detail": "…"}, {"detail": [{"loc": …, "msg": …}]}, or a string.

    Mistral puts the details below `message`.
    """
    body = as_object(payload)
    listed = as_list(body.get("detail")) or as_list(as_object(body.get("message")).get("detail"))
    details = [as_object(detail) for detail in listed]
    if details:
        first: Mapping[str, Any] = details[0]
        path = as_list(first.get("loc"))
        return {"message": as_text(first.get("msg")), "param": as_text(path[-1]) if path else "", "type": first.get("type")}
    if not body:
        return payload
    return {**body, "message": body.get("message") or body.get("detail") or body.get("error_description")}


def _short_name(value: object) -> str | None:
    """A parameter's name; None for what is too long to be one."""
    name = as_name(value)
    return name if name and len(name) <= _NAME_CHARACTERS else None


def _word(value: object) -> str:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else as_text(value)


def _read_delay(value: object) -> float | None:
    """Seconds of a delay as Google writes it: "34s", "0.5s"."""
    found = _DELAY.fullmatch(as_text(value))
    return float(found[1]) if found else None


def _read_status(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) == 3 and int(word) in _STATUSES else None


def _read_page(reply: Reply) -> str:
    """A few words for a body that is no JSON: the title of a page, or plain text as it stands."""
    text = reply.body[:65_536].decode("utf-8", "replace").strip()
    if "<" not in text[:200]:
        return text
    title = _TITLE.search(text)
    return f"a web page instead of an answer: {title[1].strip()}" if title else "a web page instead of an answer"
