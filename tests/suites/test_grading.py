from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.records import Answer, Extract, Ruling, ToolCall
from exporter.suites import grade
from exporter.suites.grading import find_reference_faults
from tests.suites.examples import make_question

GRADERS: list[dict[str, Any]] = [
    {"kind": "exact", "answers": ["no"]},
    {"kind": "exact", "answers": ["no"], "strict": True},
    {"kind": "number", "value": 42},
    {"kind": "number", "value": "3/4", "units": ["km²"]},
    {"kind": "regex", "patterns": [r"^(\w+\s?)+$"], "forbid": ["x"]},
    {"kind": "json", "equals": {"a": [1]}, "unordered": True},
    {"kind": "json_schema", "schema": {"type": "array", "uniqueItems": True, "items": {"pattern": "^a"}}, "find": "anywhere"},
    {"kind": "refusal", "expected": "refuse"},
    {"kind": "tool_call", "name": "find", "arguments": {"a": 1}},
]
NO = make_question(GRADERS[0])


def test_a_right_answer_is_right() -> None:
    assert grade(NO, Answer(text="Let me see.\n\n**ANSWER:** No.")) == Ruling(right=True, answer_hash="9390298f3fb0c5b1")


def test_a_wrong_answer_is_wrong() -> None:
    ruling = grade(NO, Answer(text="ANSWER: yes"))
    assert not ruling.right
    assert not ruling.answer_line_missing


def test_an_answer_without_its_line_is_wrong_and_counted_as_such() -> None:
    ruling = grade(NO, Answer(text="no"))
    assert not ruling.right
    assert ruling.answer_line_missing


def test_a_whole_answer_needs_no_line() -> None:
    assert grade(make_question(GRADERS[0], Extract.FULL), Answer(text="No.")).right


def test_tool_calls_are_graded_as_json() -> None:
    question = make_question({"kind": "json", "equals": [{"name": "find", "arguments": {"id": 7}}]}, Extract.TOOL_CALL)
    assert grade(question, Answer(tool_calls=(ToolCall("find", {"id": 7}),))).right
    assert not grade(question, Answer(tool_calls=(ToolCall("find", None),))).right


@pytest.mark.parametrize("text", ["ANSWER: no", "**ANSWER:** No.", "answer:\n“NO”", "Something else first.\nANSWER: ｎｏ"])
def test_answers_that_differ_only_in_dress_have_one_hash(text: str) -> None:
    assert grade(NO, Answer(text=text)).answer_hash == grade(NO, Answer(text="ANSWER: no")).answer_hash


@pytest.mark.parametrize("text", ["ANSWER: yes", "ANSWER: no no", "no", "", "maybe"])
def test_other_answers_have_other_hashes(text: str) -> None:
    assert grade(NO, Answer(text=text)).answer_hash != grade(NO, Answer(text="ANSWER: nope")).answer_hash


def test_the_hash_does_not_hold_the_answer() -> None:
    assert len(grade(NO, Answer(text="ANSWER: " + "secret " * 9000)).answer_hash) == 16


PIECES = st.sampled_from(
    [
        "ANSWER:",
        "ANSWER: ",
        "**",
        "\n",
        "```",
        "json\n",
        "\\boxed{",
        "\\text{",
        "}",
        "<think>",
        "</think>",
        "$",
        "42",
        "3/4",
        "no",
        '{"a": [1]}',
        "\ud800",
    ]
)


@given(
    st.text() | st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join), st.sampled_from(GRADERS), st.sampled_from(list(Extract))
)
def test_grading_never_raises(text: str, grader: dict[str, Any], extract: Extract) -> None:
    ruling = grade(make_question(grader, extract), Answer(text=text))
    assert isinstance(ruling, Ruling)
    assert len(ruling.answer_hash) == 16


@given(st.text(st.characters(categories=["Ll", "Nd", "Lo"]), min_size=1, max_size=20), st.text(max_size=50))
def test_an_answer_line_below_any_text_is_found(answer: str, before: str) -> None:
    question = make_question({"kind": "exact", "answers": [answer]})
    assert grade(question, Answer(text=f"{before.replace('<', '')}\n\nANSWER: {answer}")).right


def test_references_that_hold_are_not_mentioned() -> None:
    assert find_reference_faults(make_question(GRADERS[0], reference="ANSWER: no", wrong_reference="ANSWER: yes")) == []


def test_references_that_do_not_hold_are_all_told() -> None:
    assert find_reference_faults(make_question(GRADERS[0], reference="no")) == [
        ("reference", "has no ANSWER line", "end it with a line ANSWER: and the answer, or set extract: full")
    ]
    assert find_reference_faults(make_question(GRADERS[0], reference="ANSWER: yes", wrong_reference="ANSWER: no")) == [
        ("reference", "fails its own grader", "correct the reference or the grader"),
        ("wrong_reference", "passes the grader", "make the grader stricter, or the wrong reference wrong"),
    ]
