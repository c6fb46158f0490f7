"""Each comparison in words, as a person reads it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from exporter.records import (
    Anchor,
    Evidence,
    FlipClass,
    Flips,
    HeldOutComparison,
    IdentityChange,
    Reason,
    Skip,
    SkipKind,
    SkippedComparison,
    SuiteComparison,
    TargetComparison,
)
from exporter.reports import comparison_as_dict, describe_comparison, gravest_class

AT = 1_800_000_000.0
COMPARED = SuiteComparison(
    suite="core",
    anchor=Anchor.FROZEN,
    run_ids=tuple(range(1, 16)),
    started_at=AT - 86400,
    questions=34,
    uncompared=0,
    flips=Flips("reference", ("letters-2", "dates-1"), ()),
    flip_class=FlipClass.WEAK,
    p_value=0.1634,
    better_p_value=0.95,
    identity=IdentityChange(Evidence.STRONG, ("m-1",), ("m-1",), changed=False),
    accuracy_ratio=32 / 34,
    before_ratio=1.0,
)


def whole(*suites: SuiteComparison | SkippedComparison, held_out: HeldOutComparison | None = None) -> TargetComparison:
    return TargetComparison("bot", 21, (24,), AT, suites=suites, held_out=held_out)


def details(comparison: SuiteComparison) -> tuple[str, ...]:
    return describe_comparison(whole(comparison))[1][0].details


def headline(comparison: SuiteComparison | SkippedComparison) -> str:
    return describe_comparison(whole(comparison))[1][0].headline


def test_flips_are_told_with_their_class_and_how_often_as_much_flips_by_itself() -> None:
    head, (report,) = describe_comparison(whole(COMPARED))
    assert head == "bot: check 21 of 2027-01-15 08:00 UTC (run 24)"
    assert report.flip_class is FlipClass.WEAK
    assert report.headline == (
        "core against the reference (baseline of 15 runs, frozen): weak, 2 of 34 questions flipped, accuracy 94.1 %, was 100.0 %"
    )
    assert report.details == (
        "lost: letters-2, dates-1",
        "p = 0.16: with nothing changed, 16 % of days are as bad as this: noise explains it",
        "identity (strong evidence): unchanged, m-1",
    )


def test_a_gain_has_a_line_of_its_own() -> None:
    both = replace(COMPARED, flips=Flips("reference", (), ("kana-1",)), p_value=1.0, better_p_value=0.03)
    assert details(both)[:3] == (
        "gained: kana-1",
        "p = 1: with nothing changed, 100 % of days are as bad as this",
        "p = 0.03: with nothing changed, 3 % of days are as good",
    )


@pytest.mark.parametrize(
    ("p_value", "words"),
    [
        (0.5, "p = 0.5: with nothing changed, 50 % of days are as bad as this: noise explains it"),
        (0.0517, "p = 0.052: with nothing changed, 5.2 % of days are as bad as this: noise explains it"),
        (0.0312, "p = 0.031: with nothing changed, 3.1 % of days are as bad as this"),
        (0.00041, "p = 0.00041: with nothing changed, 0.041 % of days are as bad as this"),
        (2.4e-7, "p = 2.4e-07: with nothing changed, less than 0.001 % of days are as bad as this"),
    ],
)
def test_a_p_value_is_said_plainly(p_value: float, words: str) -> None:
    assert details(replace(COMPARED, p_value=p_value))[1] == words


@pytest.mark.parametrize(
    ("anchor", "run_ids", "words"),
    [
        (Anchor.GROWING, (1, 2, 3, 4, 5), "core against the reference (baseline of 5 runs, growing): "),
        (Anchor.PINNED, (3,), "core against the reference (pinned to run 3): "),
        (Anchor.PINNED, (3, 9), "core against the reference (pinned to runs 3, 9): "),
    ],
)
def test_the_reference_is_named(anchor: Anchor, run_ids: tuple[int, ...], words: str) -> None:
    assert headline(replace(COMPARED, anchor=anchor, run_ids=run_ids)).startswith(words)


def test_the_run_before_is_named() -> None:
    previous = replace(COMPARED, anchor=Anchor.PREVIOUS, run_ids=(23,), flips=Flips("previous", (), ()), flip_class=FlipClass.NONE)
    assert headline(previous).startswith("core against the run before (run 23 of 2027-01-14 08:00 UTC): none, 0 of 34 questions flipped")


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        (IdentityChange(Evidence.NONE, (), ("m",), changed=False), "identity: no evidence"),
        (IdentityChange(Evidence.WEAK, ("a", "b"), ("c",), changed=True), "identity (weak evidence): changed from a, b to c"),
        (IdentityChange(Evidence.STRONG, ("a",), (), changed=False), "identity (strong evidence): unchanged, nobody is named"),
    ],
)
def test_who_served_is_told_with_what_that_is_worth(identity: IdentityChange, words: str) -> None:
    assert details(replace(COMPARED, identity=identity))[-1] == words


def test_questions_that_could_not_be_compared_are_counted() -> None:
    assert "not compared, as they lack marks on one side: 3" in details(replace(COMPARED, uncompared=3))


SKIPS = [
    ("reference", Skip(SkipKind.NO_REFERENCE, runs=3, runs_required=5), "no reference yet: 3 of 5 runs are there"),
    ("reference", Skip(SkipKind.OWN_REFERENCE), "no reference yet: this check is part of it, the next one can be compared"),
    ("previous", Skip(SkipKind.NO_PREVIOUS), "there is none yet"),
    ("reference", Skip(SkipKind.NO_MARKS), "nothing to compare: no question has marks on both sides"),
    ("reference", Skip(SkipKind.SUITE_CHANGED, replaced=2), "skipped: suite changed since the reference (2 questions replaced)"),
    (
        "previous",
        Skip(SkipKind.SUITE_CHANGED, replaced=1, added=3),
        "skipped: suite changed since the run before (1 question replaced, 3 added)",
    ),
    (
        "previous",
        Skip(SkipKind.SUITE_CHANGED, replaced=2, removed=1),
        "skipped: suite changed since the run before (2 questions replaced, 1 removed)",
    ),
    ("reference", Skip(SkipKind.SUITE_CHANGED, added=1), "skipped: suite changed since the reference (1 question added)"),
    (
        "reference",
        Skip(SkipKind.BASELINE_RESET, AT, runs=0, runs_required=5),
        "skipped: baseline reset on 2027-01-15, 0 of 5 runs of the new one are there",
    ),
    ("previous", Skip(SkipKind.BASELINE_RESET, AT), "skipped: baseline reset on 2027-01-15"),
    (
        "reference",
        Skip(SkipKind.MODEL_ACCEPTED, AT, runs=2, runs_required=5),
        "skipped: another model accepted on 2027-01-15, 2 of 5 runs of the new one are there",
    ),
    (
        "reference",
        Skip(SkipKind.PROTOCOL_CHANGED, AT, runs=1, runs_required=5),
        "skipped: protocol changed on 2027-01-15, 1 of 5 runs of the new one are there",
    ),
    ("previous", Skip(SkipKind.PROTOCOL_CHANGED), "skipped: protocol changed since the run before"),
]


@pytest.mark.parametrize(("versus", "skip", "words"), SKIPS, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_not_compared_says_why(versus: str, skip: Skip, words: str) -> None:
    since = {"reference": "the reference", "previous": "the run before"}[versus]
    assert headline(SkippedComparison("ours", versus, skip)) == f"ours against {since}: {words}"


def test_every_reason_to_skip_has_its_words() -> None:
    assert {skip.kind for _, skip, _ in SKIPS} == set(SkipKind)


@pytest.mark.parametrize(
    ("held_out", "words"),
    [
        (
            HeldOutComparison(("core",), ("ours",), 0.02, -0.1, 0.12, 0.0031, is_ahead=True),
            "the public suite core pulled ahead of the held-out suite ours by 12 points (p = 0.0031): it may have been trained on",
        ),
        (
            HeldOutComparison(("core", "code"), ("ours",), 0.02, -0.1, 0.12, 0.0031, is_ahead=True),
            "the public suites core, code pulled ahead of the held-out suite ours by 12 points (p = 0.0031): they may have been trained on",
        ),
        (
            HeldOutComparison(("core",), ("ours", "more"), 0.0, -0.083, 0.083, 0.5),
            "public suite core changed by +0.0 points, held-out suites ours, more by -8.3: not ahead beyond chance (p = 0.5)",
        ),
        (
            HeldOutComparison(("core",), ("ours",)),
            "public suite core and held-out suite ours: nothing to compare: both need a comparison with their reference",
        ),
        (HeldOutComparison((), ("ours",)), "held-out suite ours: nothing to compare: no other suite is asked"),
    ],
)
def test_held_out_suites_are_set_against_public_ones(held_out: HeldOutComparison, words: str) -> None:
    _, reports = describe_comparison(whole(COMPARED, held_out=held_out))
    assert (reports[-1].headline, reports[-1].flip_class) == (words, None)


def test_a_target_without_a_check_and_one_that_could_not_be_measured_say_so() -> None:
    assert describe_comparison(TargetComparison("bot")) == ("bot: nothing to compare: it was never checked", ())
    failed = TargetComparison("bot", 7, (9,), AT, Reason.TIMEOUT, "no answer within 90 s")
    assert describe_comparison(failed) == ("bot: nothing to compare: check 7 could not measure (timeout): no answer within 90 s", ())


def test_the_gravest_class_is_that_of_all() -> None:
    previous = replace(COMPARED, flip_class=FlipClass.MEDIUM)
    assert gravest_class([whole(COMPARED), whole(previous, COMPARED)]) is FlipClass.MEDIUM
    assert gravest_class([whole(SkippedComparison("core", "previous", Skip(SkipKind.NO_PREVIOUS))), TargetComparison("bot")]) is None


def test_a_comparison_is_plain_json_with_every_figure() -> None:
    skipped = SkippedComparison("core", "previous", Skip(SkipKind.NO_PREVIOUS))
    held_out = HeldOutComparison(("core",), ("ours",), 0.0, -0.083, 0.083, 0.5)
    document = json.loads(json.dumps(comparison_as_dict(whole(COMPARED, skipped, held_out=held_out)), allow_nan=False))
    assert (document["target"], document["check_id"], document["run_ids"], document["class"], document["reason"]) == (
        "bot",
        21,
        [24],
        "weak",
        None,
    )
    reference, previous = document["suites"]
    assert (reference["suite"], reference["versus"], reference["class"], reference["skipped"]) == ("core", "reference", "weak", None)
    assert (reference["lost"], reference["gained"], reference["p_value"]) == (["letters-2", "dates-1"], [], 0.1634)
    assert reference["identity"] == {"evidence": "strong", "before": ["m-1"], "now": ["m-1"], "changed": False}
    assert (previous["versus"], previous["class"], previous["skipped"]["kind"]) == ("previous", None, "no_previous")
    assert previous["headline"] == "core against the run before: there is none yet"
    assert (document["held_out"]["p_value"], document["held_out"]["is_ahead"]) == (0.5, False)
