"""What one scrape is rendered from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from exporter.metrics.tallies import Tallies
from exporter.records import Snapshot, Spend


@dataclass(frozen=True, slots=True)
class MetricsView:
    """Every target's snapshot, and what belongs to no target.

    A snapshot object must not be reused for other values: its text is kept for as long as it is the same object.
    `read_at` is when the snapshots were last read from the store. `total_spend` is the spend of all targets together,
    one entry for each period, empty where there is no cap over all of them. `store_errors` are the store's own counts, by operation.
    `reload_error` is what was wrong with the config file, one line a problem, where it could not be loaded again; None where it could.
    `web_reload_successful`, `web_reloaded_at` and `web_reload_error` are of the web config file, None where there is none.
    `replicas` are the programs that serve from this store, this one included; `config_outdated`: another has loaded another config since.
    """

    snapshots: tuple[Snapshot, ...] = ()
    read_at: float | None = None
    reload_successful: bool = True
    reloaded_at: float | None = None
    reload_error: str | None = None
    web_reload_successful: bool | None = None
    web_reloaded_at: float | None = None
    web_reload_error: str | None = None
    total_spend: tuple[Spend, ...] = ()
    replicas: int = 1
    config_outdated: bool = False
    store_errors: Mapping[str, int] = field(default_factory=dict)
    tallies: Tallies = field(default_factory=Tallies)
