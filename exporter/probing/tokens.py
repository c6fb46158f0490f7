"""How many tokens a text may come to, without anybody's tokenizer. Pure.

Two answers: what to expect, for estimates, and what it cannot exceed, for reservations.
"""

from __future__ import annotations

import math

LATIN_CHARACTERS_PER_TOKEN = 4
"""What vendors say of English text. Every other script is counted as one token a character: Japanese comes to 0.7–1.1."""

_FIRST_NON_LATIN = "\u0250"


def expected_tokens(text: str) -> int:
    """Tokens to expect of `text`: four Latin characters each, one of any other script."""
    latin = len(text) if text.isascii() else sum(char < _FIRST_NON_LATIN for char in text)
    return math.ceil(latin / LATIN_CHARACTERS_PER_TOKEN) + len(text) - latin


def most_tokens(text: str) -> int:
    """Tokens that `text` cannot exceed: its UTF-8 bytes, as every tokenizer in use falls back to single bytes at worst."""
    return len(text.encode("utf-8", "surrogatepass"))
