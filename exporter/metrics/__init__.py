"""Snapshots to the text of /metrics: the catalogue of families, the samples, both formats. The only user of prometheus_client.

Never done here: measuring, reading the store or the clock, serving HTTP. Numbers are shown as they were stored; one that
is not known is left out. Looking to add a metric? Start in catalogue.py, then put its samples down in results.py,
identities.py or totals.py; the tests say what else names it.
"""

from exporter.metrics.catalogue import BY_NAME, FAMILIES
from exporter.metrics.exposition import Exposition
from exporter.metrics.family import PREFIX, Family, FamilyType, Label, Origin
from exporter.metrics.tallies import LOG_LEVELS, RequestDurations, Tallies, Tally
from exporter.metrics.view import MetricsView

__all__ = [
    "BY_NAME",
    "FAMILIES",
    "LOG_LEVELS",
    "PREFIX",
    "Exposition",
    "Family",
    "FamilyType",
    "Label",
    "MetricsView",
    "Origin",
    "RequestDurations",
    "Tallies",
    "Tally",
]
