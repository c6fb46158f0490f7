"""The easy suite itself, without any model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from exporter.records import Extract
from exporter.suites import load_suites

QUESTIONS = load_suites(["./easy.yml"], Path(__file__).parent)


def test_every_question_has_a_wrong_reference_beside_the_right_one() -> None:
    """Whether they hold is found out by loading them."""
    assert all(question.wrong_reference for question in QUESTIONS)


def test_it_is_large_enough_to_be_tested_by_area() -> None:
    areas = Counter(question.area for question in QUESTIONS)
    assert len(QUESTIONS) >= 36
    assert len(areas) >= 3
    assert min(areas.values()) >= 8


def test_whole_answers_are_graded_and_all_have_the_same_room() -> None:
    assert {(question.extract, question.max_tokens) for question in QUESTIONS} == {(Extract.FULL, 256)}
