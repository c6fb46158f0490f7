"""What is no mistake in a suite and yet looks like one. Pure, but for answers that have to be run (`grading`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exporter.errors import Problem
from exporter.records import Answer, Question
from exporter.suites.graders import read_grader
from exporter.suites.grading import UNTRIED, answer_of, grade
from exporter.suites.instruction import drop_instruction
from exporter.suites.patterns import compile_pattern
from exporter.suites.reading import PlacedQuestion
from exporter.suites.text import fold

_UNLIKE = ("a", "7", "?", "い", "no idea")
"""Texts that have nothing in common: what is right for all of them is right for any."""

_RUN = 3
_NEAR = 0.8


def find_warnings(placed: Sequence[PlacedQuestion]) -> list[Problem]:
    """Graders that let everything pass, or nothing at all; references that could not be tried; questions that ask nearly the same."""
    return [*(problem for one in placed for problem in (*_find_lenient(one), *_find_untried(one))), *_find_near(placed)]


def _find_lenient(one: PlacedQuestion) -> Iterator[Problem]:
    """A pattern that matches everything; a grader without one that accepts an empty answer, or nearly every other."""
    question = one.question
    by_patterns = question.grader["kind"] == "regex"
    patterns = question.grader.get("patterns", ()) if by_patterns else ()
    needless = [index for index, pattern in enumerate(patterns) if all(compile_pattern(pattern).matches(text) for text in _UNLIKE)]
    for index in needless:
        yield Problem(one.where("grader", "patterns", index), "matches every answer", "write what a right one must hold, or leave it out")
    if len(needless) < len(patterns) or not patterns:
        if grade(question, Answer(text="")).right:
            yield Problem(one.where("grader"), "accepts an empty answer", "say what a right one must hold")
        elif by_patterns and all(read_grader(question.grader).accepts(text) for text in _UNLIKE):
            yield Problem(one.where("grader"), "accepts nearly every answer", "say what a right one must hold")


def _find_untried(one: PlacedQuestion) -> Iterator[Problem]:
    """A reference that no sandbox would run; the question is used all the same, as it may be run another time."""
    if one.question.grader["kind"] == "python":
        ruling = grade(one.question, answer_of(one.question, one.question.reference))
        if ruling.message in UNTRIED.values():
            fix = "try again; if it stays so, no answer can be graded here, and the question is better left out"
            yield Problem(one.where("reference"), f"could not be run: {ruling.message}", fix)


def _find_near(placed: Sequence[PlacedQuestion]) -> Iterator[Problem]:
    """Pairs whose prompts share four fifths of their runs of three characters, and whose references pass for each other."""
    runs = sorted(((_runs_of(drop_instruction(one.question.prompt)), one) for one in placed), key=lambda pair: len(pair[0]))
    for at, (small, one) in enumerate(runs):
        for large, other in runs[at + 1 :]:
            if len(small) < _NEAR * len(large):
                break
            common = len(small & large)
            if common >= _NEAR * (len(small) + len(large) - common) and _pass_for_each_other(one.question, other.question):
                later, earlier = sorted((one, other), key=placed.index, reverse=True)
                what = f'asks nearly the same as "{earlier.question.id}", with the same answer'
                yield Problem(later.where("prompt"), what, "drop one of them, as both are lost together")


def _runs_of(prompt: str) -> frozenset[str]:
    text = fold(prompt)
    return frozenset(text[at : at + _RUN] for at in range(max(1, len(text) - _RUN + 1)))


def _pass_for_each_other(one: Question, other: Question) -> bool:
    return all(grade(first, answer_of(second, second.reference)).right for first, second in ((one, other), (other, one)))
