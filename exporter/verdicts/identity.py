"""Who served the answers, and from where: identities and facets with their shares, and whether the baseline knows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from exporter.records import FacetShare, ServedModel
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import FACETS, MeasuredRun

MAX_FACET_VALUES = 5
"""Values listed of each facet, the most frequent; the others are told as one."""


def describe_served(baseline: Baseline, run: MeasuredRun, known: frozenset[str] | None) -> tuple[ServedModel, ...]:
    """Identities of a run that was measured without leaving any out, the largest share first.

    `known` are those whose answers alone have marks, None where all have.
    """
    familiar = baseline.identities or frozenset(run.identities)
    return tuple(
        ServedModel(
            identity=identity,
            fingerprint=run.fingerprints.get(identity),
            share_ratio=answers / run.usable,
            in_baseline=identity in familiar,
            answers=answers,
            rerouted=known is not None and identity not in known,
        )
        for identity, answers in sorted(run.identities.items(), key=lambda item: (-item[1], item[0]))
    )


def describe_facets(baseline: Baseline, run: MeasuredRun) -> tuple[FacetShare, ...]:
    """Facets that answers of the run name, in the order of FACETS, each with its values, the largest share first."""
    shares: list[FacetShare] = []
    for place, facet in enumerate(FACETS):
        counts = _count_values((run,), place)
        familiar = _count_values(baseline.runs, place) or counts
        in_order = sorted(counts, key=lambda value: (-counts[value], value))
        shares += [
            FacetShare(facet, value, counts[value], counts[value] / run.usable, value in familiar) for value in in_order[:MAX_FACET_VALUES]
        ]
        if others := in_order[MAX_FACET_VALUES:]:
            answers = sum(counts[value] for value in others)
            shares.append(FacetShare(facet, None, answers, answers / run.usable, all(value in familiar for value in others)))
    return tuple(shares)


def _count_values(runs: Iterable[MeasuredRun], place: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for run in runs:
        for values, answers in run.origins.items():
            value = values[place]
            if value is not None:
                counts[value] += answers
    return counts
