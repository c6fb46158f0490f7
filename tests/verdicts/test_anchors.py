"""What a suite is compared with, and when it is not compared at all."""

from __future__ import annotations

from dataclasses import replace

from exporter.records import Anchor, EventKind, Evidence, Question, Reason, Skip, SkipKind, SkippedComparison, SuiteComparison
from exporter.verdicts import compare_check
from tests.verdicts.lives import DAY, START, Life, make_question, make_questions

OURS, THEIRS = "ours", "theirs"


def two_suites() -> tuple[Question, ...]:
    theirs = (replace(question, suite=THEIRS) for question in make_questions({"odd": 6, "even": 6}))
    ours = (replace(question, suite=OURS) for question in make_questions({"house": 4}))
    return (*theirs, *ours)


def told(life: Life) -> dict[tuple[str, str], Skip | SuiteComparison]:
    """Each comparison, or what stands against it, by suite and side."""
    found: dict[tuple[str, str], Skip | SuiteComparison] = {}
    for one in compare_check(life.subject, life.history, life.checks).suites:
        if isinstance(one, SkippedComparison):
            found[one.suite, one.versus] = one.skip
        else:
            found[one.suite, one.flips.versus] = one
    return found


def skip(life: Life, versus: str, suite: str = "made-up") -> Skip | None:
    one = told(life)[suite, versus]
    return one if isinstance(one, Skip) else None


def compared(life: Life, versus: str, suite: str = "made-up") -> SuiteComparison:
    one = told(life)[suite, versus]
    assert isinstance(one, SuiteComparison)
    return one


def replaced(life: Life, old: str, new: str) -> None:
    """A question is edited: another key, the same place."""
    life.questions = tuple(
        replace(make_question(new, question.area), suite=question.suite) if question.id == old else question for question in life.questions
    )


def test_nothing_was_ever_checked() -> None:
    life = Life()
    found = compare_check(life.subject, life.history, life.checks)
    assert (found.check_id, found.suites) == (None, ())


def test_the_first_check_has_nothing_to_be_compared_with() -> None:
    life = Life()
    life.check()
    assert skip(life, "reference") == Skip(SkipKind.NO_REFERENCE, runs=1, runs_required=5)
    assert skip(life, "previous") == Skip(SkipKind.NO_PREVIOUS)


def test_a_baseline_that_collects_is_no_reference_and_the_run_that_completes_it_is_part_of_it() -> None:
    life = Life()
    life.live(4)
    assert skip(life, "reference") == Skip(SkipKind.NO_REFERENCE, runs=4, runs_required=5)
    assert compared(life, "previous").run_ids == (3,)
    life.check()
    assert skip(life, "reference") == Skip(SkipKind.OWN_REFERENCE)
    life.check()
    assert compared(life, "reference").anchor is Anchor.GROWING


def test_the_baseline_is_the_one_that_the_check_was_held_against() -> None:
    """The sixth run joins with the clean eighth check; the eighth was judged without it."""
    life = Life()
    life.live(8)
    assert life.last is not None
    assert len(life.last.baseline.run_ids) == 6
    assert compared(life, "reference").run_ids == (1, 2, 3, 4, 5)


def test_a_frozen_baseline_is_told_as_such() -> None:
    life = Life()
    life.live(18)
    reference = compared(life, "reference")
    assert (reference.anchor, len(reference.run_ids)) == (Anchor.FROZEN, 15)


def test_one_pinned_run_is_the_reference_of_every_suite() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    life.decide(EventKind.PIN, run_ids=(3,))
    life.lose("odd-1", "odd-2", "house-1")
    life.check()
    theirs, ours = compared(life, "reference", THEIRS), compared(life, "reference", OURS)
    assert (theirs.anchor, theirs.run_ids, theirs.flips.lost) == (Anchor.PINNED, (3,), ("odd-1", "odd-2"))
    assert (ours.anchor, ours.run_ids, ours.flips.lost) == (Anchor.PINNED, (3,), ("house-1",))
    assert compared(life, "previous", THEIRS).run_ids == (6,)


