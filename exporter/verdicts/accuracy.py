"""The accuracy tests: the screen of one run, the confirmation by two, by area and for the whole set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.config import Decision
from exporter.records import OVERALL, AreaAccuracy, Question, TestName, TestResult
from exporter.statistics.holm import split_level
from exporter.statistics.intervals import mean_interval
from exporter.statistics.stratified import Stratum, Tails, exact_test
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun, mean_share

MIN_AREA_QUESTIONS = 3
"""An area with fewer tested questions is judged only as a part of the whole set."""


@dataclass(frozen=True, slots=True)
class AccuracyTest:
    """One accuracy test over all areas. `tails` has an entry for OVERALL and for each area that is tested by itself."""

    tails: dict[str, Tails]
    adjusted: Mapping[str, float]
    p_value: float

    @property
    def overall(self) -> Tails:
        """Both tails of the whole set."""
        return self.tails[OVERALL]

    def results(self, threshold: float) -> tuple[TestResult, ...]:
        """The test as it is told, held against `threshold`."""
        return tuple(
            TestResult(
                test=TestName.ACCURACY,
                area=area,
                p_value=tails.upper,
                adjusted_p_value=self.p_value if area == OVERALL else self.adjusted[area],
                threshold=threshold,
                passed=self.adjusted[area] <= threshold,
            )
            for area, tails in self.tails.items()
        )


def examine_accuracy(
    baseline: Baseline,
    runs: Sequence[MeasuredRun],
    questions: Sequence[Question],
    overall_share: float,
    *,
    areas: Mapping[str, Sequence[Question]] | None = None,
) -> AccuracyTest:
    """Test the new runs' scores against the baseline's: the exact test of the whole set and of each area, then Holm.

    `areas` are those to be tested by themselves where that is settled already; None: those with questions enough.
    """
    if areas is None:
        areas = areas_to_test(tested_questions(baseline, runs, questions))
    groups = {OVERALL: questions, **areas}
    return share_level({area: exact_test(strata(baseline, runs, members)) for area, members in groups.items()}, overall_share)


def areas_to_test(tested: Sequence[Question]) -> dict[str, list[Question]]:
    """Areas that are tested by themselves: those with questions enough, where there are two or more of them."""
    large = {area: members for area, members in by_area(tested).items() if len(members) >= MIN_AREA_QUESTIONS}
    return large if len(large) > 1 else {}


def share_level(tails: dict[str, Tails], overall_share: float) -> AccuracyTest:
    """Make the tails of the whole set (OVERALL) and of the areas tested one test that holds its level over all of them."""
    areas = {area: tail.upper for area, tail in tails.items() if area != OVERALL}
    shared = split_level(tails[OVERALL].upper, areas, level=1.0, overall_share=overall_share)
    return AccuracyTest(tails, shared.adjusted, shared.combined)


def confirmed_areas(pooled: AccuracyTest, second: AccuracyTest, drops: Mapping[str, float], decision: Decision) -> tuple[str, ...]:
    """Areas (or OVERALL) where both runs pooled pass, the second run alone agrees, and the drop is large enough to matter."""
    return tuple(
        area
        for area, adjusted in pooled.adjusted.items()
        if adjusted <= decision.alpha
        and second.tails[area].upper < decision.second_run_alpha
        and drops[area] * 100 >= decision.min_drop_points - 1e-9
    )


def strata(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> list[Stratum]:
    """One stratum a tested question: its baseline scores and its new ones, a run that is its own baseline left out."""
    found = []
    for question in questions:
        key = question.key
        if baseline.tests(key):
            own = {run.id for run in baseline.by_question[key]}
            new = tuple(run.scores[key] for run in runs if key in run.scores and run.id not in own)
            found.append(Stratum(baseline.scores(key), new))
    return found


def tested_questions(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> list[Question]:
    """Questions with marks enough in the baseline and at least one today."""
    return [q for q in questions if baseline.tests(q.key) and any(q.key in run.scores for run in runs)]


def by_area(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Questions grouped by area, areas in the order in which they first come."""
    areas: dict[str, list[Question]] = {}
    for question in questions:
        areas.setdefault(question.area, []).append(question)
    return areas


def describe_accuracy(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> tuple[AreaAccuracy, ...]:
    """First-try accuracy over the runs, overall and by area, and its change against the same questions in the baseline."""
    asked = [question for question in questions if any(question.key in run.right for run in runs)]
    groups = {OVERALL: asked, **by_area(asked)}
    return tuple(_describe_area(area, baseline, runs, members) for area, members in groups.items() if members)


def _describe_area(area: str, baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> AreaAccuracy:
    now = {q.key: mean_share((run.right for run in runs), q.key) for q in questions}
    solved = {q.key: mean_share((run.solved for run in runs), q.key) for q in questions}
    tested = [q.key for q in questions if baseline.tests(q.key)]
    if not tested:
        return AreaAccuracy(area, _mean(list(now.values())), None, None, None, None, _mean(list(solved.values())))
    before = {key: mean_share((run.right for run in baseline.by_question[key]), key) for key in tested}
    interval = mean_interval([now[key] - before[key] for key in tested], 0.95)
    change = _mean([now[key] for key in tested]) - _mean(list(before.values()))
    return AreaAccuracy(
        area=area,
        accuracy_ratio=_mean(list(now.values())),
        baseline_ratio=_mean(list(before.values())),
        change_ratio=change,
        change_lower_ratio=None if interval is None else interval[1],
        change_upper_ratio=None if interval is None else interval[2],
        solved_ratio=_mean([solved[key] for key in tested]),
        baseline_solved_ratio=_mean([mean_share((run.solved for run in baseline.by_question[key]), key) for key in tested]),
    )


def all_worse(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> bool:
    """Whether the whole-set score total of each of `runs` is worse than that of every baseline run."""
    tested = [question.key for question in tested_questions(baseline, runs, questions)]
    return exceeds_all(score_totals(baseline, runs, tested), score_totals(baseline, baseline.runs, tested))


def exceeds_all(totals: Sequence[float], others: Sequence[float]) -> bool:
    """Whether each of `totals` is larger than every one of `others`."""
    return bool(totals) and min(totals) > max(others)


def score_totals(baseline: Baseline, runs: Sequence[MeasuredRun], keys: Sequence[str]) -> list[float]:
    """Each run's score total over `keys`; a missing mark counts as the question's mean in the baseline."""
    means = {key: _mean([float(score) for score in baseline.scores(key)]) for key in keys}
    return [sum(run.scores.get(key, means[key]) for key in keys) for run in runs]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
