from __future__ import annotations

import pytest

from exporter.records import Answer, Extract, ToolCall
from exporter.suites.extraction import Extracted, extract

MEBI = 1 << 20
HOSTILE = {
    "ANSWER lines with nothing behind": "ANSWER:\n" * (MEBI // 2),
    "one line of the marker": "ANSWER:" * (MEBI // 2),
    "blank lines": "ANSWER:" + "\n" * (4 * MEBI),
    "nested boxes": "ANSWER: " + "\\boxed{" * (MEBI // 2),
    "nested emphasis": "ANSWER: " + "*" * (4 * MEBI),
    "opening thoughts": "<think>" * (MEBI // 2),
    "closing thoughts": "</think>" * (MEBI // 2),
    "combining marks": "ANSWER: " + "\u0300\u0327" * MEBI,
    "decoration": "#>*-" * MEBI + "ANSWER",
}


@pytest.mark.parametrize(
    "text",
    [
        "<think>ANSWER: 41</think>ANSWER: 42",
        "<think>\nANSWER: 41\n</think>\n\nANSWER: 42",
        "ANSWER: 41\n</think>\nANSWER: 42",
        "<THINK>ANSWER: 41</THINK>\nANSWER: 42",
        "<thinking>ANSWER: 41</thinking>\nANSWER: 42",
        "[THINK]ANSWER: 41[/THINK]ANSWER: 42",
        "<think>ANSWER: 40</think><think>ANSWER: 41</think>ANSWER: 42",
    ],
)
def test_closed_thoughts_before_the_answer_are_not_graded(text: str) -> None:
    assert extract(Extract.ANSWER_LINE, Answer(text=text)) == Extracted("42")


def test_an_answer_only_in_the_thoughts_is_none() -> None:
    assert extract(Extract.ANSWER_LINE, Answer(text="<think>ANSWER: 41</think>\nSo it is 41.")) == Extracted("So it is 41.", True)


def test_thoughts_that_were_never_closed_are_kept() -> None:
    assert extract(Extract.ANSWER_LINE, Answer(text="<think>Easy.\nANSWER: 42")) == Extracted("42")


def test_without_an_answer_line_the_whole_answer_is_kept_and_marked() -> None:
    assert extract(Extract.ANSWER_LINE, Answer(text=" It is 42. ")) == Extracted("It is 42.", answer_line_missing=True)


def test_full_is_all_but_the_thoughts_and_the_white_space_around() -> None:
    assert extract(Extract.FULL, Answer(text="<think>hm</think>\r\n\r\nfirst\r\nANSWER: 2\r\n")) == Extracted("first\nANSWER: 2")


def test_code_is_the_last_fenced_block() -> None:
    text = "One:\n```python\na = 1\n```\nBetter:\n~~~\nb = 2\n```\n~~~\nDone."
    assert extract(Extract.CODE, Answer(text=text)) == Extracted("b = 2\n```")


def test_code_without_a_fence_is_the_whole_answer() -> None:
    assert extract(Extract.CODE, Answer(text="a = 1\n")) == Extracted("a = 1")


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    assert extract(Extract.CODE, Answer(text="```\na = 1\nb = 2")) == Extracted("a = 1\nb = 2")


def test_tool_calls_are_canonical_json_in_their_order() -> None:
    calls = (ToolCall("find", {"b": 1, "a": "é"}), ToolCall("stop", None))
    expected = '[{"arguments":{"a":"é","b":1},"name":"find"},{"arguments":null,"name":"stop"}]'
    assert extract(Extract.TOOL_CALL, Answer(text="Let me see.", tool_calls=calls)) == Extracted(expected)


def test_lone_surrogates_do_no_harm() -> None:
    assert extract(Extract.ANSWER_LINE, Answer(text="\ud800\nANSWER: 4\udfff2")) == Extracted("4?2")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_four_mebibytes_of_malice_end_without_an_answer_or_with_any_but_they_end(text: str) -> None:
    for part in Extract:
        assert isinstance(extract(part, Answer(text=text)), Extracted)