def test_each_suite_has_its_own_reference() -> None:
    life = Life(questions=two_suites())
    life.lose("house-1")
    life.live(6)
    life.decide(EventKind.PIN, run_ids=(2, 3, 4, 5, 6), suite=OURS)
    life.lose()
    life.check()
    theirs, ours = compared(life, "reference", THEIRS), compared(life, "reference", OURS)
    assert (theirs.anchor, theirs.run_ids) == (Anchor.GROWING, (1, 2, 3, 4, 5))
    assert (ours.anchor, ours.run_ids, ours.flips.gained) == (Anchor.PINNED, (2, 3, 4, 5, 6), ("house-1",))


def test_a_pinned_suite_has_its_reference_while_the_rest_collects() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    life.decide(EventKind.RESET)
    life.decide(EventKind.PIN, run_ids=(1, 2, 3, 4, 5), suite=OURS)
    life.check()
    assert compared(life, "reference", OURS).anchor is Anchor.PINNED
    assert skip(life, "reference", THEIRS) == Skip(SkipKind.BASELINE_RESET, START + 6 * DAY + 7300, runs=1, runs_required=5)


def test_a_later_pin_of_all_wins_over_that_of_a_suite() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    life.decide(EventKind.PIN, run_ids=(1, 2, 3, 4, 5), suite=OURS)
    life.decide(EventKind.PIN, run_ids=(6,))
    life.check()
    assert compared(life, "reference", OURS).run_ids == (6,)


def test_a_run_is_not_compared_with_itself() -> None:
    life = Life()
    life.live(6)
    life.decide(EventKind.PIN, run_ids=(6,))
    assert skip(life, "reference") == Skip(SkipKind.OWN_REFERENCE)
    assert compared(life, "previous").run_ids == (5,)


def test_a_reset_skips_both_sides_until_there_is_something_new() -> None:
    life = Life()
    life.live(6)
    life.decide(EventKind.RESET)
    reset_at = START + 6 * DAY + 7300
    assert skip(life, "reference") == Skip(SkipKind.BASELINE_RESET, reset_at, runs=0, runs_required=5)
    assert compared(life, "previous").run_ids == (5,)
    life.check()
    assert skip(life, "reference") == Skip(SkipKind.BASELINE_RESET, reset_at, runs=1, runs_required=5)
    assert skip(life, "previous") == Skip(SkipKind.BASELINE_RESET, reset_at)
    life.check()
    assert compared(life, "previous").run_ids == (7,)
    life.live(4)
    assert compared(life, "reference").run_ids == (7, 8, 9, 10, 11)


def test_an_accepted_model_skips_the_reference_only() -> None:
    life = Life(evidence=Evidence.STRONG)
    life.live(5)
    life.identity = lambda question: "model-2"
    life.check()
    life.decide(EventKind.ACCEPT, identity="model-2")
    life.check()
    assert skip(life, "reference") == Skip(SkipKind.MODEL_ACCEPTED, START + 6 * DAY + 7300, runs=2, runs_required=5)
    assert compared(life, "previous").identity.changed is False


def test_another_protocol_skips_both_sides() -> None:
    life = Life()
    life.live(6)
    life.protocol = "protocol-2"
    assert skip(life, "reference") == Skip(SkipKind.PROTOCOL_CHANGED)
    assert compared(life, "previous").run_ids == (5,)
    life.check()
    assert skip(life, "reference") == Skip(SkipKind.PROTOCOL_CHANGED, START + 7 * DAY, runs=1, runs_required=5)
    assert skip(life, "previous") == Skip(SkipKind.PROTOCOL_CHANGED)


def test_a_check_of_another_protocol_is_not_held_against_the_identities_of_this_one() -> None:
    """The config was changed, and is back: the last two checks were asked in the other way, and partly answered by another model."""
    life = Life(evidence=Evidence.STRONG)
    life.live(6)
    life.protocol, life.identity = "protocol-2", lambda question: "model-2" if question.id in ("japanese-1", "japanese-2") else "model-1"
    life.live(2)
    life.protocol = "protocol-1"
    assert skip(life, "reference") == Skip(SkipKind.PROTOCOL_CHANGED)
    assert (compared(life, "previous").run_ids, compared(life, "previous").uncompared) == ((7,), 0)


