"""Three targets in different states, as the daemon would show them. All figures are made up."""

from __future__ import annotations

from dataclasses import replace

from exporter.metrics import MetricsView
from exporter.records import (
    OVERALL,
    AreaAccuracy,
    BaselineState,
    CheckProgress,
    Counters,
    Evidence,
    Flips,
    QuestionCounts,
    Reason,
    ServedModel,
    Signal,
    SignalState,
    Snapshot,
    Spend,
    SpendPeriod,
    TestName,
    TestResult,
    Verdict,
    VerdictKind,
)

NOW = 1_800_000_000.0


def drifted() -> Snapshot:
    """Two areas, drift confirmed and conclusive, every figure known."""
    verdict = Verdict(
        target="support-bot",
        check_id=31,
        decided_at=NOW - 600,
        kind=VerdictKind.DRIFT,
        standing=VerdictKind.DRIFT,
        protocol="a1b2c3d4",
        runs=2,
        questions_asked=61,
        signals=(
            SignalState(Signal.ACCURACY, confirmed=True, conclusive=True, confirmed_checks=2, since_at=NOW - 86_400),
            SignalState(Signal.TREND, confirmed=True, confirmed_checks=1, since_at=NOW - 600),
            SignalState(Signal.TOKENS),
            SignalState(Signal.IDENTITY),
        ),
        baseline=BaselineState(runs=15, runs_required=5, frozen=True, overdispersion_p_value=0.42, identities=("gpt-5.5-2026-09-01",)),
        tests=(
            TestResult(TestName.ACCURACY, OVERALL, 0.0001, 0.00025, 0.004, passed=True),
            TestResult(TestName.ACCURACY, "reasoning", 0.0003, 0.0015, 0.004, passed=True),
            TestResult(TestName.ACCURACY, "japanese", 0.25, 0.5, 0.004, passed=False),
            TestResult(TestName.TREND, OVERALL, 0.0002, 0.0006, 0.001, passed=True),
            TestResult(TestName.TOKENS, OVERALL, 0.31, 0.31, 0.01, passed=False),
            TestResult(TestName.INPUT_TOKENS, OVERALL, 1.0, 1.0, 0.001, passed=False),
            TestResult(TestName.REFUSALS, OVERALL, 0.00026, 0.00026, 0.001, passed=True),
        ),
        accuracy=(
            AreaAccuracy(OVERALL, 0.75, 0.9375, -0.1875, -0.28, -0.095),
            AreaAccuracy("reasoning", 0.625, 0.875, -0.25, -0.4, -0.1),
            AreaAccuracy("japanese", 0.875, None, None, None, None),
        ),
        questions=(QuestionCounts("reasoning", 13, 0, 0), QuestionCounts("japanese", 9, 1, 1)),
        flips=(Flips("reference", ("long-multiplication", "letters-1"), ()), Flips("previous", (), ("kana-2",))),
        served=(
            ServedModel("gpt-5.5-2026-09-01", "fp_2", 0.96875, in_baseline=True, answers=31),
            ServedModel("gpt-5.5-2026-06-01", None, 0.03125, in_baseline=False, answers=1, rerouted=True),
        ),
        token_shift_ratio=1.03,
        input_token_shift_ratio=1.0,
        refusal_ratio=0.0,
        truncated_ratio=0.03125,
        reasoning_in_content_ratio=0.0,
        unusable_ratio=0.03125,
    )
    return Snapshot(
        target="support-bot",
        provider="openai",
        api="openai_chat",
        model="gpt-5.5",
        suites=("core", "./our-questions.yml"),
        protocol="a1b2c3d4",
        evidence=Evidence.STRONG,
        labels={"team": "support"},
        runs_required=5,
        areas=("reasoning", "japanese"),
        question_ids=("long-multiplication", "letters-1", "kana-2"),
        price_known=True,
        read_at=NOW,
        verdict=verdict,
        verdict_changed_at=NOW - 86_400,
        served=(
            ServedModel("gpt-5.5-2026-09-01", "fp_2", 0.96875, in_baseline=True),
            ServedModel("gpt-5.5-2026-06-01", None, 0.03125, in_baseline=False),
        ),
        served_changed_at=NOW - 400_000,
        counters=Counters(
            measurement_errors={Reason.TRUNCATED: 3},
            checks={VerdictKind.STABLE: 27, VerdictKind.DRIFT: 2},
            requests=1200,
            request_failures={Reason.RATE_LIMITED: 4, Reason.TRUNCATED: 3},
            input_tokens=90_000,
            output_tokens=240_000,
            reasoning_tokens=180_000,
            spend_usd=2.5125,
            spend_estimated_usd=0.0125,
        ),
        spend=(
            Spend(SpendPeriod.CHECK, 0.21, 21_000, 0.5, 120_000),
            Spend(SpendPeriod.DAY, 0.21, 21_000, 5.0, None),
            Spend(SpendPeriod.MONTH, 2.5125, 240_000, 50.0, None),
        ),
        check_estimate_usd=0.11,
        progress=CheckProgress(
            last_check_at=NOW - 600,
            last_success_at=NOW - 600,
            last_duration_seconds=61.5,
            next_check_at=NOW + 42_600,
        ),
    )


