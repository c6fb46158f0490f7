"""What flipped, what class that is, and the p-value beside it."""

from __future__ import annotations

import pytest

from exporter.records import Anchor, Evidence, FlipClass, IdentityChange, Reason, SuiteComparison, TargetComparison
from exporter.verdicts import compare_check
from exporter.verdicts.compare import classify
from tests.verdicts.lives import Life, make_questions

SAME = IdentityChange(Evidence.STRONG, ("a",), ("a",), changed=False)


def other(evidence: Evidence) -> IdentityChange:
    return IdentityChange(evidence, ("a",), ("b",), changed=True)


CLASSES = [
    (0, 12, SAME, None, "none"),
    (1, 12, SAME, None, "weak"),
    (2, 12, SAME, None, "medium"),
    (2, 20, SAME, None, "medium"),
    (2, 21, SAME, None, "weak"),
    (3, 21, SAME, None, "medium"),
    (3, 34, SAME, None, "weak"),
    (4, 34, SAME, None, "medium"),
    (3, 30, SAME, None, "medium"),
    (34, 34, SAME, None, "medium"),
    (2, 12, SAME, 3, "weak"),
    (3, 34, SAME, 3, "medium"),
    (4, 34, SAME, 5, "weak"),
    (0, 12, SAME, 1, "none"),
    (0, 12, other(Evidence.STRONG), None, "strong"),
    (1, 12, other(Evidence.STRONG), 9, "strong"),
    (1, 12, other(Evidence.WEAK), None, "weak"),
    (12, 12, other(Evidence.WEAK), None, "medium"),
]


@pytest.mark.parametrize(("flips", "questions", "identity", "medium_flip_count", "expected"), CLASSES)
def test_the_class_of_flips(flips: int, questions: int, identity: IdentityChange, medium_flip_count: int | None, expected: str) -> None:
    assert classify(flips, questions, identity, medium_flip_count) is FlipClass(expected)


def compare(life: Life, **settings: int) -> TargetComparison:
    return compare_check(life.subject, life.history, life.checks, **settings)  # type: ignore[arg-type]  # settings by name


def sides(life: Life, **settings: int) -> list[SuiteComparison]:
    """Both comparisons of a life with one suite, made in full."""
    found = [one for one in compare(life, **settings).suites if isinstance(one, SuiteComparison)]
    assert len(found) == 2
    return found


def twelve(**fields: object) -> Life:
    return Life(questions=make_questions({"odd": 6, "even": 6}), **fields)  # type: ignore[arg-type]  # fields of Life by name


def test_one_lost_question_is_weak_and_p_says_how_little_that_is() -> None:
    life = twelve()
    life.live(5)
    life.lose("odd-1")
    life.check()
    reference, previous = sides(life)
    assert (reference.anchor, reference.run_ids, previous.anchor, previous.run_ids) == (
        Anchor.GROWING,
        (1, 2, 3, 4, 5),
        Anchor.PREVIOUS,
        (5,),
    )
    for one, p_value in ((reference, 1 / 6), (previous, 1 / 2)):
        assert (one.flip_class, one.flips.lost, one.flips.gained, one.questions) == (FlipClass.WEAK, ("odd-1",), (), 12)
        assert one.p_value == pytest.approx(p_value, rel=1e-12)
        assert one.better_p_value == pytest.approx(1.0, rel=1e-12)
        assert (one.accuracy_ratio, one.before_ratio) == (11 / 12, 1.0)


def test_lost_is_what_both_runs_of_a_check_have_lost() -> None:
    life = twelve()
    life.live(5)
    tries = life.decision.tries
    life.marks = lambda question, run_id: (
        tries if question.id in ("odd-1", "odd-2", "odd-3", "odd-4") and (run_id, question.id) != (7, "odd-4") else 0
    )
    life.check()
    assert compare(life).run_ids == (6, 7)
    reference, previous = sides(life)
    assert reference.flips.lost == previous.flips.lost == ("odd-1", "odd-2", "odd-3")
    # three questions: both new runs are the two worst of seven; the fourth: one new score of two is the worst of seven
    assert reference.p_value == pytest.approx((1 / 21) ** 3 * (2 / 7), rel=1e-9)


def test_a_gain_is_a_flip_with_a_p_of_its_own() -> None:
    life = twelve()
    life.lose("even-1", "even-2")
    life.live(5)
    life.lose()
    life.check()
    reference, previous = sides(life)
    assert (reference.flips.lost, reference.flips.gained, reference.flip_class) == ((), ("even-1", "even-2"), FlipClass.MEDIUM)
    assert reference.p_value == pytest.approx(1.0)
    assert reference.better_p_value == pytest.approx(1 / 36, rel=1e-12)
    assert previous.better_p_value == pytest.approx(1 / 4, rel=1e-12)


def test_right_in_half_of_the_reference_is_not_right() -> None:
    life = twelve()
    life.marks = lambda question, run_id: 5 if question.id == "odd-1" and run_id in (1, 2, 3) else 0
    life.live(6)
    reference, previous = sides(life)
    assert (reference.flips.gained, previous.flips.gained) == (("odd-1",), ())


def test_the_count_of_a_medium_class_can_be_chosen() -> None:
    life = twelve()
    life.live(5)
    life.lose("odd-1", "even-1")
    life.check()
    assert [one.flip_class.value for one in sides(life)] == ["medium", "medium"]
    assert [one.flip_class.value for one in sides(life, medium_flip_count=3)] == ["weak", "weak"]


@pytest.mark.parametrize(
    ("evidence", "flip_class", "changed"),
    [(Evidence.STRONG, "strong", True), (Evidence.WEAK, "none", True), (Evidence.NONE, "none", False)],
)
def test_another_model_is_strong_only_where_its_name_proves_something(evidence: Evidence, flip_class: str, changed: bool) -> None:
    life = twelve(evidence=evidence)
    life.live(5)
    life.identity = lambda question: "model-2"
    life.check()
    for one in sides(life):
        assert (one.flip_class, one.identity.evidence, one.identity.now, one.identity.changed) == (
            flip_class,
            evidence,
            ("model-2",),
            changed,
        )


def test_a_model_that_changed_once_is_no_change_against_the_run_after() -> None:
    life = twelve(evidence=Evidence.STRONG)
    life.live(5)
    life.identity = lambda question: "model-2"
    life.live(2)
    reference, previous = sides(life)
    assert (reference.flip_class, previous.flip_class, previous.identity.before) == (FlipClass.STRONG, FlipClass.NONE, ("model-2",))


def test_a_few_answers_of_another_model_are_no_strong_evidence() -> None:
    life = twelve(evidence=Evidence.STRONG)
    life.live(5)
    life.identity = lambda question: "model-2" if question.id == "odd-1" else "model-1"
    life.check()
    reference, _ = sides(life)
    assert (reference.flip_class, reference.questions, reference.uncompared) == (FlipClass.NONE, 11, 1)


def test_an_unusable_answer_is_no_flip() -> None:
    life = twelve()
    life.live(5)
    life.marks = lambda question, run_id: Reason.TIMEOUT if question.id == "odd-1" else 0
    life.check()
    for one in sides(life):
        assert (one.flip_class, one.questions, one.uncompared, one.p_value) == (FlipClass.NONE, 11, 1, 1.0)
