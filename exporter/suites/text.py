"""Texts made comparable: what every grader and the answer hash agree on."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import Any

from exporter.suites.patterns import compile_pattern

LONGEST_FOLDED = 20_000
"""Longer texts are compared as they are. Unicode normalisation takes quadratic time on hostile runs of combining marks."""

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201b\u2032\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201f\u2033", '"'),
    }
)
_UP_TO_THOUGHTS_END = compile_pattern(r"(?is)^.*(?:</think(?:ing)?>|\[/think\])")
_AROUND = "\"'`*_()[]{}<>,:;、，：；・。「」『』（）［］｛｝【】〔〕《》〈〉«»‹› "
_BEHIND = _AROUND + ".!?…．！？"


def clean(text: str) -> str:
    """The text with one kind of line end and lone surrogates replaced, so that it can be encoded."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def drop_thoughts(text: str) -> str:
    """The text behind the last closed block of thoughts (`</think>`)."""
    spans = _UP_TO_THOUGHTS_END.spans(text) if "/" in text else []
    return text[spans[0][1] :] if spans else text


def fold(text: str, *, keep_case: bool = False) -> str:
    """Forgive what a reader would not see as a difference: Unicode form (NFKC), case, kinds of dashes and quotes, white space."""
    if len(text) > LONGEST_FOLDED:
        return text
    folded = " ".join((text if text.isascii() else _unify(text)).split())
    return folded if keep_case else folded.casefold()


def _unify(text: str) -> str:
    unified = unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)).translate(_LOOKALIKES)
    return "".join(character for character in unified if unicodedata.category(character) != "Cf")


def trim(text: str) -> str:
    """The text without the punctuation around it; unchanged where there is nothing else in it."""
    return text.lstrip(_AROUND).rstrip(_BEHIND) or text


def answer_hash(text: str) -> str:
    """16 hex digits; the same for answers that differ only in what `fold` and `trim` forgive."""
    return digest(trim(fold(text)))


def digest(text: str) -> str:
    """The first 16 hex digits of the text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def canonical_json(value: Any) -> str:
    """One text for equal JSON values: keys sorted, no white space."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def fenced_blocks(text: str) -> list[str]:
    """What stands between Markdown fences (``` or ~~~), in order; a last block that is never closed counts too."""
    blocks: list[str] = []
    inside: list[str] | None = None
    fence = ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if inside is None:
            if mark in ("```", "~~~"):
                inside, fence = [], mark
        elif mark == fence:
            blocks.append("\n".join(inside))
            inside = None
        else:
            inside.append(line)
    if inside is not None:
        blocks.append("\n".join(inside))
    return blocks
