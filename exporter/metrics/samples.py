"""A sheet of samples by family, checked against the catalogue as they are put down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from prometheus_client import Metric

from exporter.metrics.catalogue import BY_NAME
from exporter.metrics.family import Family
from exporter.metrics.labels import clean_value, keep_legal_labels
from exporter.metrics.tallies import Durations

_LABEL_NAMES = {family.name: frozenset(label.name for label in family.labels) for family in BY_NAME.values()}


def open_metric(family: Family) -> Metric:
    """The family without a sample, in prometheus_client's terms."""
    return Metric(family.base_name, family.help, family.type, family.unit)


class Sheet:
    """Samples of one target, or of what belongs to no target. `fixed` labels are on every sample."""

    def __init__(self, **fixed: str) -> None:
        self._fixed = {name: clean_value(value) for name, value in fixed.items()}
        self.metrics: dict[str, Metric] = {}

    def put(self, name: str, value: float | None, **labels: str) -> None:
        """Put down one sample of the family `name` (without prefix). A value that is not known, or not finite, is left out."""
        if value is None or not math.isfinite(value):
            return
        family = BY_NAME[name]
        self._open(family).add_sample(family.name, self._labels(family, labels), value)

    def put_each(self, name: str, label: str, values: Mapping[Any, float]) -> None:
        """Put down one sample for each value that the closed label `label` can take; those that are no key of `values` are 0."""
        closed = next(known.values for known in BY_NAME[name].labels if known.name == label)
        for choice in closed or ():
            self.put(name, values.get(choice, 0), **{label: choice})

    def put_info(self, name: str, labels: Mapping[str, str], extra: Mapping[str, str]) -> None:
        """Put down a 1 with `labels`, and with those of the `extra` ones that Prometheus can take."""
        family = BY_NAME[name]
        own = self._labels(family, labels)
        added = keep_legal_labels(extra, own) if family.extra_labels else {}
        self._open(family).add_sample(family.name, own | {label: clean_value(value) for label, value in added.items()}, 1)

    def put_durations(self, name: str, durations: Durations) -> None:
        """Put down a histogram."""
        family = BY_NAME[name]
        metric = self._open(family)
        labels = self._labels(family, {})
        bounds = (*map(str, family.buckets), "+Inf")
        for bound, count in zip(bounds, accumulate(durations.counts), strict=True):
            metric.add_sample(family.name + "_bucket", labels | {"le": bound}, count)
        metric.add_sample(family.name + "_count", labels, sum(durations.counts))
        metric.add_sample(family.name + "_sum", labels, durations.sum_seconds)

    def _open(self, family: Family) -> Metric:
        metric = self.metrics.get(family.name)
        if metric is None:
            metric = self.metrics[family.name] = open_metric(family)
        return metric

    def _labels(self, family: Family, labels: Mapping[str, str]) -> dict[str, str]:
        complete = self._fixed | {name: clean_value(value) for name, value in labels.items()}
        if complete.keys() != _LABEL_NAMES[family.name]:
            raise ValueError(f"{family.name} has the labels {[label.name for label in family.labels]}, not {sorted(complete)}")
        return complete
