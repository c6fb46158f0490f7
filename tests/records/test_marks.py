from __future__ import annotations

import pytest

from exporter.records import Grade, Reason
from exporter.records.marks import mark_of, next_attempt

WORDS = {"right": True, "wrong": False, "unusable": None}


def grades_of(text: str) -> list[Grade]:
    """Grades of one question, in order of their tries: "wrong wrong right"."""
    return [
        Grade(
            question_key="k1",
            question_id="q1",
            suite="core",
            area="reasoning",
            sample=0,
            attempt=attempt,
            right=WORDS[word],
            graded_at=0.0,
            reason=None if WORDS[word] is not None else Reason.NETWORK,
        )
        for attempt, word in enumerate(text.split(), start=1)
    ]


@pytest.mark.parametrize(
    ("answers", "mark"),
    [
        ("", None),
        ("right", 0),
        ("wrong", 1),
        ("wrong right", 1),
        ("wrong wrong right", 2),
        ("wrong wrong wrong wrong right", 4),
        ("wrong wrong wrong wrong wrong", 5),
        ("unusable", None),
        ("wrong unusable", 1),
        ("wrong wrong wrong unusable", 3),
    ],
)
def test_a_mark_is_the_number_of_wrong_answers_before_the_first_right_one(answers: str, mark: int | None) -> None:
    assert mark_of(grades_of(answers), tries=5) == mark


def test_a_mark_does_not_depend_on_the_order_in_which_grades_are_listed() -> None:
    assert mark_of(grades_of("wrong wrong right")[::-1], tries=5) == 2
    assert mark_of(grades_of("wrong unusable")[::-1], tries=5) == 1


def test_a_mark_is_never_above_the_number_of_tries() -> None:
    """Grades stored before `tries` was lowered may be more than are asked for now."""
    assert mark_of(grades_of("wrong wrong wrong wrong"), tries=3) == 3
    assert mark_of(grades_of("wrong wrong wrong wrong right"), tries=3) == 3


@pytest.mark.parametrize(
    ("answers", "attempt"),
    [
        ("", 1),
        ("wrong", 2),
        ("wrong wrong", 3),
        ("wrong wrong wrong", None),
        ("right", None),
        ("wrong right", None),
        ("unusable", None),
        ("wrong unusable", None),
    ],
)
def test_only_a_wrong_answer_is_asked_again_until_the_tries_are_used_up(answers: str, attempt: int | None) -> None:
    assert next_attempt(grades_of(answers), tries=3) == attempt
