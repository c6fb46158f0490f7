"""Messages that can be shown anywhere: one line, at most 256 characters, no secret in them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, urlsplit

MESSAGE_CHARACTERS = 256
_READ_CHARACTERS = 65_536
_SHORTEST_SECRET = 6
_MASK = "<secret>"
_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|password|credential", re.IGNORECASE)
_SECRET_LOOKS = re.compile(
    r"\b(?:Bearer|Basic)\s+[\w~+/.=*-]{6,}"  # an Authorization header echoed back
    r"|\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}"  # keys by their prefix, also where the provider starred the middle
    r"|\b(?:AIza|hf_|gsk_|r8_)[\w*-]{6,}"
    r"|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?",  # a JSON web token
    re.IGNORECASE,
)


def find_secrets(key: str | None, settings: Mapping[str, object], base_url: str) -> tuple[str, ...]:
    """The words of a request that no message may repeat: the key, headers and extras named like a secret, and what the URL hides."""
    words = [key or ""]
    words += [value for name, value in settings.items() if isinstance(value, str) and _SECRET_NAME.search(name)]
    parts = urlsplit(base_url)
    words += [parts.username or "", parts.password or "", *(value for _, value in parse_qsl(parts.query))]
    return tuple(word for word in words if word)


def mask(text: str, secrets: Iterable[str]) -> str:
    """The text with each secret, and whatever looks like one, replaced by `<secret>`."""
    text = text[:_READ_CHARACTERS]
    for form in sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True):
        text = text.replace(form, _MASK)
    return _SECRET_LOOKS.sub(_MASK, text)


def one_line(text: str, characters: int = MESSAGE_CHARACTERS) -> str:
    """The text without control characters and line breaks, cut to a length."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[:_READ_CHARACTERS]).split())
    return line if len(line) <= characters else line[: max(0, characters - 1)].rstrip() + "…"


def _forms(secret: str) -> list[str]:
    """A secret as it may be written: with and without its scheme, in a URL, in base64. Shorter than six is no secret."""
    bare = secret.strip()
    words = {bare, bare.removeprefix("Bearer ").removeprefix("Basic ")}
    encoded = {quote(word, safe="") for word in words} | {base64.b64encode(word.encode("utf-8", "replace")).decode() for word in words}
    return [form for form in words | encoded if len(form) >= _SHORTEST_SECRET]
