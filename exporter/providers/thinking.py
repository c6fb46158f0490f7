"""Reasoning that a server left inside the content."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"\A.*?(?:</think(?:ing)?>|\[/think\])", re.DOTALL | re.IGNORECASE)
_OPENED = re.compile(r"\A\s*(?:<think(?:ing)?>|\[think\])", re.IGNORECASE)


def has_reasoning(text: str) -> bool:
    """Whether a text begins with a reasoning block: whole, never closed, or with its closing tag only."""
    return bool(_OPENED.match(text) or (_may_close(text) and _BLOCK.match(text)))


def has_answer(text: str) -> bool:
    """Whether anything but white space is left beside a closed reasoning block. A block never closed is taken as an answer."""
    return bool((_BLOCK.sub("", text, count=1) if _may_close(text) else text).strip())


def _may_close(text: str) -> bool:
    # To look for these takes a hundredth of the time that the pattern takes to find nothing in a long answer.
    return "</" in text or "[/" in text
