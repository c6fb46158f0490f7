"""Targets with a past, as pages show them: what a browser is shown in tests. All figures are made up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exporter.metrics import MetricsView
from exporter.records import (
    OVERALL,
    AreaAccuracy,
    BaselineState,
    Check,
    CheckKind,
    CheckState,
    Reason,
    Snapshot,
    TestName,
    TestResult,
    Verdict,
    VerdictKind,
)
from exporter.store.nouns import RecordedError, ServedIdentity
from exporter.web import Details
from tests.metrics.snapshots import NOW, collecting, drifted, failed, named
from tests.web.fake_state import FakeState

DAY = 86_400.0
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}\u202egnp.exe\x00" + "w" * 10_000
HALF = HOSTILE + "\ud83d"
"""The same from a provider, whose JSON may hold half a character."""


def past_of(kinds: Sequence[VerdictKind], *, step: float = DAY) -> list[Verdict]:
    """A verdict of each kind, the last one ten minutes ago and newest first."""
    first = NOW - 600 - step * (len(kinds) - 1)
    return [_verdict(kind, number, first + step * number) for number, kind in enumerate(kinds)][::-1]


def _verdict(kind: VerdictKind, number: int, decided_at: float) -> Verdict:
    base = drifted().verdict
    assert base is not None
    verdict = replace(base, check_id=number + 1, decided_at=decided_at, kind=kind, standing=kind)
    if kind is VerdictKind.MEASUREMENT_FAILED:
        return replace(verdict, reason=Reason.RATE_LIMITED, reason_message="429: slow down", accuracy=(), tests=(), flips=(), signals=())
    if kind is VerdictKind.COLLECTING:
        area = AreaAccuracy(OVERALL, 0.9 + number % 3 * 0.03, None, None, None, None)
        return replace(
            verdict, accuracy=(area,), tests=(), flips=(), signals=(), baseline=BaselineState(min(number + 1, 5), 5, frozen=False)
        )
    lost = kind is VerdictKind.DRIFT
    accuracy = 0.75 if lost else 0.91 + number % 4 * 0.02
    p_value, threshold = (0.0004, 0.004) if lost else (0.2 + number % 5 * 0.15, 0.05)
    baseline = BaselineState(
        15, 5, frozen=True, started_at=decided_at - 40 * DAY, lowest_ratio=0.88, highest_ratio=0.97, identities=("gpt-5.5-2026-09-01",)
    )
    signals = verdict.signals if lost else ()
    trend = 0.0006 if lost else 0.4 - number % 7 * 0.05
    tests = (
        TestResult(TestName.ACCURACY, OVERALL, p_value, p_value, threshold, passed=lost),
        TestResult(TestName.TREND, OVERALL, trend / 3, trend, 0.001, passed=False),
        TestResult(TestName.TOKENS, OVERALL, 0.5, 0.3 + number % 6 * 0.1, 0.01, passed=False),
    )
    area = AreaAccuracy(OVERALL, accuracy, 0.9375, accuracy - 0.9375, accuracy - 1.03, accuracy - 0.845)
    accuracies = (area, *verdict.accuracy[1:])
    return replace(verdict, accuracy=accuracies, tests=tests, baseline=baseline, signals=signals, flips=verdict.flips if lost else ())


def _details(past: Sequence[Verdict]) -> Details:
    checks = [
        Check(
            one.check_id,
            one.target,
            CheckKind.SCHEDULED,
            one.decided_at - 90,
            one.decided_at - 80,
            CheckState.CLOSED,
            closed_at=one.decided_at,
            verdict=one,
        )
        for one in past
    ]
    errors = (
        RecordedError("bot", NOW - 3600, Reason.RATE_LIMITED, "429: requests per minute are used up; try again in 20 s", None),
        RecordedError("bot", NOW - 7200, Reason.TRUNCATED, "cut off at 512 tokens", "long-multiplication"),
    )
    served = (
        ServedIdentity("bot", "gpt-5.5-2026-09-01", "fp_2", NOW - 60 * DAY, NOW - 600),
        ServedIdentity("bot", "gpt-5.5-2026-06-01", "", NOW - 5 * DAY, NOW - 600),
    )
    return Details(checks[:30], errors, past, served, has_older=len(checks) > 30)


LIFE = (
    [VerdictKind.COLLECTING] * 4
    + [VerdictKind.BASELINE_READY]
    + [VerdictKind.STABLE] * 9
    + [VerdictKind.MEASUREMENT_FAILED] * 2
    + [VerdictKind.STABLE] * 14
    + [VerdictKind.UNCONFIRMED]
    + [VerdictKind.STABLE] * 8
    + [VerdictKind.IMPROVED]
    + [VerdictKind.STABLE] * 5
)


def everything(*, lifecycle: bool = False) -> FakeState:
    """A target for each verdict that pages treat in a way of its own, and one whose every word is hostile."""
    lives = {
        "support-bot": [*LIFE, VerdictKind.DRIFT, VerdictKind.DRIFT],
        "translator": [*LIFE, VerdictKind.MEASUREMENT_FAILED],
        "summariser": LIFE,
        "just-begun": [VerdictKind.COLLECTING] * 2,
        HOSTILE: [*LIFE, VerdictKind.DRIFT],
    }
    pasts = {name: past_of(kinds) for name, kinds in lives.items()}
    shown = [_shown(name, past) for name, past in pasts.items()]
    state = FakeState(
        MetricsView(snapshots=(*shown, collecting()), read_at=NOW, reload_successful=True, reloaded_at=NOW), lifecycle=lifecycle
    )
    state.details_of |= {name: _details(past) for name, past in pasts.items()}
    hostile = replace(
        state.details_of[HOSTILE],
        errors=(RecordedError(HOSTILE, NOW, Reason.AUTH, HALF, HALF),),
        served=(ServedIdentity(HOSTILE, HALF, HALF, NOW, NOW),),
    )
    state.details_of[HOSTILE] = hostile
    return state


def _shown(name: str, past: Sequence[Verdict]) -> Snapshot:
    base = failed() if past[0].kind is VerdictKind.MEASUREMENT_FAILED else drifted()
    shown = replace(base, target=name, verdict=past[0])
    if name != HOSTILE:
        return shown
    verdict = replace(past[0], notes=(HALF,), reason_message=HALF, flips=(replace(past[0].flips[0], lost=(HALF,)),))
    return replace(shown, model=HALF, provider=HOSTILE, labels={HALF: HALF}, suites=(HOSTILE,), protocol=HOSTILE, verdict=verdict)


def fifty_targets() -> FakeState:
    """Fifty of two providers, three of them with something to do."""
    kinds = (
        [VerdictKind.STABLE] * 40 + [VerdictKind.COLLECTING] * 7 + [VerdictKind.DRIFT, VerdictKind.MEASUREMENT_FAILED, VerdictKind.SUSPECT]
    )
    shown = [
        named(f"target-{number:02}", provider=("openai", "anthropic")[number % 2], verdict=_verdict(kind, number, NOW - 600))
        for number, kind in enumerate(kinds)
    ]
    return FakeState(MetricsView(snapshots=tuple(shown), read_at=NOW, reload_successful=True, reloaded_at=NOW))
