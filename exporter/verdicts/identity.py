"""Who served the answers: identities with their shares, and whether the baseline knows them."""

from __future__ import annotations

from exporter.records import ServedModel
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun


def describe_served(baseline: Baseline, run: MeasuredRun) -> tuple[ServedModel, ...]:
    """Identities of a run that was measured without leaving any out, the largest share first."""
    total = sum(run.identities.values())
    known = baseline.identities or frozenset(run.identities)
    return tuple(
        ServedModel(identity, run.fingerprints.get(identity), count / total, identity in known)
        for identity, count in sorted(run.identities.items(), key=lambda item: (-item[1], item[0]))
    )
