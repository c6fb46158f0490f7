from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from exporter.config import Decision
from exporter.simulation.answers import Conditions
from exporter.simulation.models import make_questions
from exporter.simulation.runs import scored
from exporter.simulation.trend import TrendBench
from exporter.verdicts.findings import find_trend
from exporter.verdicts.holds import Outcome
from exporter.verdicts.trend import examine_trend
from tests.simulation.made_up import as_baseline, draw_batch

TARGETS = 400
DECISION = Decision(trend_windows=(3, 6), trend_alpha=0.05, trend_rearm=0.2)
QUESTIONS = make_questions({"a": 8})
KEYS = [question.key for question in QUESTIONS]


def test_batch_and_single_judging_find_the_same_trends() -> None:
    rng = np.random.default_rng(5)
    norms, _ = draw_batch(5, TARGETS, 9, len(QUESTIONS), DECISION, Conditions())
    # most days like those of the baseline, a little worse; some swing as a whole, some in a question or two
    later = norms.runs.scores[np.arange(TARGETS)[:, None], rng.integers(0, 5, (TARGETS, 6))]
    later = later + rng.integers(0, 6, (TARGETS, 1, len(QUESTIONS))) * (rng.random((TARGETS, 1, 1)) < 0.4)
    later = later + rng.integers(0, 9, (TARGETS, 6, 1)) * (rng.random((TARGETS, 1, 1)) < 0.3)
    counts, held = rng.integers(1, 7, TARGETS), rng.random(TARGETS) < 0.5
    found = TrendBench(QUESTIONS, DECISION).judge(norms, later, counts, held)
    outcomes: Counter[tuple[bool, Outcome]] = Counter()
    for target, finding in enumerate(found):
        runs = [scored(row, KEYS, run_id=100 + number, started_at=1.0) for number, row in enumerate(later[target].tolist())]
        runs = runs[-int(counts[target]) :]
        baseline = replace(as_baseline(norms, target, QUESTIONS), frozen=True, later=tuple(runs[:-1]))
        single = find_trend(examine_trend(baseline, runs[-1], QUESTIONS, DECISION), DECISION)
        # without a signal that stands there is nothing to be armed again
        alike = {Outcome.NEITHER: Outcome.CLEARED} if not held[target] else {}
        assert alike.get(finding.outcome, finding.outcome) == alike.get(single.outcome, single.outcome)
        outcomes[bool(held[target]), single.outcome] += 1
    assert min(outcomes[held, outcome] for held in (True, False) for outcome in Outcome if outcome is not Outcome.NEGATIVE) > 5
