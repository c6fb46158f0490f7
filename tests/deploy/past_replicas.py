"""Four hours of one life, scraped three times: from a single exporter as the target `solo`, and from replicas as `trio` and `pair`.

Of the replicas one is half a minute behind all the time, one dies after two hours and is replaced by another pod, and one loses its
database after one hour, in the middle of a drift, and goes on showing what it knew; `pair` is without that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from exporter.metrics import FAMILIES
from exporter.metrics.collector import collect_target
from exporter.metrics.exposition import sample_lines
from exporter.metrics.tallies import DURATION_BOUNDS_SECONDS, Durations
from exporter.records import CheckProgress, Counters, Reason, Signal, SignalState, Snapshot, Spend, SpendPeriod, VerdictKind
from tests.acceptance.loaded import load_samples
from tests.metrics.snapshots import drifted, failed

BEGIN = 1_800_000_000
END = BEGIN + 4 * 3600
SCRAPE_SECONDS = 60
LOST_AT, DIED_AT, REPLACED_AT = BEGIN + 3600, BEGIN + 2 * 3600, BEGIN + 2 * 3600 + 240


@dataclass(frozen=True)
class Scraped:
    """An instance: from when to when it answers, how far it is behind, and when it lost its database."""

    job: str
    instance: str
    begin: int = BEGIN
    end: int = END
    behind_seconds: int = 0
    lost_at: int = END

    def knows(self, time: int) -> int:
        """When what it shows at that time was read."""
        return min(time, self.lost_at) - self.behind_seconds


SOLO = (Scraped("single", "s"),)
TRIO = (
    Scraped("replicas", "a", end=DIED_AT),
    Scraped("replicas", "b", behind_seconds=30),
    Scraped("replicas", "c", lost_at=LOST_AT),
    Scraped("replicas", "d", begin=REPLACED_AT),
)
PAIR = tuple(replace(each, job="pair") for each in TRIO if each.lost_at == END)


def load_life(folder: Path) -> None:
    """The four hours as blocks of a Prometheus in `folder`."""
    samples: dict[str, list[str]] = {family.name: [] for family in FAMILIES}
    samples["model_drift_snapshot_timestamp_seconds"] = []
    for target, instances in (("solo", SOLO), ("trio", TRIO), ("pair", PAIR)):
        for scraped in instances:
            for time in range(scraped.begin, scraped.end + 1, SCRAPE_SECONDS):
                for name, line in _exposition(target, scraped, time):
                    samples[name].append(f"{line} {time}\n")
    types = {family.name: family.type for family in FAMILIES}
    file = folder / "life.om"
    file.write_text("".join(f"# TYPE {name} {types[name]}\n" + "".join(lines) for name, lines in samples.items() if lines) + "# EOF\n")
    load_samples(folder, file)


def _exposition(target: str, scraped: Scraped, time: int) -> Iterator[tuple[str, str]]:
    labels, known = f'instance="{scraped.instance}",job="{scraped.job}"', scraped.knows(time)
    yield "model_drift_snapshot_timestamp_seconds", f"model_drift_snapshot_timestamp_seconds{{{labels}}} {known}"
    for name, text in sample_lines(collect_target(_standing(target, known), _durations(scraped, time))).items():
        for line in text.splitlines():
            series, _, rest = line.partition("{")
            yield name, f"{series}{{{labels},{rest}"


def _standing(target: str, now: int) -> Snapshot:
    """What the store has of the target at a moment; the checks are half past the minute, between two scrapes."""
    checks = [(BEGIN + minute * 60 + 30, kind) for minute, kind in _KINDS if BEGIN + minute * 60 + 30 <= now]
    checked_at, kind = checks[-1] if checks else (BEGIN, VerdictKind.STABLE)
    snapshot = failed() if kind is VerdictKind.MEASUREMENT_FAILED else drifted()
    assert snapshot.verdict is not None
    lost, anew = kind is VerdictKind.DRIFT, kind is VerdictKind.COLLECTING
    verdict = replace(
        snapshot.verdict,
        target=target,
        kind=kind,
        standing=kind,
        decided_at=checked_at,
        signals=(
            SignalState(Signal.ACCURACY, lost, lost, 2 if lost else 0),
            *(SignalState(signal) for signal in (Signal.TREND, Signal.TOKENS, Signal.IDENTITY)),
        ),
        baseline=replace(snapshot.verdict.baseline, runs=2 if anew else 15, frozen=not anew),
        accuracy=tuple(replace(area, accuracy_ratio=area.accuracy_ratio - 0.02 * len(checks)) for area in snapshot.verdict.accuracy),
        token_shift_ratio=1.2 - 0.01 * len(checks),
    )
    return replace(
        snapshot,
        target=target,
        verdict=verdict,
        protocol="00ff00ff" if now >= BEGIN + 160 * 60 else "a1b2c3d4",
        verdict_changed_at=float(checked_at),
        counters=Counters(
            measurement_errors={Reason.RATE_LIMITED: 34 * sum(kind is VerdictKind.MEASUREMENT_FAILED for _, kind in checks)},
            checks={each: sum(kind is each for _, kind in checks) for each in VerdictKind},
            requests=1000 + 40 * len(checks),
            input_tokens=90_000 + 3000 * len(checks),
            output_tokens=240_000 + 9000 * len(checks),
            spend_usd=2.5 + 0.1 * len(checks),
        ),
        spend=tuple(Spend(period, 9.0 - len(checks), 1000, 50.0, 9000) for period in SpendPeriod),
        progress=CheckProgress(
            last_check_at=checked_at,
            last_success_at=checked_at,
            last_duration_seconds=60.0 - len(checks),
            next_check_at=checked_at + 1800,
            in_progress=len(checks) % 2 == 1,
        ),
    )


_KINDS = (
    (20, VerdictKind.STABLE),
    (50, VerdictKind.DRIFT),
    (90, VerdictKind.DRIFT),
    (115, VerdictKind.STABLE),
    (140, VerdictKind.MEASUREMENT_FAILED),
    (160, VerdictKind.COLLECTING),
    (200, VerdictKind.UNCONFIRMED),
)
"""Each check by its minute."""


def _durations(scraped: Scraped, time: int) -> Durations:
    """One request a minute of at most two and a half seconds and one of at most five, for as long as an instance has its database."""
    asked = max(0, min(time, scraped.lost_at) - scraped.begin) // 60
    counts = [asked if bound in (2.5, 5.0) else 0 for bound in DURATION_BOUNDS_SECONDS]
    return Durations((*counts, 0), 5.0 * asked)
