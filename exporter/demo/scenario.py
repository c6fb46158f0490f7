"""What happens in the demo, and when: four pretended models, each with a life of its own, told as it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from exporter.clock import Clock
from exporter.daemon.live import LiveConfig, load_live
from exporter.demo.state import MockState
from exporter.metrics import MetricsView
from exporter.records import Evidence, Signal, Snapshot, Verdict, VerdictKind
from exporter.reports import summarise

SUITE = "core"
"""The suite that the demo asks."""

LOOK_SECONDS = 0.25
"""How often what is published is looked at."""

PATIENCE_SECONDS = 90.0
"""How long a step waits for what it is to show before the story goes on without it."""


@dataclass(frozen=True, slots=True)
class Step:
    """`text` is told and `changes` are made to the pretended models (fields of their behaviour).

    The step has shown what it is there for once `shown` is true of every one of `targets`.
    """

    text: str
    targets: tuple[str, ...] = ()
    shown: Callable[[Verdict], bool] = lambda verdict: True
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def _is_judged(verdict: Verdict) -> bool:
    return verdict.kind in (VerdictKind.STABLE, VerdictKind.IMPROVED, VerdictKind.UNCONFIRMED)


def _is_conclusive(verdict: Verdict) -> bool:
    return verdict.signal(Signal.ACCURACY).conclusive


def _is_over(verdict: Verdict) -> bool:
    return _is_judged(verdict) and not any(state.confirmed for state in verdict.signals)


STEPS = (
    Step(
        "Four models are watched, each checked every 10 seconds. Five runs make a baseline; nothing is judged before that.",
        ("support-bot", "translator", "summariser", "classifier"),
        _is_judged,
    ),
    Step(
        "The provider now turns translator's requests away (HTTP 429). It cannot be measured, and that is no drift.",
        ("translator",),
        lambda verdict: verdict.kind is VerdictKind.MEASUREMENT_FAILED,
        {"translator": {"faults": {"rate_limited": 1}}},
    ),
    Step(
        "translator is let in again. support-bot loses a quarter of its questions: one check confirms it, the next is conclusive.",
        ("support-bot",),
        _is_conclusive,
        {"translator": {"faults": {}}, "support-bot": {"lost_ratio": 0.25}},
    ),
    Step(
        "Another model now answers under summariser's name.",
        ("summariser",),
        lambda verdict: verdict.kind is VerdictKind.MODEL_CHANGED,
        {"summariser": {"served_model": "summariser-2027-01-15"}},
    ),
    Step(
        "support-bot is mended. The signal holds until two checks in a row are clean.",
        ("support-bot",),
        _is_over,
        {"support-bot": {"lost_ratio": 0}},
    ),
    Step("summariser's old model is back.", ("summariser",), _is_over, {"summariser": {"served_model": "summariser-2026-05-01"}}),
    Step("That was all. Everything goes on as it is: look around, and press Ctrl-C to end."),
)

MODELS: Mapping[str, Mapping[str, Any]] = {
    "support-bot": {"profile": "strong"},
    "translator": {"profile": "strong"},
    "summariser": {"profile": "perfect", "served_model": "summariser-2026-05-01"},
    "classifier": {"profile": "mixed"},
}

_CONFIG = """\
storage: sqlite:///{storage}
schedule: {{cron: "*/10 * * * * *", spread: 2s}}
decision: {{baseline_min_gap: 2s, confirm_after: 0s, recheck_after: 0s}}
budget: {{usd_per_day: 1000, usd_per_month: null, usd_per_check: 10, tokens_per_check: null}}
targets:
"""

_TARGET = """\
  - name: {name}
    api: {api}
    base_url: {base_url}
    model: {name}
    provider: demo
    suites: [{suite}]
    price: {{input_usd_per_mtok: 1.25, output_usd_per_mtok: 10}}
    concurrency: 8
    run_deadline: 30s
"""


def write_config(base_url: str, storage: Path) -> str:
    """The demo's config file: all models of the mock at `base_url`, the history in `storage`."""
    targets = (
        _TARGET.format(name=name, api="anthropic" if name == "summariser" else "openai_chat", base_url=base_url, suite=SUITE)
        for name in MODELS
    )
    return _CONFIG.format(storage=storage.resolve()) + "".join(targets)


def load_trusting(path: Path) -> LiveConfig:
    """The demo's config, the mock's word about its models taken as that of a known provider: of a mere address nobody knows."""
    live = load_live(path)
    return replace(live, targets={name: replace(target, evidence=Evidence.STRONG) for name, target in live.targets.items()})


async def play(
    steps: Sequence[Step], state: MockState, view: Callable[[], MetricsView], clock: Clock, tell: Callable[[float, str], None]
) -> None:
    """Make one step after the other: tell it, make its changes, and wait until it has shown what it is there for."""
    began = clock.monotonic()
    for step in steps:
        tell(clock.monotonic() - began, step.text)
        problems = state.set_models({"models": step.changes}, wholly=False)
        assert not problems, problems  # noqa: S101 - the steps are ours, and a test makes them all
        impatient_at = clock.monotonic() + PATIENCE_SECONDS
        while not _has_shown(step, view()) and clock.monotonic() < impatient_at:
            await clock.sleep(LOOK_SECONDS)


def _has_shown(step: Step, view: MetricsView) -> bool:
    verdicts = {snapshot.target: snapshot.verdict for snapshot in view.snapshots}
    return all((verdict := verdicts.get(name)) is not None and step.shown(verdict) for name in step.targets)


async def follow(view: Callable[[], MetricsView], clock: Clock, tell: Callable[[float, str], None]) -> None:
    """Tell whenever what is published of a target has changed. Never returns."""
    began = clock.monotonic()
    said: dict[str, str] = {}
    while True:
        for snapshot in view().snapshots:
            sentence = describe_change(snapshot)
            if sentence is not None and said.get(snapshot.target) != sentence:
                said[snapshot.target] = sentence
                tell(clock.monotonic() - began, f"{snapshot.target}: {sentence}")
        await clock.sleep(LOOK_SECONDS)


def describe_change(snapshot: Snapshot) -> str | None:
    """What is worth telling of a target now: its verdict and, where something is confirmed, the series that say so."""
    if snapshot.verdict is None:
        return None
    sentence = summarise(snapshot.verdict)
    if sentence.startswith("Stable"):
        sentence = "Stable."
    states = {state.signal: state for state in snapshot.verdict.signals if state.confirmed}
    series = [f'model_drift_confirmed{{signal="{signal}"}} 1' for signal in states]
    if Signal.ACCURACY in states and states[Signal.ACCURACY].conclusive:
        series.append('model_drift_conclusive{signal="accuracy"} 1')
    return f"{sentence}  [{', '.join(series)}]" if series else sentence