def collecting() -> Snapshot:
    """Just added: nothing is stored, the price is not known, a first check is under way."""
    return Snapshot(
        target="new-model",
        provider="llama.internal:8080",
        api="openai_chat",
        model="smollm2",
        suites=("core",),
        protocol="00ff00ff",
        evidence=Evidence.NONE,
        labels={},
        runs_required=5,
        areas=("reasoning",),
        question_ids=("long-multiplication",),
        price_known=False,
        read_at=NOW,
        spend=(Spend(SpendPeriod.CHECK, None, 350, None, 120_000),),
        progress=CheckProgress(next_check_at=NOW - 5, in_progress=True),
    )


def failed() -> Snapshot:
    """The last checks could not be measured; the baseline of before is there."""
    verdict = Verdict(
        target="summaries",
        check_id=9,
        decided_at=NOW - 3600,
        kind=VerdictKind.MEASUREMENT_FAILED,
        standing=VerdictKind.MEASUREMENT_FAILED,
        protocol="12345678",
        runs=1,
        questions_asked=0,
        signals=(),
        baseline=BaselineState(runs=6, runs_required=5, frozen=False),
        unusable_ratio=1.0,
        reason=Reason.AUTH,
        reason_message="the key was turned away",
        failed_checks=2,
    )
    return Snapshot(
        target="summaries",
        provider="anthropic",
        api="anthropic",
        model="claude-sonnet-5",
        suites=("core",),
        protocol="12345678",
        evidence=Evidence.WEAK,
        labels={},
        runs_required=5,
        areas=("reasoning",),
        question_ids=("long-multiplication",),
        price_known=True,
        read_at=NOW,
        verdict=verdict,
        verdict_changed_at=NOW - 90_000,
        counters=Counters(
            measurement_errors={Reason.AUTH: 2},
            checks={VerdictKind.COLLECTING: 4, VerdictKind.BASELINE_READY: 1, VerdictKind.STABLE: 2, VerdictKind.MEASUREMENT_FAILED: 2},
            requests=250,
            request_failures={Reason.AUTH: 16},
        ),
        check_estimate_usd=0.0,
        progress=CheckProgress(
            last_check_at=NOW - 3600,
            last_success_at=NOW - 90_000,
            last_duration_seconds=1.25,
            next_check_at=NOW,
            confirmation_pending=True,
        ),
    )


def three_targets() -> MetricsView:
    """The three of them, with three request durations observed for the first, a store error and some log lines."""
    view = MetricsView(
        snapshots=(drifted(), collecting(), failed()),
        read_at=NOW,
        reload_successful=False,
        reloaded_at=NOW - 7200,
        web_reload_successful=True,
        web_reloaded_at=NOW - 3600,
        store_errors={"settle": 1},
        total_spend=(Spend(SpendPeriod.DAY, 0.25, 22_000, 10.0, None),),
    )
    for seconds in (0.1, 0.7, 130.0):
        view.tallies.request_durations.observe("support-bot", seconds)
    for level in ("info", "info", "warning"):
        view.tallies.log_messages.count(level)
    return view


def named(target: str, **changes: object) -> Snapshot:
    """The first of the three under another name, with `changes`."""
    return replace(drifted(), target=target, **changes)  # type: ignore[arg-type]  # any field may be changed
