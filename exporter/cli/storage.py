"""The store as verbs want it: to write in, to look at, or a copy to be thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from exporter.config import Config, read_storage_password
from exporter.daemon.live import LiveConfig
from exporter.errors import StoreMissingError
from exporter.store import Store, open_store, reach_store


def open_config_store(config: Config, *, read_only: bool = False) -> Store:
    """The store that a config names. Raises StoreError."""
    return open_store(config.storage, read_only=read_only, read_password=lambda: read_storage_password(config))


def reach_config_store(config: Config) -> Store:
    """The same for the daemon, which can wait for a server. Raises StoreError where a file cannot be opened."""
    return reach_store(config.storage, read_password=lambda: read_storage_password(config))


@contextmanager
def written(live: LiveConfig) -> Iterator[Store]:
    """The config's store, created where needed, with the history of renamed targets under their new names."""
    with closing(open_config_store(live.config)) as store:
        _carry_over(store, live)
        yield store


@contextmanager
def looked_at(live: LiveConfig) -> Iterator[Store]:
    """The config's store, not to be changed. Raises StoreMissingError where there is none."""
    with closing(open_config_store(live.config, read_only=True)) as store:
        yield store


@contextmanager
def looked_at_if_any(live: LiveConfig) -> Iterator[Store | None]:
    """The same; None where there is none."""
    try:
        store = open_config_store(live.config, read_only=True)
    except StoreMissingError:
        yield None
        return
    with closing(store):
        yield store


@contextmanager
def copied(live: LiveConfig) -> Iterator[Store]:
    """A copy of the config's store that is gone after the block: what is written in it is not kept."""
    with tempfile.TemporaryDirectory(prefix="model-drift-") as folder:
        path = Path(folder) / "history.db"
        with looked_at_if_any(live) as original:
            if original is not None:
                original.copy_to(path)
        with closing(open_store(f"sqlite:///{path}")) as store:
            _carry_over(store, live)
            yield store


def _carry_over(store: Store, live: LiveConfig) -> None:
    for name, target in live.targets.items():
        formerly, known = target.target.formerly, store.targets()
        if formerly in known and name not in known:
            store.rename_target(formerly, name)
