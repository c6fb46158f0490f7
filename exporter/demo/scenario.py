"""What happens in the demo, and when: four pretended models, each with a life of its own, told as it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exporter.clock import Clock
from exporter.demo.state import MockState
from exporter.metrics import MetricsView
from exporter.records import Signal, Snapshot
from exporter.reports import summarise

SUITE = "core"
"""The suite that the demo asks."""

_LOOK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Step:
    """At `after_seconds`, `changes` are made to the pretended models (fields of their behaviour), and `text` is told."""

    after_seconds: float
    text: str
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


STEPS = (
    Step(0, "Four models are watched, each checked every 5 seconds. Five runs make a baseline; until then nothing is judged."),
    Step(
        38,
        "The provider now turns translator's requests away (429). That is no drift: it could not be measured.",
        {"translator": {"faults": {"rate_limited": 1}}},
    ),
    Step(54, "Translator is let in again.", {"translator": {"faults": {}}}),
    Step(
        58,
        "support-bot is degraded now: a fifth of the questions are lost. Watch it be confirmed, then conclusive.",
        {"support-bot": {"lost_ratio": 0.2}},
    ),
    Step(74, "Another model now answers under summariser's name.", {"summariser": {"served_model": "summariser-2027-01-15"}}),
    Step(96, "support-bot is mended. The signal holds until two checks in a row are clean.", {"support-bot": {"lost_ratio": 0.0}}),
    Step(100, "summariser's old model is back.", {"summariser": {"served_model": "summariser-2026-05-01"}}),
    Step(125, "That was all. The models are stable from here on; look around, and press Ctrl-C to end."),
)

MODELS: Mapping[str, Mapping[str, Any]] = {
    "support-bot": {"profile": "strong"},
    "translator": {"profile": "strong"},
    "summariser": {"profile": "perfect", "served_model": "summariser-2026-05-01"},
    "classifier": {"profile": "mixed"},
}

_CONFIG = """\
storage: sqlite:///{storage}
schedule: {{cron: "*/5 * * * * *", spread: 2s}}
decision: {{baseline_min_gap: 3s, confirm_after: 1s, recheck_after: 3s}}
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
    run_deadline: 4s
"""


def write_config(base_url: str, storage: Path) -> str:
    """The demo's config file: all models of the mock at `base_url`, the history in `storage`."""
    targets = (
        _TARGET.format(name=name, api="anthropic" if name == "summariser" else "openai_chat", base_url=base_url, suite=SUITE)
        for name in MODELS
    )
    return _CONFIG.format(storage=storage.resolve()) + "".join(targets)


async def play(steps: tuple[Step, ...], state: MockState, clock: Clock, tell: Callable[[float, str], None]) -> None:
    """Make each step's changes when its time has come, and tell it."""
    began = clock.monotonic()
    for step in steps:
        await clock.sleep(began + step.after_seconds - clock.monotonic())
        problems = state.set_models({"models": step.changes}, wholly=False)
        assert not problems, problems  # noqa: S101 - the steps are ours, and a test plays them all
        tell(clock.monotonic() - began, step.text)


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
        await clock.sleep(_LOOK_SECONDS)


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
