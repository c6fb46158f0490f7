"""The trend test over many targets: from afar first, and by the product's own code wherever it may say anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exporter.config import Decision
from exporter.records import Question
from exporter.simulation.answers import Ints
from exporter.simulation.judging import least_z, z_scores
from exporter.simulation.runs import Bools, Norms, as_measured, scored
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.findings import find_trend
from exporter.verdicts.holds import Finding, Outcome
from exporter.verdicts.trend import examine_trend


class TrendBench:
    """The judge of trends over one set of questions."""

    def __init__(self, questions: Sequence[Question], decision: Decision) -> None:
        self._questions = questions
        self._keys = [question.key for question in questions]
        self._decision = decision

    def judge(self, norms: Norms, later: Ints, later_counts: Ints, held: Bools) -> list[Finding]:
        """What a check says of the trend of each target; all baselines are frozen.

        `later` are the scores of the newest runs, today's last (targets, runs, questions); as many of them from the end as
        `later_counts` says are of runs after the baseline. `held`: the signal stands, so that it matters whether it is armed again.
        """
        wanted = self._may_say_anything(norms, later, later_counts, held)
        shortest = min(self._decision.trend_windows)
        findings = [Finding(Outcome.CLEARED if count >= shortest else Outcome.UNKNOWN) for count in later_counts.tolist()]
        for target in np.flatnonzero(wanted).tolist():
            findings[target] = self._judge_one(norms, target, later[target, -int(later_counts[target]) :])
        return findings

    def _may_say_anything(self, norms: Norms, later: Ints, later_counts: Ints, held: Bools) -> Bools:
        """Where the test could pass by questions and by totals, or where a signal that is held might not be armed again."""
        decision, scores = self._decision, norms.runs.scores
        windows = len(decision.trend_windows)
        level = np.where(held, least_z(decision.trend_rearm / windows), least_z(decision.trend_alpha / windows))
        by_questions, by_totals = np.zeros((2, len(later)), dtype=np.bool_)
        for size in decision.trend_windows:
            full, window = later_counts >= size, later[:, -size:]
            by_questions |= full & (z_scores(scores, norms.present, window) >= level)
            totals = z_scores(scores.sum(axis=2, keepdims=True), norms.present, window.sum(axis=2, keepdims=True))
            by_totals |= full & (totals >= level)
        return np.asarray(by_questions & (by_totals | held))

    def _judge_one(self, norms: Norms, target: int, later: Ints) -> Finding:
        members = tuple(
            as_measured(norms.runs, target, run, self._keys, run_id=run, started_at=0.0)
            for run in np.flatnonzero(norms.present[target]).tolist()
        )
        runs = [scored(row, self._keys, run_id=len(members) + number, started_at=1.0) for number, row in enumerate(later.tolist(), 1)]
        by_question = dict.fromkeys(self._keys, members)
        required = self._decision.baseline_runs
        baseline = Baseline(members, (), by_question, tuple(runs[:-1]), frozenset(), required, frozen=True, pinned=False)
        return find_trend(examine_trend(baseline, runs[-1], self._questions, self._decision), self._decision)
