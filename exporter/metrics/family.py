"""What a metric family is: its name, its type, its labels and the words that explain it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

PREFIX = "model_drift_"


class Origin(Enum):
    """Where a family's values come from. No value is measured on scrape.

    PROCESS and DAEMON are of the process that is scraped: what it has counted, and how it stands. All else every process with the same
    store and config tells alike.
    """

    CHECK = auto()
    STORE = auto()
    STATE = auto()
    PROCESS = auto()
    DAEMON = auto()


_SENTENCES = {
    Origin.CHECK: "Result of the last check, as stored; a scrape measures nothing.",
    Origin.STORE: "Counted in the store: a restart does not set it back.",
    Origin.PROCESS: "Counted since this process started.",
}
"""How the HELP of a family ends."""


class FamilyType(StrEnum):
    """The types in use, as both exposition formats spell them."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Label:
    """A label. `values` is the closed set it takes its values from, None where the set is open; `meaning` is for the docs."""

    name: str
    values: tuple[str, ...] | None = None
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """One metric family. `name` is what a query calls it: with prefix, and with `_total` if it is a counter.

    `unit` is its OpenMetrics unit (the last word of the name before `_total`), empty where there is none. `extra_labels` is
    True where the labels that the config gives a target are added. `buckets` are the upper bounds of a histogram, without +Inf.
    """

    name: str
    type: FamilyType
    summary: str
    labels: tuple[Label, ...] = ()
    unit: str = ""
    origin: Origin = Origin.CHECK
    extra_labels: bool = False
    buckets: tuple[float, ...] = ()

    @property
    def base_name(self) -> str:
        """The family's name as OpenMetrics counts: a counter's without `_total`."""
        return self.name.removesuffix("_total") if self.type is FamilyType.COUNTER else self.name

    @property
    def help(self) -> str:
        """The HELP text."""
        return f"{self.summary} {_SENTENCES.get(self.origin, '')}".rstrip()

    @property
    def series_names(self) -> tuple[str, ...]:
        """The names that its series have."""
        if self.type is FamilyType.HISTOGRAM:
            return tuple(self.name + suffix for suffix in ("_bucket", "_count", "_sum"))
        return (self.name,)