def test_a_protocol_that_is_kept_is_compared() -> None:
    life = Life()
    life.live(6)
    life.protocol = "protocol-2"
    life.decide(EventKind.KEEP, from_protocol="protocol-1")
    life.check()
    assert compared(life, "reference").run_ids == (1, 2, 3, 4, 5)
    assert compared(life, "previous").run_ids == (6,)


def test_a_changed_suite_is_skipped_and_the_other_one_is_not() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    replaced(life, "house-1", "house-1b")
    replaced(life, "house-2", "house-2b")
    both = Skip(SkipKind.SUITE_CHANGED, replaced=2)
    assert (skip(life, "reference", OURS), skip(life, "previous", OURS)) == (both, both)
    life.check()
    assert (skip(life, "reference", OURS), skip(life, "previous", OURS)) == (both, both)
    assert compared(life, "reference", THEIRS).questions == compared(life, "previous", THEIRS).questions == 12
    life.check()
    assert skip(life, "reference", OURS) == both
    assert compared(life, "previous", OURS).questions == 4


def test_an_edited_question_is_compared_again_once_it_has_marks_of_its_own() -> None:
    life = Life(questions=two_suites())
    life.live(18)
    replaced(life, "house-1", "house-1b")
    life.live(5)
    assert skip(life, "reference", OURS) == Skip(SkipKind.SUITE_CHANGED, replaced=1)
    life.lose("house-1b")
    life.check()
    assert compared(life, "reference", OURS).flips.lost == ("house-1b",)


def test_added_and_removed_questions_are_told_apart() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    life.questions = (*life.questions[:-1], *(replace(make_question(name, "house"), suite=OURS) for name in ("new-1", "new-2")))
    life.check()
    assert skip(life, "reference", OURS) == Skip(SkipKind.SUITE_CHANGED, replaced=1, added=1)


def test_a_question_that_was_only_removed_does_no_harm() -> None:
    life = Life(questions=two_suites())
    life.live(6)
    life.questions = life.questions[:-1]
    life.check()
    assert compared(life, "reference", OURS).questions == compared(life, "previous", OURS).questions == 3


def test_a_suite_that_was_added_has_no_reference_yet() -> None:
    life = Life(questions=two_suites()[:12])
    life.live(18)
    life.questions = two_suites()
    life.live(2)
    assert skip(life, "reference", OURS) == Skip(SkipKind.NO_REFERENCE, runs=2, runs_required=5)
    assert compared(life, "previous", OURS).questions == 4
    life.live(3)
    assert skip(life, "reference", OURS) == Skip(SkipKind.OWN_REFERENCE)
    life.check()
    assert compared(life, "reference", OURS).questions == 4


def test_a_failed_check_is_not_compared() -> None:
    life = Life()
    life.live(6)
    life.check(failed=Reason.TIMEOUT)
    found = compare_check(life.subject, life.history, life.checks)
    assert (found.check_id, found.reason, found.reason_message, found.suites) == (7, Reason.TIMEOUT, "the provider says timeout", ())


def test_the_run_before_is_the_last_one_that_was_measured() -> None:
    life = Life()
    life.live(6)
    life.check(failed=Reason.TIMEOUT)
    life.check()
    assert compared(life, "previous").run_ids == (6,)


def test_a_suite_without_one_usable_answer_has_nothing_to_compare() -> None:
    life = Life(questions=two_suites(), decision=Life().decision.model_copy(update={"max_error_rate": 0.5}))
    life.live(6)
    life.marks = lambda question, run_id: Reason.REFUSAL if question.suite == OURS else 0
    life.check()
    assert (skip(life, "reference", OURS), skip(life, "previous", OURS)) == (Skip(SkipKind.NO_MARKS), Skip(SkipKind.NO_MARKS))
