"""The store as verbs want it: to write in, to look at, or a copy to be thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from exporter.cli.render import print_note
from exporter.config import Config, read_storage_password
from exporter.daemon.live import LiveConfig, find_renames
from exporter.errors import Problem, StoreMissingError, UsageError
from exporter.store import Store, open_store, reach_store


def open_config_store(config: Config, *, read_only: bool = False) -> Store:
    """The store that a config names. Raises StoreError."""
    return open_store(config.storage, read_only=read_only, read_password=lambda: read_storage_password(config))


def reach_config_store(config: Config) -> Store:
    """The same for the daemon, which can wait for a server. Raises StoreError where a file cannot be opened."""
    return reach_store(config.storage, read_password=lambda: read_storage_password(config))


@contextmanager
def written(live: LiveConfig) -> Iterator[Store]:
    """The config's store, created where needed, with the history of renamed targets under their new names.

    Raises UsageError where a daemon still knows one of them under its old name.
    """
    with closing(open_config_store(live.config)) as store:
        renames = find_renames(live, store.targets())
        _require_unused(store, renames)
        _carry_over(store, renames)
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
            _carry_over(store, find_renames(live, store.targets()))
            yield store


def _carry_over(store: Store, renames: Mapping[str, str]) -> None:
    for name, formerly in renames.items():
        if store.rename_target(formerly, name):
            print_note(f"{name}: history carried over from {formerly}")


def _require_unused(store: Store, renames: Mapping[str, str]) -> None:
    """A daemon announces its config before it renames, so that others leave the old name alone for as long as it is there.

    A command is gone in a moment, and whoever finds nothing under the old name then would begin it anew.
    """
    newest = store.newest_config()
    used = [name for name, formerly in renames.items() if newest is not None and formerly in newest.targets]
    if used:
        fix = "have it load this config, and it takes the history along"
        raise UsageError([Problem(f"target {name}", f"is still checked as {renames[name]} by a running exporter", fix) for name in used])
