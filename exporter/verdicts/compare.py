"""Questions lost and gained, and the class they come to: for people to read, it decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.records import Anchor, Evidence, FlipClass, Flips, IdentityChange, Question, SuiteComparison
from exporter.statistics.stratified import Stratum, exact_test
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun, mean_share

REFERENCE = "reference"
PREVIOUS = "previous"

FEW_QUESTIONS = 20
"""Up to so many questions, MEDIUM_FLIP_COUNT flips are medium; with more of them, one question in ten."""

MEDIUM_FLIP_COUNT = 2


@dataclass(frozen=True, slots=True)
class Side:
    """What a suite is compared with: by question key the runs that hold its marks, and the identities that served them."""

    anchor: Anchor
    runs_of: Mapping[str, tuple[MeasuredRun, ...]]
    identities: frozenset[str]

    @property
    def runs(self) -> tuple[MeasuredRun, ...]:
        """Every run that marks of some question are taken from, oldest first."""
        by_id = {run.id: run for runs in self.runs_of.values() for run in runs}
        return tuple(by_id[run_id] for run_id in sorted(by_id))


def find_flips(
    baseline: Baseline, runs: Sequence[MeasuredRun], previous: MeasuredRun | None, questions: Sequence[Question]
) -> tuple[Flips, ...]:
    """Flips against the baseline's majority (reference) and against the run before (previous), where there is one.

    A question is lost where it was right and is now wrong at the first try in every run of the check; gained likewise.
    """
    found = []
    if baseline.ready:
        found.append(_flips(REFERENCE, _majority(baseline.by_question, questions), runs, questions))
    if previous is not None:
        before = {question.key: (previous,) for question in questions}
        found.append(_flips(PREVIOUS, _majority(before, questions), runs, questions))
    return tuple(found)


def compare_suite(
    suite: str,
    side: Side,
    runs: Sequence[MeasuredRun],
    served: Sequence[str],
    questions: Sequence[Question],
    *,
    evidence: Evidence,
    is_changed: bool,
    medium_flip_count: int | None = None,
) -> SuiteComparison | None:
    """The runs of a check against one side, over those `questions` that have marks in both; None where none has.

    `served` are the identities of the check's first run, `is_changed` says whether most of its answers came from outside the
    side's. The p-values are those of the exact test with the suite's questions as strata.
    """
    both = [q for q in questions if _scores(side.runs_of.get(q.key, ()), q.key) and _scores(runs, q.key)]
    if not both:
        return None
    versus = PREVIOUS if side.anchor is Anchor.PREVIOUS else REFERENCE
    flips = _flips(versus, _majority(side.runs_of, both), runs, both)
    tails = exact_test(Stratum(_scores(side.runs_of[q.key], q.key), _scores(runs, q.key)) for q in both)
    identity = IdentityChange(evidence, tuple(sorted(side.identities)), tuple(served), is_changed and evidence is not Evidence.NONE)
    return SuiteComparison(
        suite=suite,
        anchor=side.anchor,
        run_ids=tuple(run.id for run in side.runs),
        started_at=max(run.started_at for run in side.runs),
        questions=len(both),
        uncompared=len(questions) - len(both),
        flips=flips,
        flip_class=classify(len(flips.lost) + len(flips.gained), len(both), identity, medium_flip_count),
        p_value=tails.upper,
        better_p_value=tails.lower,
        identity=identity,
        accuracy_ratio=sum(mean_right(runs, q.key) for q in both) / len(both),
        before_ratio=sum(mean_right(side.runs_of[q.key], q.key) for q in both) / len(both),
    )


def classify(flips: int, questions: int, identity: IdentityChange, medium_flip_count: int | None = None) -> FlipClass:
    """The class of so many flips among so many questions.

    Strong is proof, whatever flipped: strong identity evidence, and it changed. Without it no number of flips is more than
    medium. `medium_flip_count` replaces the rule of what is medium, for suites of every size.
    """
    if identity.changed and identity.evidence is Evidence.STRONG:
        return FlipClass.STRONG
    if flips == 0:
        return FlipClass.NONE
    if medium_flip_count is not None:
        is_medium = flips >= medium_flip_count
    else:
        is_medium = flips >= MEDIUM_FLIP_COUNT if questions <= FEW_QUESTIONS else flips * 10 >= questions
    return FlipClass.MEDIUM if is_medium else FlipClass.WEAK


def by_suite(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Questions grouped by suite, suites in the order in which they first come."""
    suites: dict[str, list[Question]] = {}
    for question in questions:
        suites.setdefault(question.suite, []).append(question)
    return suites


def mean_right(runs: Sequence[MeasuredRun], key: str) -> float:
    """The share right at the first try of one question, over the runs that have a mark of it; there must be one."""
    return mean_share((run.right for run in runs), key)


def _scores(runs: Sequence[MeasuredRun], key: str) -> tuple[int, ...]:
    return tuple(run.scores[key] for run in runs if key in run.scores)


def _majority(runs_of: Mapping[str, Sequence[MeasuredRun]], questions: Sequence[Question]) -> dict[str, bool]:
    """Whether a question was right more often than not, for those that have a mark."""
    return {q.key: mean_right(runs_of[q.key], q.key) > 0.5 for q in questions if any(q.key in run.right for run in runs_of[q.key])}


def _flips(versus: str, before: Mapping[str, bool], runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> Flips:
    lost, gained = [], []
    for question in questions:
        now = [run.right[question.key] > 0.5 for run in runs if question.key in run.right]
        if question.key not in before or not now:
            continue
        if before[question.key] and not any(now):
            lost.append(question.id)
        if not before[question.key] and all(now):
            gained.append(question.id)
    return Flips(versus, tuple(lost), tuple(gained))
