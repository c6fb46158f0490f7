"""Two targets with a year of daily checks, written straight into a store: no provider, no judging, all of it known.

`support-bot` drifts on day 40 for six days and on day 200 for three; on days 130 and 131 nothing can be measured. `mailer`
answers longer from day 250 to day 259. Day 0 is 2025-01-01; the check of a day starts at 09:00 and is over at 09:02 UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from exporter.records import (
    OVERALL,
    Answer,
    AreaAccuracy,
    BaselineState,
    Charge,
    CheckKind,
    Flips,
    Grade,
    Identity,
    QuestionCounts,
    Reason,
    RunState,
    ServedModel,
    Signal,
    SignalState,
    TestName,
    TestResult,
    Usage,
    Verdict,
    VerdictKind,
)
from exporter.store import Store, open_store

DAY_SECONDS = 86_400
FIRST_DAY = 1_735_689_600  # 2025-01-01 00:00:00 UTC
CHECK_HOUR_SECONDS = 9 * 3600
DAYS = 365
MODEL = "gpt-5.5-2026-08-07"
OTHER_MODEL = "gpt-5.5-2026-11-19"

CONFIG = """\
storage: sqlite:///{folder}/history.db
schedule: {{cron: "0 9 * * *", spread: 0s}}
targets:
- name: support-bot
  api: openai_chat
  model: gpt-5.5
  base_url: http://127.0.0.1:9/v1
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
  labels: {{team: support}}
- name: mailer
  api: openai_chat
  model: gpt-5.5-mini
  base_url: http://127.0.0.1:9/v1
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
  labels: {{team: sales}}
"""


@dataclass(frozen=True)
class Life:
    """A target's year: the verdicts of its days, those that are not named are stable; what each check costs.

    From `new_protocol_day` on its questions are sent in another way, and a new baseline is collected.
    """

    target: str
    usd_per_check: float
    days: Mapping[int, VerdictKind] = field(default_factory=dict)
    new_protocol_day: int = DAYS

    def kind(self, day: int) -> VerdictKind:
        """The verdict of a day."""
        early = VerdictKind.COLLECTING if self.age(day) < 4 else VerdictKind.BASELINE_READY
        return self.days.get(day, early if self.age(day) < 5 else VerdictKind.STABLE)

    def age(self, day: int) -> int:
        """How many days the baseline of a day has been collected for."""
        return day if day < self.new_protocol_day else day - self.new_protocol_day

    def protocol(self, day: int) -> str:
        """How questions are sent on a day."""
        return "p1" if day < self.new_protocol_day else "p2"

    def streak(self, day: int) -> int:
        """How many days in a row, up to this one, had its verdict."""
        return next(back for back in range(1, day + 2) if back > day or self.kind(day - back) is not self.kind(day))


SUPPORT_BOT = Life(
    "support-bot",
    0.03,
    {
        **dict.fromkeys((*range(40, 46), *range(200, 203)), VerdictKind.DRIFT),
        **dict.fromkeys((130, 131), VerdictKind.MEASUREMENT_FAILED),
        160: VerdictKind.UNCONFIRMED,
    },
)
MAILER = Life("mailer", 0.01, dict.fromkeys(range(250, 260), VerdictKind.TOKEN_SHIFT))


def write_history(folder: Path, days: int = DAYS, lives: tuple[Life, ...] = (SUPPORT_BOT, MAILER), config: str = CONFIG) -> Path:
    """The store with all checks of those days, and a config beside it; the config's path."""
    with closing(open_store(f"sqlite:///{folder}/history.db")) as store, store.batch():
        for day in range(days):
            for life in lives:
                _check(store, life, day)
    config_file = folder / "config.yml"
    config_file.write_text(config.format(folder=folder))
    return config_file


def at(day: int, seconds: float = 0.0) -> float:
    """A moment of a day, in Unix seconds."""
    return FIRST_DAY + day * DAY_SECONDS + seconds


