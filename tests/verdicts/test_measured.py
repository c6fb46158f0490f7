"""A run reduced to what the tests look at."""

from __future__ import annotations

from math import log

import pytest

from exporter.records import Grade, Reason, Run, RunState
from exporter.verdicts.measured import measure


def a_grade(key: str, sample: int, attempt: int, right: bool | None, tokens: int = 100) -> Grade:
    reason = Reason.TRUNCATED if right is None else None
    return Grade(key, key, "suite", "area", sample, attempt, right, 0.0, reason, output_tokens=tokens, input_tokens=20)


def a_run(*grades: Grade) -> Run:
    return Run(1, 1, "bot", 1, "p1", 0.0, 600.0, RunState.MEASURED, grades=grades)


def test_grades_count_in_the_order_of_samples_and_tries_however_they_come() -> None:
    run = a_run(
        a_grade("q1", 1, 3, right=True, tokens=1),
        a_grade("q2", 0, 1, right=True, tokens=50),
        a_grade("q1", 0, 1, right=True, tokens=100),
        a_grade("q2", 1, 1, right=True, tokens=50),
        a_grade("q1", 1, 1, right=False, tokens=200),
        a_grade("q1", 1, 2, right=False, tokens=1),
    )
    measured = measure(run, 5)
    assert measured.scores == {"q1": 0 + 3, "q2": 0}
    assert measured.right == {"q1": 0.5, "q2": 1.0}
    assert measured.solved == {"q1": 1.0, "q2": 1.0}
    assert measured.log_tokens == pytest.approx({"q1": (log(100) + log(200)) / 2, "q2": log(50)})
    assert measured.token_scores == {"q1": round(20 * log(100)) + round(20 * log(200)), "q2": 2 * round(20 * log(50))}
    assert (measured.answers, measured.usable, measured.heard) == (4, 6, {"q1", "q2"})


def test_a_question_that_lacks_a_sample_has_no_mark() -> None:
    measured = measure(a_run(a_grade("q1", 0, 1, right=True), a_grade("q2", 0, 1, right=True), a_grade("q2", 1, 1, right=True)), 5)
    assert measured.scores == {"q2": 0}
    assert measured.log_tokens.keys() == {"q2"}
    assert measured.heard == {"q2"}


def test_an_unusable_first_answer_leaves_a_reason_and_no_length() -> None:
    measured = measure(a_run(a_grade("q1", 0, 1, right=None), a_grade("q2", 0, 1, right=True)), 5)
    assert measured.scores == {"q2": 0}
    assert measured.errors == {"q1": Reason.TRUNCATED}
    assert measured.log_tokens.keys() == {"q2"}
    assert measured.truncated == {"q1": 1}
