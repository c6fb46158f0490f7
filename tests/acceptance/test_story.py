"""The life of a model as one story: what /metrics and the report say on each day, and what holds in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.daemon.snapshots import build_snapshot
from exporter.metrics import Exposition, MetricsView
from exporter.records import BaselineEvent, CheckKind, EventKind, Reason, Verdict
from exporter.reports import summarise
from tests.daemon.world import World

LOST = {"question-1", "question-2", "question-3", "question-4"}


class Story:
    """A world that is checked once a day and looked at from outside after each check."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.exposition = Exposition()

    def day(self, *, kind: CheckKind = CheckKind.SCHEDULED) -> tuple[str, str, str]:
        """Check, and return what is shown: the verdict, the confirmed and conclusive signals, the sentence."""
        verdict = self.world.check(kind=kind)
        assert verdict is not None
        return (*self.shown(), summarise(verdict))

    def shown(self) -> tuple[str, str]:
        """The verdict on /metrics, and the signals that are 1: confirmed ones, conclusive ones in capitals."""
        series = self.series()
        (verdict,) = [line for line in series if line.startswith("model_drift_verdict{") and series[line] == "1.0"]
        confirmed = [_label(line, "signal") for line in series if line.startswith("model_drift_confirmed{") and series[line] == "1.0"]
        conclusive = [_label(line, "signal") for line in series if line.startswith("model_drift_conclusive{") and series[line] == "1.0"]
        return _label(verdict, "verdict"), " ".join([*confirmed, *(signal.upper() for signal in conclusive)])

    def series(self) -> dict[str, str]:
        """Every sample on /metrics by its name and labels."""
        snapshot = build_snapshot(self.world.store, self.world.live, self.world.clock.now())
        body, _ = self.exposition.render(MetricsView(snapshots=(snapshot,), read_at=self.world.clock.now()), "text/plain")
        lines = [line for line in body.decode().splitlines() if line and not line.startswith("#")]
        return dict(line.rsplit(" ", 1) for line in lines)

    def decide(self, kind: EventKind, **fields: object) -> None:
        """Write what a person decided now."""
        self.world.clock.advance(1)
        event = {"id": 0, "target": self.world.live.name, "happened_at": self.world.clock.now(), "protocol": self.world.live.protocol}
        self.world.store.add_event(BaselineEvent(**{**event, **fields}, kind=kind))  # type: ignore[arg-type]  # fields by name

    def last(self) -> Verdict:
        """The last verdict stored."""
        verdict = self.world.store.last_verdict(self.world.live.name)
        assert verdict is not None
        return verdict


def _label(series: str, name: str) -> str:
    return series.split(f'{name}="', 1)[1].split('"', 1)[0]


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with World(tmp_path) as world:
        yield Story(world)


def test_a_model_degrades_and_recovers(story: Story) -> None:
    provider = story.world.provider
    days = [story.day() for _ in range(6)]
    assert days == [
        ("collecting", "", "Collecting the baseline: 1 of 5 runs."),
        ("collecting", "", "Collecting the baseline: 2 of 5 runs."),
        ("collecting", "", "Collecting the baseline: 3 of 5 runs."),
        ("collecting", "", "Collecting the baseline: 4 of 5 runs."),
        ("baseline_ready", "", "The baseline is ready: 5 runs."),
        ("stable", "", "Stable: accuracy 100 % against 100 % in the baseline (+0.0 points)."),
    ]
    provider.lost = LOST
    drift = "accuracy 67 % against 100 % in the baseline (-33.3 points), confirmed by"
    assert story.day() == ("drift", "accuracy", f"Drift: {drift} two runs.")
    assert story.day() == ("drift", "accuracy ACCURACY", f"Drift: {drift} 2 checks in a row and conclusive.")
    provider.fails = Reason.RATE_LIMITED
    verdict, signals, sentence = story.day()
    assert (verdict, signals) == ("drift", "accuracy ACCURACY")
    assert sentence.startswith("drift stands (accuracy). This check: Could not measure (rate_limited): ")
    provider.fails, provider.lost = None, set()
    stands = "drift stands (accuracy). This check: Stable: accuracy 100 % against 100 % in the baseline (+0.0 points)."
    assert story.day() == ("drift", "accuracy ACCURACY", stands)
    assert story.day() == ("stable", "", "Stable: accuracy 100 % against 100 % in the baseline (+0.0 points).")


