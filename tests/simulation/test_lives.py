"""A batch of lives and the product's whole judge, check by check."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from exporter.config import Decision
from exporter.records import (
    BaselineEvent,
    Check,
    CheckKind,
    CheckState,
    EventKind,
    Evidence,
    Grade,
    Question,
    Run,
    RunState,
    SignalState,
    Verdict,
)
from exporter.simulation import lives as room
from exporter.simulation.answers import Answers, Conditions
from exporter.simulation.lives import FIRST_CHECK_AT, SIGNALS, Checked, Lives
from exporter.simulation.models import PROFILES, Change, Order, changed, draw_order, make_questions
from exporter.simulation.procedures import product
from exporter.simulation.runs import Norms
from exporter.simulation.trend import TrendBench
from exporter.simulation.work import generator
from exporter.verdicts import History, Subject, judge, needs_second_run
from exporter.verdicts.baseline import form_baseline
from exporter.verdicts.holds import Finding

TARGETS = 6
CHANGE_DAY = 18
DAYS = 34
DECISION = Decision(baseline_max_runs=8, trend_windows=(3, 7), alpha=0.05, screen_alpha=0.3, trend_alpha=0.02, trend_rearm=0.1)
"""Loose levels, so that much happens in few days."""


@dataclass
class Twin:
    """One target, judged by the product from whole grades and a history."""

    questions: tuple[Question, ...]
    checks: list[Check] = field(default_factory=list)
    events: list[BaselineEvent] = field(default_factory=list)
    runs: dict[int, Run] = field(default_factory=dict)
    later: int | None = None
    """Runs after the baseline that the newest check could look at; None before the freeze."""

    def check(self, at: float, wrong: np.ndarray, log_tokens: np.ndarray) -> tuple[Verdict, int]:
        """One check with the answers of two runs (runs, questions); the verdict, and the answers asked for."""
        first, second = (self._run(number + 1, at + 3600 * number, wrong[number], log_tokens[number]) for number in (0, 1))
        subject = Subject("bot", "p", self.questions, DECISION, Evidence.NONE)
        members = {run_id for event in self.events for run_id in event.run_ids}
        history = History(
            tuple(self.checks),
            tuple(self.events),
            tuple(run for run_id, run in self.runs.items() if run_id in members),
            self.checks[-1].verdict if self.checks else None,
        )
        self.runs[first.id] = first
        baseline = form_baseline(subject, history)
        self.later = min(max(DECISION.trend_windows), len(baseline.later) + 1) if baseline.frozen else None
        runs = (first, second) if needs_second_run(subject, history, first) else (first,)
        number = len(self.checks) + 1
        check = Check(number, "bot", CheckKind.SCHEDULED, at, at, CheckState.CLOSED, runs)
        judgement = judge(subject, history, check, at + 3600)
        self.checks.append(replace(check, closed_at=at + 3600, verdict=judgement.verdict))
        for freeze in judgement.freezes:
            event_id = len(self.events) + 1
            self.events.append(BaselineEvent(event_id, "bot", EventKind.FREEZE, at + 3600, protocol="p", run_ids=freeze.run_ids))
        return judgement.verdict, sum(len(run.grades) for run in runs)

    def _run(self, number: int, at: float, wrong: np.ndarray, log_tokens: np.ndarray) -> Run:
        run_id = 2 * len(self.checks) + number
        grades = tuple(
            Grade(question.key, question.id, "s", question.area, 0, attempt + 1, attempt == misses, at, output_tokens=tokens)
            for question, misses, tokens in zip(self.questions, wrong.tolist(), _whole(log_tokens), strict=True)
            for attempt in range(min(misses + 1, DECISION.tries))
        )
        return Run(run_id, len(self.checks) + 1, "bot", number, "p", at, at + 600, RunState.MEASURED, grades=grades)


def _whole(log_tokens: np.ndarray) -> list[int]:
    return [max(1, round(tokens)) for tokens in np.exp(log_tokens).tolist()]


@pytest.mark.parametrize("profile", ["mixed", "calibrated"])
def test_a_batch_of_lives_is_judged_as_the_product_judges_each(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Answers] = []

    def answer(*args: object, **kwargs: object) -> Answers:
        given.append(true_answer(*args, **kwargs))  # type: ignore[arg-type]  # handed on as it is
        return given[-1]

    true_answer = room.answer
    monkeypatch.setattr(room, "answer", answer)
    counted: list[list[int]] = []

    def judge_trend(self: TrendBench, norms: Norms, later: np.ndarray, counts: np.ndarray, held: np.ndarray) -> list[Finding]:
        counted.append(counts.tolist())
        return true_trend(self, norms, later, counts, held)

    true_trend = TrendBench.judge
    monkeypatch.setattr(TrendBench, "judge", judge_trend)
    questions = make_questions({"a": 5, "b": 4, "c": 3})
    rng = generator(11, profile)
    models = PROFILES[profile].draw(rng, TARGETS, 12)
    worse = changed(models, Change("", lost=3, log_tokens=0.3), _order(rng))
    lives = Lives(TARGETS, questions, product(DECISION), Conditions(swing=0.4))
    twins = [Twin(questions) for _ in range(TARGETS)]
    seen = {"confirmed": np.zeros(3, dtype=int), "onset": np.zeros(3, dtype=int), "page": 0, "rechecks": 0}
    for day in range(DAYS):
        given.clear()
        counted.clear()
        done = lives.live_one_day(lives.everyone, day, worse if day >= CHANGE_DAY else models, 11, profile)
        seen["rechecks"] += len(done) - 1
        for checked, answers, hours in zip(done, given, (0, 13)[: len(done)], strict=True):
            _compare(checked, answers, twins, FIRST_CHECK_AT + 86400 * day + 3600 * hours)
            later = [twins[target].later for target in checked.targets.tolist()]
            if any(later):
                assert counted.pop(0) == [count for count in later if count is not None]
            seen["confirmed"] += checked.confirmed.sum(axis=0)
            seen["onset"] += checked.onset.sum(axis=0)
            seen["page"] += checked.page.sum()
    # what never happened was not compared
    assert (seen["confirmed"] > seen["onset"]).all()
    assert (seen["onset"] > 0).all()
    assert seen["page"] > 0
    assert seen["rechecks"] > 0
    assert lives.frozen.any()


def _order(rng: np.random.Generator) -> Order:
    return draw_order(rng, TARGETS, [range(5), range(5, 9), range(9, 12)], 3)


def _compare(checked: Checked, answers: Answers, twins: list[Twin], at: float) -> None:
    for row, target in enumerate(checked.targets.tolist()):
        twin = twins[target]
        before = twin.checks[-1].verdict if twin.checks else None
        verdict, asked = twin.check(at, answers.wrong[row, :, :, 0], answers.log_tokens[row, :, :, 0])
        now = [verdict.signal(signal) for signal in SIGNALS]
        then = [before.signal(signal) if before else SignalState(signal) for signal in SIGNALS]
        assert checked.asked[row] == asked
        assert checked.onset[row].tolist() == [state.confirmed and not old.confirmed for state, old in zip(now, then, strict=True)]
        assert checked.confirmed[row].tolist() == [state.confirmed_checks > 0 for state in now]
        assert checked.page[row] == (now[0].conclusive and not then[0].conclusive)


def test_an_extra_check_follows_a_confirmed_one_and_no_other() -> None:
    """Questions that are all lost at once: told and paged within the first day, then no extra check any more."""
    questions = make_questions({"a": 12})
    models = PROFILES["saturated"].draw(generator(1), 3, 12)
    lives = Lives(3, questions, product(Decision()), Conditions())
    lost = changed(models, Change("", lost=12), draw_order(generator(1), 3, [range(12)], 0))
    quiet = [lives.live_one_day(lives.everyone, day, models, 1) for day in range(8)]
    first, second = (lives.live_one_day(lives.everyone, day, lost, 1) for day in (8, 9))
    assert [len(checks) for checks in quiet] == [1] * 8
    assert [checked.page.tolist() for checked in first] == [[False] * 3, [True] * 3]
    assert [checked.onset[:, 0].tolist() for checked in first] == [[True] * 3, [False] * 3]
    assert len(second) == 1


def test_a_bad_first_day_is_seen_to_be_left_out() -> None:
    models = PROFILES["saturated"].draw(generator(1), 4, 20)
    bad = changed(models, Change("", lost=8), draw_order(generator(1), 4, [range(20)], 0))
    lives = Lives(4, make_questions({"a": 20}), product(Decision()), Conditions())
    for day in range(6):
        lives.live_one_day(lives.everyone, day, bad if day == 0 else models, 1)
    assert lives.left_out() == [(1,)] * 4
