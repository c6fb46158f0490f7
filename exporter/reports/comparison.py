"""A comparison in words: what flipped, what class that is, and how often it happens with nothing changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from exporter.records import (
    Anchor,
    Evidence,
    FlipClass,
    HeldOutComparison,
    IdentityChange,
    Skip,
    SkipKind,
    SkippedComparison,
    SuiteComparison,
    TargetComparison,
)
from exporter.reports.figures import moment, percent

NOISE_P_VALUE = 0.05
"""Above this share of quiet days, flips are called noise."""

_SINCE = {"reference": "the reference", "previous": "the run before"}


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """One comparison: `headline` is one line, `details` one line each; `flip_class` is None where nothing was compared."""

    headline: str
    details: tuple[str, ...] = ()
    flip_class: FlipClass | None = None


def describe_comparison(target: TargetComparison) -> tuple[str, tuple[ComparisonReport, ...]]:
    """A line about the check that was compared, and a report for each suite against the reference and the run before."""
    if target.check_id is None or target.started_at is None:
        return f"{target.target}: nothing to compare: it was never checked", ()
    if target.reason is not None:
        message = f": {target.reason_message}" if target.reason_message else ""
        return f"{target.target}: nothing to compare: check {target.check_id} could not measure ({target.reason}){message}", ()
    headline = f"{target.target}: check {target.check_id} of {moment(target.started_at)} ({_runs(target.run_ids)})"
    reports = [_describe(comparison) for comparison in target.suites]
    if target.held_out is not None:
        reports.append(ComparisonReport(_held_out(target.held_out)))
    return headline, tuple(reports)


def comparison_as_dict(target: TargetComparison) -> dict[str, Any]:
    """Every figure under its own name, as plain JSON values, and the words of each comparison as `headline` and `details`."""
    headline, reports = describe_comparison(target)
    document = asdict(target)
    suites = [_as_dict(comparison) | _words(report) for comparison, report in zip(target.suites, reports, strict=False)]
    held_out = None
    if target.held_out is not None:
        held_out = asdict(target.held_out) | {"headline": reports[-1].headline}
    worst = gravest_class([target])
    return {**document, "headline": headline, "class": worst, "suites": suites, "held_out": held_out}


def gravest_class(targets: Iterable[TargetComparison]) -> FlipClass | None:
    """The gravest class of all that was compared; None where nothing was."""
    found = [one.flip_class for target in targets for one in target.suites if isinstance(one, SuiteComparison)]
    return max(found, key=list(FlipClass).index, default=None)


def _as_dict(comparison: SuiteComparison | SkippedComparison) -> dict[str, Any]:
    if isinstance(comparison, SkippedComparison):
        return {"suite": comparison.suite, "versus": comparison.versus, "class": None, "skipped": asdict(comparison.skip)}
    document = asdict(comparison)
    flips, flip_class = document.pop("flips"), document.pop("flip_class")
    return {"suite": document.pop("suite"), **flips, "class": flip_class, "skipped": None, **document}


def _words(report: ComparisonReport) -> dict[str, Any]:
    return {"headline": report.headline, "details": list(report.details)}


def _describe(comparison: SuiteComparison | SkippedComparison) -> ComparisonReport:
    if isinstance(comparison, SkippedComparison):
        return ComparisonReport(f"{comparison.suite} against {_SINCE[comparison.versus]}: {_skipped(comparison.skip, comparison.versus)}")
    flipped = len(comparison.flips.lost) + len(comparison.flips.gained)
    of_questions = f"{flipped} of {comparison.questions} questions flipped"
    accuracy = f"accuracy {percent(comparison.accuracy_ratio, 1)}, was {percent(comparison.before_ratio, 1)}"
    against = f"{comparison.suite} against {_SINCE[comparison.flips.versus]} ({_anchor(comparison)})"
    headline = f"{against}: {comparison.flip_class}, {of_questions}, {accuracy}"
    return ComparisonReport(headline, tuple(_details(comparison)), comparison.flip_class)


def _details(comparison: SuiteComparison) -> Iterator[str]:
    for direction, ids in (("lost", comparison.flips.lost), ("gained", comparison.flips.gained)):
        if ids:
            yield f"{direction}: {', '.join(ids)}"
    noise = ": noise explains it" if comparison.flips.lost and comparison.p_value > NOISE_P_VALUE else ""
    yield f"p = {_p(comparison.p_value)}: with nothing changed, {_share(comparison.p_value)} of days are as bad as this{noise}"
    if comparison.flips.gained:
        noise = ": noise explains it" if comparison.better_p_value > NOISE_P_VALUE else ""
        yield f"p = {_p(comparison.better_p_value)}: with nothing changed, {_share(comparison.better_p_value)} of days are as good{noise}"
    if comparison.uncompared:
        yield f"not compared, as they lack marks on one side: {comparison.uncompared}"
    yield _identity(comparison.identity)


def _anchor(comparison: SuiteComparison) -> str:
    count = f"{len(comparison.run_ids)} run{'' if len(comparison.run_ids) == 1 else 's'}"
    return {
        Anchor.PINNED: f"pinned to {_runs(comparison.run_ids)}",
        Anchor.FROZEN: f"baseline of {count}, frozen",
        Anchor.GROWING: f"baseline of {count}, growing",
        Anchor.PREVIOUS: f"{_runs(comparison.run_ids)} of {moment(comparison.started_at)}",
    }[comparison.anchor]


def _identity(identity: IdentityChange) -> str:
    if identity.evidence is Evidence.NONE:
        return "identity: no evidence"
    now = ", ".join(identity.now) or "nobody is named"
    if identity.changed:
        return f"identity ({identity.evidence} evidence): changed from {', '.join(identity.before)} to {now}"
    return f"identity ({identity.evidence} evidence): unchanged, {now}"


def _skipped(skip: Skip, versus: str) -> str:
    on = f" on {_day(skip.happened_at)}" if skip.happened_at is not None else f" since {_SINCE[versus]}"
    collected = f", {skip.runs} of {skip.runs_required} runs of the new one are there" if skip.runs_required else ""
    match skip.kind:
        case SkipKind.NO_REFERENCE:
            return f"no reference yet: {skip.runs} of {skip.runs_required} runs are there"
        case SkipKind.OWN_REFERENCE:
            return "no reference yet: this check is part of it, the next one can be compared"
        case SkipKind.NO_PREVIOUS:
            return "there is none yet"
        case SkipKind.NO_MARKS:
            return "nothing to compare: no question has marks on both sides"
        case SkipKind.SUITE_CHANGED:
            return f"skipped: suite changed since {_SINCE[versus]} ({_questions(skip)})"
        case SkipKind.BASELINE_RESET:
            return f"skipped: baseline reset{on}{collected}"
        case SkipKind.MODEL_ACCEPTED:
            return f"skipped: another model accepted{on}{collected}"
        case SkipKind.PROTOCOL_CHANGED:
            return f"skipped: protocol changed{on}{collected}"


def _questions(skip: Skip) -> str:
    counts = [(skip.replaced, "replaced"), (skip.added, "added"), (skip.removed, "removed")]
    (first, verb), *others = [pair for pair in counts if pair[0]]
    return ", ".join([f"{first} question{'' if first == 1 else 's'} {verb}", *(f"{count} {word}" for count, word in others)])


def _held_out(compared: HeldOutComparison) -> str:
    public, held_out = (f"suite{'' if len(names) == 1 else 's'} {', '.join(names)}" for names in (compared.public, compared.held_out))
    if not compared.public:
        return f"held-out {held_out}: nothing to compare: no other suite is asked"
    if compared.p_value is None or compared.ahead_ratio is None:
        return f"public {public} and held-out {held_out}: nothing to compare: both need a comparison with their reference"
    if compared.is_ahead:
        it = "it" if len(compared.public) == 1 else "they"
        ahead = f"{compared.ahead_ratio * 100:.0f} points (p = {_p(compared.p_value)})"
        return f"the public {public} pulled ahead of the held-out {held_out} by {ahead}: {it} may have been trained on"
    changes = [(ratio or 0.0) * 100 for ratio in (compared.public_change_ratio, compared.held_out_change_ratio)]
    return (
        f"public {public} changed by {changes[0]:+.1f} points, held-out {held_out} by {changes[1]:+.1f}: "
        f"not ahead beyond chance (p = {_p(compared.p_value)})"
    )


def _runs(run_ids: tuple[int, ...]) -> str:
    return f"run{'' if len(run_ids) == 1 else 's'} {', '.join(map(str, run_ids))}"


def _p(value: float) -> str:
    return f"{value:.2g}"


def _share(ratio: float) -> str:
    """A share of days: two digits, and no more zeros than anybody reads."""
    share = ratio * 100
    if share < 0.001:
        return "less than 0.001 %"
    return f"{share:.0f} %" if share >= 10 else f"{share:.2g} %"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
