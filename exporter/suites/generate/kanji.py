"""Whole numbers in Japanese writing."""

from __future__ import annotations

_DIGITS = "〇一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_GROUPS = ("", "万", "億", "兆")


def write_kanji(number: int) -> str:
    """A number from 1 to 9999兆 as it is usually written: 325 is 三百二十五, and 一 stands before no 十, 百 or 千."""
    text = ""
    for group, name in reversed(list(enumerate(_GROUPS))):
        part = number // 10_000**group % 10_000
        if part:
            text += _write_group(part) + name
    return text


def _write_group(part: int) -> str:
    text = ""
    for place, name in reversed(list(enumerate(_PLACES))):
        digit = part // 10**place % 10
        if digit:
            text += ("" if digit == 1 and place else _DIGITS[digit]) + name
    return text
