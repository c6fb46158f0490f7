"""Many targets judged at once. Here p-values are computed in bulk; what follows from them is asked of `exporter.verdicts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from exporter.config import Decision
from exporter.records import OVERALL, Question
from exporter.simulation.answers import Ints
from exporter.simulation.exact import count_scores, exact_tails
from exporter.simulation.models import Floats
from exporter.simulation.runs import Bools, Norms, Runs
from exporter.statistics import Stratum, Tails, exact_test
from exporter.verdicts.accuracy import AccuracyTest, areas_to_test, exceeds_all, share_level
from exporter.verdicts.findings import Seconded, asks_for_second_run, find_accuracy, find_tokens
from exporter.verdicts.holds import Finding
from exporter.verdicts.tokens import TokenTest, is_token_shift

CLOSE = 1e-11
"""A p-value this near to a level is computed again by the product's test, which has the last word on ties."""

NEAR = 0.7
"""A test whose z-score is below this share of what the level takes of a normal distribution cannot pass: not carried out."""

FAR = Tails(1.0, 1.0)
"""What stands for the tails of a test that cannot pass."""


@dataclass(frozen=True, slots=True)
class CheckFound:
    """What one check says of accuracy and tokens. `alone`: its first run by itself passes `alpha`; `seconded`: it has a second."""

    alone: bool
    seconded: bool
    accuracy: Finding
    tokens: Finding


class Bench:
    """The judges of one procedure over one set of questions. Without `tokens` answer lengths are not looked at."""

    def __init__(self, questions: Sequence[Question], decision: Decision, *, tokens: bool) -> None:
        self.decision = decision
        column = {question.key: index for index, question in enumerate(questions)}
        self._everything = list(range(len(questions)))
        areas = areas_to_test(questions)
        self._areas = {area: [column[question.key] for question in members] for area, members in areas.items()}
        self._columns = {OVERALL: self._everything, **self._areas}
        self._with_tokens = tokens
        self._levels = (decision.screen_alpha, decision.alpha, decision.second_run_alpha, decision.page_same_day_alpha)

    def judge(self, norms: Norms, runs: Runs) -> list[CheckFound]:
        """One check of each target. `runs` has two runs for each; the second is looked at only where the first asks for it."""
        decision = self.decision
        screens = self.test_accuracy(norms, runs.at(np.s_[:, :1]))
        token_screens = self.screen_tokens(norms, runs.at(np.s_[:, :1]))
        asking = np.array([asks_for_second_run(*pair, decision) for pair in zip(screens, token_screens, strict=True)], dtype=np.bool_)
        seconds = iter(self._judge_second(norms.at(asking), runs.at(asking)) if asking.any() else ())
        found = []
        for screen, token_screen, seconded in zip(screens, token_screens, asking.tolist(), strict=True):
            second, shifted = next(seconds) if seconded else (None, False)
            accuracy = find_accuracy(screen, second, decision)
            tokens = find_tokens(token_screen, decision, shifted=shifted)
            found.append(CheckFound(screen.p_value <= decision.alpha, seconded, accuracy, tokens))
        return found

    def test_accuracy(self, norms: Norms, runs: Runs) -> list[AccuracyTest]:
        """The accuracy test of one or two runs of each target."""
        size = int(max(norms.runs.scores.max(), runs.scores.max())) + 1
        tails = exact_tails(count_scores(norms.runs.scores, size, norms.present), runs.scores, self._areas)
        pairs = {area: list(map(Tails, *(array.tolist() for array in tails[area]))) for area in self._columns}
        return [
            self._settle({area: pairs[area][target] for area in self._columns}, norms, runs, target) for target in range(len(runs.scores))
        ]

    def _settle(self, tails: dict[str, Tails], norms: Norms, runs: Runs, target: int) -> AccuracyTest:
        test = share_level(tails, self.decision.overall_share)
        told = [*test.adjusted.values(), *(pair.upper for pair in tails.values())]
        if all(abs(p_value - level) > CLOSE for p_value in told for level in self._levels):
            return test
        baseline = norms.runs.scores[target][norms.present[target]]
        exact = {area: _test_one(baseline, runs.scores[target], columns) for area, columns in self._columns.items()}
        return share_level(exact, self.decision.overall_share)

    def screen_tokens(self, norms: Norms, run: Runs) -> list[TokenTest]:
        """The token test of one run of each target; FAR where it cannot be positive at the screen."""
        return self._test_tokens_near(norms, run, run, self.decision.token_screen_alpha)

    def _test_tokens_near(self, norms: Norms, deciding: Runs, runs: Runs, level: float) -> list[TokenTest]:
        """The token test of `runs` where that of `deciding` may pass at the level."""
        tests = [TokenTest(FAR, ratio) for ratio in self._log_ratios(norms, runs)]
        if self._with_tokens:
            z = z_scores(norms.runs.token_scores, norms.present, deciding.token_scores)
            rows = np.flatnonzero(np.abs(z) >= least_z(level / 2))
            for row, test in zip(rows.tolist(), self.test_tokens(norms.at(rows), runs.at(rows)) if len(rows) else (), strict=True):
                tests[row] = test
        return tests

    def test_tokens(self, norms: Norms, runs: Runs) -> list[TokenTest]:
        """The token test of one or two runs of each target."""
        present = norms.present[:, :, None]
        lowest = np.minimum(runs.token_scores.min(axis=1), np.where(present, norms.runs.token_scores, 1 << 30).min(axis=1))[:, None]
        before, after = np.where(present, norms.runs.token_scores - lowest, 0), runs.token_scores - lowest
        size = int(max(before.max(), after.max())) + 1
        tails = exact_tails(count_scores(before, size, norms.present), after, {})[OVERALL]
        ratios = self._log_ratios(norms, runs)
        return [TokenTest(Tails(upper, lower), ratio) for upper, lower, ratio in zip(*(a.tolist() for a in tails), ratios, strict=True)]

    def _judge_second(self, norms: Norms, runs: Runs) -> list[tuple[Seconded, bool]]:
        pooled = self.test_accuracy(norms, runs)
        alone = self.test_accuracy(norms, runs.at(np.s_[:, 1:]))
        drops = {area: self._drops(norms, runs, columns) for area, columns in self._columns.items()}
        totals = runs.scores.sum(axis=2)
        before = norms.runs.scores.sum(axis=2)
        found = []
        shifted = self._find_shifts(norms, runs)
        for row in range(len(totals)):
            second = Seconded(
                pooled=pooled[row],
                alone=alone[row],
                drops={area: drop[row] for area, drop in drops.items()},
                all_worse=exceeds_all(totals[row].tolist(), before[row][norms.present[row]].tolist()),
            )
            found.append((second, shifted[row]))
        return found

    def _drops(self, norms: Norms, runs: Runs, columns: Sequence[int]) -> list[float]:
        pairs = ((norms.runs.right, runs.right), (norms.runs.solved, runs.solved))
        losses = [
            _member_means(before, norms.present)[:, columns].mean(axis=1) - now[:, :, columns].mean(axis=(1, 2)) for before, now in pairs
        ]
        found: list[float] = np.maximum(*losses).tolist()
        return found

    def _find_shifts(self, norms: Norms, runs: Runs) -> list[bool]:
        level = self.decision.token_alpha
        pooled = self._test_tokens_near(norms, runs, runs, level)
        alone = self._test_tokens_near(norms, runs, runs.at(np.s_[:, 1:]), level)
        means = _member_means(norms.runs.log_tokens, norms.present)
        shifts = (norms.runs.log_tokens - means[:, None]).mean(axis=2)
        return [
            is_token_shift(pooled[row], alone[row], shifts[row][norms.present[row]].tolist(), self.decision) for row in range(len(shifts))
        ]

    def _log_ratios(self, norms: Norms, runs: Runs) -> list[float]:
        means = _member_means(norms.runs.log_tokens, norms.present)
        found: list[float] = (runs.log_tokens - means[:, None]).mean(axis=(1, 2)).tolist()
        return found


