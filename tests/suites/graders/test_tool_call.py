from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.records import Answer, Extract, ToolCall
from exporter.suites import grade
from tests.suites.examples import make_question

BOOK: dict[str, Any] = {"room": "maple", "people": 6, "notes": {"tags": ["a", "b"]}}


def accepts(*calls: ToolCall, arguments: dict[str, Any] = BOOK, **settings: Any) -> bool:
    grader = {"kind": "tool_call", "name": "book", "arguments": arguments, **settings}
    return grade(make_question(grader, Extract.TOOL_CALL), Answer(text="Let me do that.", tool_calls=calls)).right


@pytest.mark.parametrize(
    "arguments",
    [
        BOOK,
        {"notes": {"tags": ["a", "b"]}, "people": 6, "room": "maple"},
        {**BOOK, "people": 6.0},
        {**BOOK, "room": " maple\n"},
        {**BOOK, "notes": {"tags": ["a ", "b"]}},
    ],
)
def test_arguments_are_compared_as_json_values(arguments: dict[str, Any]) -> None:
    assert accepts(ToolCall("book", arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        None,
        {},
        {**BOOK, "people": "6"},
        {**BOOK, "people": 7},
        {**BOOK, "people": True},
        {**BOOK, "people": float("nan")},
        {**BOOK, "room": "Maple"},
        {**BOOK, "room": None},
        {**BOOK, "notes": {"tags": ["b", "a"]}},
        {**BOOK, "notes": json.dumps(BOOK["notes"])},
        {**BOOK, "colour": "red"},
        {name: value for name, value in BOOK.items() if name != "notes"},
    ],
)
def test_other_arguments_are_wrong(arguments: dict[str, Any] | None) -> None:
    assert not accepts(ToolCall("book", arguments))


def test_one_is_not_true() -> None:
    assert not accepts(ToolCall("book", {"n": True}), arguments={"n": 1})


def test_an_optional_argument_may_be_there_with_any_value_and_no_other() -> None:
    assert accepts(ToolCall("book", {**BOOK, "colour": ["red"]}), optional=["colour"])
    assert accepts(ToolCall("book", BOOK), optional=["colour"])
    assert not accepts(ToolCall("book", {**BOOK, "size": 1}), optional=["colour"])


def test_an_optional_argument_that_is_listed_too_has_its_value() -> None:
    assert not accepts(ToolCall("book", {**BOOK, "people": 7}), optional=["people"])


def test_without_a_position_it_must_be_the_only_call() -> None:
    right, other = ToolCall("book", BOOK), ToolCall("cancel", {})
    assert [accepts(*calls) for calls in ((right,), (right, other), (other, right), (right, right), ())] == [
        True,
        False,
        False,
        False,
        False,
    ]


def test_a_position_counts_from_one_and_leaves_the_others_alone() -> None:
    right, other = ToolCall("book", BOOK), ToolCall("cancel", None)
    assert [accepts(*calls, position=1) for calls in ((right,), (right, other), (other, right), ())] == [True, True, False, False]
    assert [accepts(*calls, position=2) for calls in ((right,), (right, other), (other, right), (right, right))] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("name", ["Book", "book ", "", "functions.book", "cancel"])
def test_another_tool_is_wrong(name: str) -> None:
    assert not accepts(ToolCall(name, BOOK))


def test_a_call_in_words_is_none() -> None:
    question = make_question({"kind": "tool_call", "name": "book", "arguments": BOOK}, Extract.TOOL_CALL)
    assert not grade(question, Answer(text=json.dumps({"name": "book", "arguments": BOOK}))).right


def test_arguments_nested_past_all_reason_are_wrong() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    assert not accepts(ToolCall("book", {"room": nested}))
