"""A public suite that pulls ahead of one that nobody has seen."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

from exporter.records import HeldOutComparison, Question
from exporter.verdicts import compare_check
from tests.verdicts.lives import Life, make_questions

HIDDEN = tuple(f"hidden-{number}" for number in range(1, 11))
PUBLIC = tuple(f"public-{number}" for number in range(1, 21))


def twenty_and_ten() -> tuple[Question, ...]:
    return tuple(replace(question, suite=question.area) for question in make_questions({"public": 20, "hidden": 10}))


def held_out(life: Life, *suites: str) -> HeldOutComparison | None:
    return compare_check(life.subject, life.history, life.checks, held_out=suites).held_out


def after(lost_before: tuple[str, ...], lost_now: tuple[str, ...]) -> HeldOutComparison:
    life = Life(questions=twenty_and_ten())
    life.lose(*lost_before)
    life.live(5)
    life.lose(*lost_now)
    life.check()
    found = held_out(life, "hidden")
    assert found is not None
    return found


def test_a_loss_of_the_held_out_suite_alone_lets_the_public_one_pull_ahead() -> None:
    found = after((), HIDDEN[:5])
    assert (found.public, found.held_out, found.public_change_ratio, found.held_out_change_ratio) == (("public",), ("hidden",), 0.0, -0.5)
    # Fisher: all five losses among the ten of thirty
    assert found.p_value == pytest.approx(comb(10, 5) / comb(30, 5), rel=1e-9)
    assert (found.ahead_ratio, found.is_ahead) == (0.5, True)


def test_a_gain_of_the_public_suite_alone_is_pulling_ahead_too() -> None:
    found = after((*PUBLIC[:10], *HIDDEN[:5]), HIDDEN[:5])
    assert (found.public_change_ratio, found.held_out_change_ratio) == (0.5, 0.0)
    assert found.p_value == pytest.approx(comb(20, 10) / comb(30, 10), rel=1e-9)
    assert found.is_ahead


def test_a_loss_of_both_is_nothing_to_tell() -> None:
    found = after((), (*PUBLIC[:10], *HIDDEN[:6]))
    assert found.ahead_ratio == pytest.approx(0.1)
    assert found.p_value is not None
    assert found.p_value > 0.3
    assert not found.is_ahead


def test_a_public_suite_that_falls_behind_is_not_ahead() -> None:
    found = after((), PUBLIC[:15])
    assert (found.ahead_ratio, found.is_ahead) == (-0.75, False)
    assert found.p_value == pytest.approx(1.0)


def test_one_lost_question_is_chance() -> None:
    found = after((), HIDDEN[:1])
    assert found.p_value == pytest.approx(1 / 3)
    assert not found.is_ahead


def test_without_a_reference_there_is_nothing_to_compare() -> None:
    life = Life(questions=twenty_and_ten())
    life.live(2)
    assert held_out(life, "hidden") == HeldOutComparison(("public",), ("hidden",))


def test_a_target_that_is_asked_only_held_out_suites_has_no_public_side() -> None:
    life = Life(questions=twenty_and_ten())
    life.live(6)
    assert held_out(life, "hidden", "public") == HeldOutComparison((), ("public", "hidden"))


def test_a_target_that_is_asked_no_held_out_suite_is_not_compared_in_this_way() -> None:
    life = Life(questions=twenty_and_ten())
    life.live(6)
    assert held_out(life, "another") is None
    assert held_out(life) is None
