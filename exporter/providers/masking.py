"""What may be shown anywhere: one line, at most 256 characters, and no secret in it, however it is written there."""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from exporter.config.secrets import HIDDEN, hide_lookalikes, is_secret_header, is_secret_name

MESSAGE_CHARACTERS = 256
_READ_CHARACTERS = 8_192
_SHORTEST_SECRET = 6
_PIECE, _PROMPT_PIECE = (8, 12), (8, 32)
"""Fewest and most characters on end by which a piece is known; between them it is two thirds of the whole."""
_PLAIN_PARAMETER = "api-version"
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey)\s+", re.IGNORECASE)
_HEX = re.compile(r"%[0-9A-F]{2}")


def find_secrets(key: str | None, headers: Mapping[str, str], extras: Mapping[str, object], base_url: str) -> tuple[str, ...]:
    """The words of a request that nobody may repeat: the key, headers and fields that are secrets, and what the URL hides."""
    words = [key or ""]
    words += [value for name, value in headers.items() if is_secret_header(name, value)]
    words += _find_named(extras)
    parts = urlsplit(base_url)
    words += [unquote(parts.username or ""), unquote(parts.password or "")]
    words += [value for name, value in parse_qsl(parts.query) if name.lower() != _PLAIN_PARAMETER]
    return tuple(word for word in words if word)


def mask(text: str, secrets: Iterable[str], prompts: Iterable[str] = ()) -> str:
    """The text with each secret, each prompt, long pieces of them, and whatever looks like a key, replaced by `<secret>`.

    They are found as they stand and as they are written in a URL, in JSON, in HTML and in base64, whatever stands around them
    there. Pieces count because a body may be cut anywhere.
    """
    text = text[:_READ_CHARACTERS]
    if not text:
        return text
    return hide_lookalikes(_hide(text, [*_secret_runs(tuple(secrets)), *_runs(prompts, _PROMPT_PIECE)]))


def mask_name(name: str | None, secrets: Iterable[str], prompts: Iterable[str] = ()) -> str | None:
    """A name that a server gave, without secrets, prompts and long pieces of them. Nothing else is touched: a name is compared."""
    if name is None:
        return None
    # Hardly a name is long enough to hold a piece of a prompt, and every answer has the same names.
    fitting = [words for prompt in prompts if (words := prompt.strip()) and len(name) >= _piece_of(len(words), _PROMPT_PIECE)]
    if not fitting:
        return _hide_secrets(name, tuple(secrets))
    return _hide(name, [*_secret_runs(tuple(secrets)), *_runs(fitting, _PROMPT_PIECE)])


def one_line(text: str, characters: int = MESSAGE_CHARACTERS) -> str:
    """The text without control characters and line breaks, cut to a length."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[:_READ_CHARACTERS]).split())
    return line if len(line) <= characters else line[: max(0, characters - 1)].rstrip() + "…"


_Runs = Iterable[tuple[int, frozenset[str]]]


def _hide(text: str, runs: _Runs) -> str:
    hidden = bytearray(len(text))
    for length, pieces in runs:
        for start in range(len(text) - length + 1):
            if text[start : start + length] in pieces:
                hidden[start : start + length] = b"\1" * length
    if not any(hidden):
        return text
    stretches = groupby(zip(text, hidden, strict=True), key=lambda pair: pair[1])
    return "".join(HIDDEN if is_hidden else "".join(character for character, _ in stretch) for is_hidden, stretch in stretches)


@lru_cache(maxsize=1024)
def _hide_secrets(name: str, secrets: tuple[str, ...]) -> str:
    return _hide(name, _secret_runs(secrets))


@lru_cache(maxsize=64)
def _secret_runs(secrets: tuple[str, ...]) -> _Runs:
    """Kept, since every answer of a target is searched for the same secrets."""
    return _runs(secrets, _PIECE)


def _runs(words: Iterable[str], bounds: tuple[int, int]) -> _Runs:
    """Every piece of each form of the words, by its length. A short word is one piece; what is shorter than six is no secret."""
    found: dict[int, set[str]] = {}
    for form in {form for word in words for form in _forms(word) if len(form) >= _SHORTEST_SECRET}:
        length = _piece_of(len(form), bounds)
        found.setdefault(length, set()).update(form[start : start + length] for start in range(len(form) - length + 1))
    return [(length, frozenset(pieces)) for length, pieces in found.items()]


def _piece_of(length: int, bounds: tuple[int, int]) -> int:
    """How many characters on end are a piece of a text of this length."""
    return min(length, max(bounds[0], min(bounds[1], math.ceil(length * 2 / 3))))


def _in_json(text: str) -> set[str]:
    """A text as it stands, and as JSON writes it."""
    return {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}


def _forms(secret: str) -> set[str]:
    """A text in every way in which it may be written."""
    bare = secret.strip().encode("utf-8", "replace").decode()
    words = {bare, _SCHEME.sub("", bare, count=1)}
    words |= {part for word in words for part in _decode_basic(word)}
    forms = set(words)
    for word in words:
        quoted = {quote(word, safe=""), quote(word), quote_plus(word)}
        forms |= quoted | {_HEX.sub(lambda found: found[0].lower(), form) for form in quoted}
        forms |= _in_json(word) | {form.replace("/", "\\/") for form in _in_json(word)} | _in_json(json.dumps(word)[1:-1])
        forms |= {html.escape(word), *_in_base64(word)}
    return forms


def _in_base64(word: str) -> Iterator[str]:
    """The part of a text's base64 that stays the same whatever stands before and after it, for each place it can begin at."""
    data = word.encode("utf-8", "replace")
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + data).decode()
        steady = encoded[math.ceil(before * 8 / 6) : (before + len(data)) * 8 // 6]
        yield from (steady, steady.replace("+", "-").replace("/", "_"))


def _decode_basic(word: str) -> list[str]:
    """User and password of a Basic header's value; nothing where it is none."""
    try:
        user, colon, password = base64.b64decode(word, validate=True).decode().partition(":")
    except ValueError:
        return []
    return [user, password] if colon else []


def _find_named(value: object, *, named: bool = False) -> Iterator[str]:
    """The texts of a value that stand below a name that speaks of a secret."""
    if isinstance(value, str) and named:
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _find_named(inner, named=named or is_secret_name(str(name)))
    elif isinstance(value, list):
        for inner in value:
            yield from _find_named(inner, named=named)