def z_scores(baseline: Ints, present: Bools, new: Ints) -> Floats:
    """How many standard deviations of its permutation distribution the total of the new scores lies from the middle, by target.

    Scores: targets, runs, questions. The variance of a sum of m of N scores without replacement: m (N - m) / (N - 1) times theirs.
    """
    members = np.where(present[:, :, None], baseline, 0)
    drawn, number = new.shape[1], present.sum(axis=1)[:, None] + new.shape[1]
    mean = (members.sum(axis=1) + new.sum(axis=1)) / number
    variance = ((members**2).sum(axis=1) + (new**2).sum(axis=1)) / number - mean**2
    spread = np.sqrt((drawn * (number - drawn) / (number - 1) * np.maximum(variance, 0)).sum(axis=1))
    distance = (new.sum(axis=1) - drawn * mean).sum(axis=1)
    return np.asarray(np.divide(distance, spread, out=np.zeros_like(distance), where=spread > 1e-9))


def least_z(level: float) -> float:
    """The z-score below which a one-sided test at this level cannot pass."""
    return NEAR * NormalDist().inv_cdf(1 - level)


def _member_means(values: Floats, present: Bools) -> Floats:
    """Means over a baseline's runs: targets, questions."""
    weights = present[:, :, None]
    return np.asarray((values * weights).sum(axis=1) / weights.sum(axis=1))


def _test_one(baseline: Ints, new: Ints, columns: Sequence[int]) -> Tails:
    return exact_test([Stratum(tuple(baseline[:, column].tolist()), tuple(new[:, column].tolist())) for column in columns])