def test_a_loss_in_one_run_only_is_never_confirmed(story: Story) -> None:
    for _ in range(5):
        story.day()

    def recover_after_the_first_run(count: int) -> None:
        if count == first_run_ends:
            story.world.provider.lost = set()

    story.world.provider.lost = LOST
    first_run_ends = len(story.world.provider.asked) + 12 + 4 * 5
    story.world.provider.on_ask = recover_after_the_first_run
    verdict, signals, sentence = story.day()
    assert (verdict, signals) == ("unconfirmed", "")
    assert sentence.startswith("Unconfirmed: the first run was worse, the second did not agree; over both accuracy ")


def test_a_loss_whose_second_run_is_not_possible_is_suspect_and_pages_nobody(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.lost = LOST

    def fail_after_the_first_run(count: int) -> None:
        if count >= first_run_ends:
            story.world.provider.fails = Reason.AUTH

    first_run_ends = len(story.world.provider.asked) + 12 + 4 * 5 + 1
    story.world.provider.on_ask = fail_after_the_first_run
    verdict, signals, _ = story.day()
    assert (verdict, signals) == ("suspect", "")


def test_three_failed_measurements_are_counted_and_are_not_drift(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.fails = Reason.AUTH
    shown = []
    for _ in range(3):
        verdict, signals, _ = story.day()
        series = story.series()
        shown.append((verdict, signals, series['model_drift_failed_checks{target="bot"}']))
    assert shown == [("measurement_failed", "", "1.0"), ("measurement_failed", "", "2.0"), ("measurement_failed", "", "3.0")]
    assert story.series()['model_drift_measurement_errors_total{reason="auth",target="bot"}'] == "36.0"
    story.world.provider.fails = None
    assert story.day()[:2] == ("stable", "")
    assert story.series()['model_drift_failed_checks{target="bot"}'] == "0.0"


def test_longer_answers_are_a_token_shift(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.output_tokens = 20
    assert story.day() == ("token_shift", "tokens", "Answers are 100 % longer than in the baseline, confirmed by two runs.")
    assert float(story.series()['model_drift_token_shift_ratio{target="bot"}']) == pytest.approx(2.0)


def test_another_model_answers_and_is_accepted(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.served_model = "model-2"
    assert story.day() == ("model_changed", "identity", "Another model answers: model-2, which the baseline never saw.")
    series = story.series()
    assert series['model_drift_served_model_info{baseline="false",fingerprint="",served_model="model-2",target="bot"}'] == "1.0"
    assert series['model_drift_served_model_info{baseline="true",fingerprint="",served_model="model-1",target="bot"}'] == "1.0"
    story.decide(EventKind.ACCEPT, identity="model-2")
    assert story.shown() == ("collecting", "")
    assert [story.day()[0] for _ in range(5)] == ["collecting"] * 3 + ["baseline_ready", "stable"]


def test_a_protocol_change_while_drifted_keeps_the_signal_until_the_new_baseline_is_ready(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.lost = LOST
    story.day()
    story.day()
    story.world.live = story.world.build({"system": "Be brief."})
    assert story.shown() == ("drift", "accuracy ACCURACY")
    days = [story.day() for _ in range(5)]
    assert [day[:2] for day in days] == [("drift", "accuracy ACCURACY")] * 4 + [("baseline_ready", "")]
    assert story.last().baseline.sometimes == ()


def test_a_renamed_target_keeps_its_history_and_its_holds(story: Story) -> None:
    for _ in range(5):
        story.day()
    story.world.provider.lost = LOST
    story.day()
    story.world.store.rename_target("bot", "assistant")
    story.world.live = story.world.build({"name": "assistant", "formerly": "bot"})
    assert story.shown() == ("drift", "accuracy")
    assert story.day()[:2] == ("drift", "accuracy ACCURACY")


def test_sixty_days_of_a_small_loss_confirm_once_and_stay_confirmed(story: Story) -> None:
    for _ in range(18):
        story.day()
    story.world.provider.lost = {"question-7"}
    confirmed = ["trend" in story.day()[1] or "accuracy" in story.shown()[1] for _ in range(60)]
    assert True in confirmed
    onset = confirmed.index(True)
    assert onset <= 14
    assert all(confirmed[onset:])
