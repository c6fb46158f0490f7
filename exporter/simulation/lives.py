"""Targets that live check by check: a baseline that grows and freezes, signals that are held, extra checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exporter.config import Decision, Schedule
from exporter.daemon.schedule import next_check
from exporter.records import BaselineState, Check, CheckKind, CheckState, Question, Signal, SignalState, Verdict, VerdictKind
from exporter.simulation.answers import Conditions, Ints, answer, draw_luck
from exporter.simulation.judging import Bench
from exporter.simulation.models import Floats, Models
from exporter.simulation.procedures import Procedure
from exporter.simulation.runs import Bools, Norms, Runs, as_measured, count_asked, empty_runs, reduce_answers, source_of
from exporter.simulation.trend import TrendBench
from exporter.simulation.work import generator
from exporter.verdicts.growth import Candidate, Growth
from exporter.verdicts.holds import Finding, Outcome, advance

DAY = 86400.0
"""Seconds."""

FIRST_CHECK_AT = 9 * 3600.0
"""When the default schedule checks on the first day."""

SIGNALS = (Signal.ACCURACY, Signal.TREND, Signal.TOKENS)
"""What columns of signals stand for."""

PAGE_SIGNALS = (Signal.ACCURACY,)
"""The default of a target's `page_signals`."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What one check said of each of some `targets`: arrays of targets and, the first two, `SIGNALS`.

    `confirmed` by this check's own tests; `onset` of a signal that did not stand before; `page` where accuracy became
    conclusive. `asked` counts answers asked for.
    """

    targets: Ints
    confirmed: Bools
    onset: Bools
    page: Bools
    asked: Ints


class Lives:
    """A batch of targets under one procedure. Target numbers are rows of every array."""

    def __init__(self, targets: int, questions: Sequence[Question], procedure: Procedure, conditions: Conditions) -> None:
        self._procedure = procedure
        self._conditions = conditions
        self._keys = [question.key for question in questions]
        self._bench = Bench(questions, procedure.decision, tokens=procedure.tokens)
        self._trend = TrendBench(questions, procedure.decision) if procedure.trend else None
        members, longest = procedure.decision.baseline_max_runs, max(procedure.decision.trend_windows)
        self._growths = [Growth(procedure.decision, self._keys) for _ in range(targets)]
        self._norms = Norms(empty_runs(targets, members, len(questions)), np.zeros((targets, members), dtype=np.bool_))
        self._last_member_at = np.full(targets, np.inf)
        self._later = np.zeros((targets, longest, len(questions)), dtype=np.int64)
        self._later_at = np.full((targets, longest), -np.inf)
        self._states = [[SignalState(signal) for signal in SIGNALS] for _ in range(targets)]
        self._runs_made = 0

    @property
    def everyone(self) -> Ints:
        """All targets."""
        return np.arange(len(self._growths))

    @property
    def frozen(self) -> Bools:
        """Whose baseline is full."""
        return np.array([growth.full for growth in self._growths], dtype=np.bool_)

    def left_out(self) -> list[tuple[int, ...]]:
        """The numbers of the runs left out of each target's baseline; a target's first run is 1."""
        return [tuple(run.id for run in growth.left_out) for growth in self._growths]

    def live_one_day(self, targets: Ints, day: int, models: Models, seed: int, *place: str | int) -> list[Checked]:
        """The scheduled check of these targets on a day, from 0, and the extra one of those that get one.

        `place` names the chance of the batch.
        """
        checked = [self.check(targets, np.full(len(targets), FIRST_CHECK_AT + day * DAY), models, generator(seed, *place, day, 1))]
        due = self.recheck_times(targets, FIRST_CHECK_AT + day * DAY)
        again = ~np.isnan(due)
        if again.any():
            checked.append(self.check(targets[again], due[again], models, generator(seed, *place, day, 2)))
        return checked

    def check(self, targets: Ints, times: Floats, models: Models, rng: np.random.Generator) -> Checked:
        """One more check of these targets at these times. `models` are all targets' models as they are now."""
        conditions, samples = self._conditions, self._procedure.decision.samples
        luck = draw_luck(rng, len(self._growths), 2, len(self._keys), samples, one_day=True).at(targets)
        unusable = np.where(self.frozen[targets], 0.0, conditions.unusable)
        answers = answer(models.at(targets), luck, conditions, unusable=unusable, copied=conditions.cached)
        runs = reduce_answers(answers, self._procedure.scores)
        self._remember(targets, times, runs)
        findings, seconded = self._find(targets, runs)
        confirmed, onset = np.zeros((2, len(targets), len(SIGNALS)), dtype=np.bool_)
        page = np.zeros(len(targets), dtype=np.bool_)
        for row, (target, at, found) in enumerate(zip(targets.tolist(), times.tolist(), findings, strict=True)):
            before = self._states[target]
            after = [
                advance(state, found.get(state.signal, Finding(Outcome.UNKNOWN)), at, self._procedure.decision, PAGE_SIGNALS)
                for state in before
            ]
            self._states[target] = after
            confirmed[row] = [signal in found and found[signal].outcome is Outcome.CONFIRMED for signal in SIGNALS]
            onset[row] = [now.confirmed and not then.confirmed for now, then in zip(after, before, strict=True)]
            page[row] = after[0].conclusive and not before[0].conclusive
        self._grow(targets, times, runs)
        return Checked(targets, confirmed, onset, page, count_asked(answers, self._procedure.decision.tries, seconded))

    def recheck_times(self, targets: Ints, at: float) -> Floats:
        """When each target just checked is checked again before its next scheduled check; not a number: it is not."""
        decision = self._procedure.decision
        states = (self._states[target] for target in targets.tolist())
        return np.array([_recheck_at(state, at, decision) if state[0].confirmed_checks else np.nan for state in states], dtype=np.float64)

    def _remember(self, targets: Ints, times: Floats, runs: Runs) -> None:
        self._later[targets] = np.concatenate([self._later[targets, 1:], runs.scores[:, :1]], axis=1)
        self._later_at[targets] = np.concatenate([self._later_at[targets, 1:], times[:, None]], axis=1)

    def _find(self, targets: Ints, runs: Runs) -> tuple[list[dict[Signal, Finding]], Bools]:
        """What is found by signal, nothing where the baseline is not ready; and who has a second run."""
        findings: list[dict[Signal, Finding]] = [{} for _ in targets]
        seconded = np.zeros(len(targets), dtype=np.bool_)
        norms = self._norms.at(targets)
        ready = np.flatnonzero(norms.present.sum(axis=1) >= self._procedure.decision.baseline_runs)
        if len(ready):
            for row, found in zip(ready.tolist(), self._bench.judge(norms.at(ready), runs.at(ready)), strict=True):
                findings[row] = {Signal.ACCURACY: found.accuracy, Signal.TOKENS: found.tokens}
                seconded[row] = found.seconded
        frozen = np.flatnonzero(self.frozen[targets])
        if self._trend is not None and len(frozen):
            rows = targets[frozen]
            held = np.array([self._states[target][1].confirmed for target in rows.tolist()], dtype=np.bool_)
            counts = (self._later_at[rows] > self._last_member_at[rows, None]).sum(axis=1)
            for row, trend in zip(frozen.tolist(), self._trend.judge(norms.at(frozen), self._later[rows], counts, held), strict=True):
                findings[row][Signal.TREND] = trend
        return findings, seconded

    def _grow(self, targets: Ints, times: Floats, runs: Runs) -> None:
        self._runs_made += 1
        for row, (target, at) in enumerate(zip(targets.tolist(), times.tolist(), strict=True)):
            growth = self._growths[target]
            if growth.full:
                continue
            clean = not any(state.confirmed for state in self._states[target])
            run = as_measured(runs, row, 0, self._keys, run_id=self._runs_made, started_at=at)
            before = [member.id for member in growth.members]
            growth.take(Candidate(source_of(run), run, clean, self._procedure.decision.tries))
            if before != [member.id for member in growth.members]:
                self._norms.present[target] = np.arange(self._norms.present.shape[1]) < len(growth.members)
                for place, member in enumerate(growth.members):
                    self._norms.runs.put((target, place), member)
                self._last_member_at[target] = growth.members[-1].started_at


def _recheck_at(states: Sequence[SignalState], at: float, decision: Decision) -> float:
    """As the daemon has it: asked of its schedule."""
    closed_at = at + decision.confirm_after
    drift = VerdictKind.DRIFT
    verdict = Verdict("", 0, closed_at, drift, drift, "", 2, 0, tuple(states), BaselineState(0, 0, frozen=False))
    check = Check(0, "", CheckKind.SCHEDULED, at, at, CheckState.CLOSED, closed_at=closed_at, verdict=verdict)
    due = next_check(Schedule(spread=0), decision, "", at, [check], closed_at)
    return due.due_at if due.kind is CheckKind.RECHECK else np.nan
