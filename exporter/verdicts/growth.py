"""How a baseline's members come together: the first five, a bad first day left out, then one by one until it is full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exporter.config import Decision
from exporter.records import Run
from exporter.statistics.out_of_line import find_out_of_line
from exporter.verdicts.measured import MeasuredRun, measure

CLEAN_CHECKS_TO_JOIN = 2
"""A run joins the growing baseline once this many later checks have ended clean too."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A measured first run that may become a member. `clean`: its check ended without a confirmed signal."""

    source: Run
    run: MeasuredRun
    clean: bool
    tries: int

    def narrowed(self, known: frozenset[str]) -> Candidate:
        """The same without the answers of identities outside `known`."""
        if not known or known >= self.run.identities.keys():
            return self
        return replace(self, run=measure(self.source, self.tries, known))


class Growth:
    """`members` so far and those that were `left_out`, candidates being taken in the order of time."""

    def __init__(self, decision: Decision, keys: Sequence[str]) -> None:
        self.members: list[MeasuredRun] = []
        self.left_out: list[MeasuredRun] = []
        self._decision = decision
        self._keys = keys
        self._waiting: list[tuple[Candidate, int]] = []
        self._last_taken_at = float("-inf")

    @property
    def full(self) -> bool:
        """Whether no more members are taken."""
        return len(self.members) >= self._decision.baseline_max_runs

    def take(self, candidate: Candidate) -> None:
        """One more candidate, later than all before it."""
        if self.full:
            return
        far_enough = self._decision.are_apart(self._last_taken_at, candidate.run.started_at)
        if candidate.run.served_by_strangers(known_identities(self.members, self._decision.baseline_runs)):
            self._waiting = []
        elif len(self.members) < self._decision.baseline_runs:
            if far_enough:
                self._take_first(candidate.run)
        elif not candidate.clean:
            self._waiting = []
        else:
            self._join_waiters()
            if far_enough:
                self._waiting.append((candidate, 0))
                self._last_taken_at = candidate.run.started_at

    def _take_first(self, run: MeasuredRun) -> None:
        self.members.append(run)
        self._last_taken_at = run.started_at
        if len(self.members) == self._decision.baseline_runs:
            bad = find_out_of_line(score_table(self.members, self._keys), self._decision.out_of_line_alpha)
            self.left_out += [self.members[index] for index in bad]
            self.members = [member for index, member in enumerate(self.members) if index not in bad]

    def _join_waiters(self) -> None:
        waiting = [(waiter, clean_checks + 1) for waiter, clean_checks in self._waiting]
        known = known_identities(self.members, self._decision.baseline_runs)
        joining = [waiter.narrowed(known).run for waiter, clean_checks in waiting if clean_checks >= CLEAN_CHECKS_TO_JOIN]
        self.members = [*self.members, *joining][: self._decision.baseline_max_runs]
        self._waiting = [(waiter, clean_checks) for waiter, clean_checks in waiting if clean_checks < CLEAN_CHECKS_TO_JOIN]


def score_table(runs: Sequence[MeasuredRun], keys: Sequence[str]) -> tuple[tuple[int | None, ...], ...]:
    """Scores as rows of runs and columns of questions; None where a run has no mark."""
    return tuple(tuple(run.scores.get(key) for key in keys) for run in runs)


def known_identities(members: Sequence[MeasuredRun], required: int | None) -> frozenset[str]:
    """What served the first `required` members (None: all): later members bring no new identity in by the back door."""
    return frozenset(identity for run in members[:required] for identity in run.identities)