def _check(store: Store, life: Life, day: int) -> None:
    begun, kind = at(day, CHECK_HOUR_SECONDS), life.kind(day)
    check = store.claim_check(life.target, CheckKind.SCHEDULED, begun, begun)
    assert check is not None
    served = OTHER_MODEL if kind is VerdictKind.MODEL_CHANGED else MODEL
    run = store.open_run(check.id, 1, life.protocol(day), begun, begun + 600)
    failed = kind is VerdictKind.MEASUREMENT_FAILED
    reservation = store.reserve(run.id, "key-1", 0, 1, 1000, life.usd_per_check, begun, ())
    grade = Grade("key-1", "q1", "core", "reasoning", 0, 1, None if failed else True, begun, Reason.RATE_LIMITED if failed else None)
    usage = Usage(input_tokens=200, output_tokens=100)
    answer = Answer(usage=usage, charge=Charge.REPORTED, identity=Identity(served), reason=grade.reason)
    store.settle(
        reservation,
        answer=answer,
        usd=life.usd_per_check,
        tokens=300,
        estimated=False,
        identity=None if failed else served,
        grade=grade._replace(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens),
        now=begun + 60,
    )
    store.close_run(run.id, RunState.FAILED if failed else RunState.MEASURED, grade.reason, "", begun + 110)
    store.close_check(check.id, _verdict(life, day, check.id, begun + 120), begun + 120)


def _verdict(life: Life, day: int, check_id: int, decided_at: float) -> Verdict:
    kind, streak = life.kind(day), life.streak(day)
    lost = kind is VerdictKind.DRIFT
    shifted = kind is VerdictKind.TOKEN_SHIFT
    failed = kind is VerdictKind.MEASUREMENT_FAILED
    replaced = kind is VerdictKind.MODEL_CHANGED
    accuracy, p_value = (0.7, 0.0002) if lost else (0.9, 0.6)
    tested = life.age(day) >= 5 and not failed
    return Verdict(
        target=life.target,
        check_id=check_id,
        decided_at=decided_at,
        kind=kind,
        standing=kind,
        protocol=life.protocol(day),
        runs=2 if lost or kind is VerdictKind.UNCONFIRMED else 1,
        questions_asked=34,
        signals=(
            SignalState(Signal.ACCURACY, lost, lost and streak > 1, streak if lost else 0),
            SignalState(Signal.TREND),
            SignalState(Signal.TOKENS, shifted, False, streak if shifted else 0),
            SignalState(Signal.IDENTITY, replaced, False, streak if replaced else 0),
        ),
        baseline=BaselineState(min(life.age(day) + 1, 15), 5, frozen=life.age(day) >= 15, identities=(MODEL,), overdispersion_p_value=0.4),
        tests=(
            TestResult(TestName.ACCURACY, OVERALL, p_value, p_value, 0.01, passed=lost),
            TestResult(TestName.TREND, OVERALL, 0.5, 0.5, 0.003, passed=False),
            TestResult(TestName.TOKENS, OVERALL, 0.0001 if shifted else 0.5, 0.0001 if shifted else 0.5, 0.001, passed=shifted),
        )
        if tested
        else (),
        accuracy=()
        if failed
        else tuple(
            AreaAccuracy(area, accuracy, *((0.9, accuracy - 0.9, accuracy - 0.95, accuracy - 0.85) if tested else (None,) * 4))
            for area in (OVERALL, "reasoning", "instruction", "japanese")
        ),
        questions=tuple(QuestionCounts(area, 12, 0, 0) for area in ("reasoning", "instruction", "japanese")),
        flips=(Flips("reference", ("q1", "q2") if lost else (), ()), Flips("previous", (), ())) if tested else (),
        served=() if failed else (ServedModel(OTHER_MODEL if replaced else MODEL, None, 1.0, in_baseline=not replaced, answers=34),),
        token_shift_ratio=(1.4 if shifted else 1.0) if tested else None,
        input_token_shift_ratio=1.0 if tested else None,
        unusable_ratio=1.0 if failed else 0.0,
        measurement_errors=((Reason.RATE_LIMITED, 34),) if failed else (),
        reason=Reason.RATE_LIMITED if failed else None,
        failed_checks=streak if failed else 0,
        spend_usd=life.usd_per_check,
        estimate_usd=life.usd_per_check,
        spend_tokens=300,
    )
