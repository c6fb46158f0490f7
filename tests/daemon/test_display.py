"""What is shown of the targets, and how much is read for it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from exporter.daemon.display import Display
from exporter.daemon.live import LiveTarget, load_live
from exporter.daemon.snapshots import SnapshotReader
from exporter.store import open_store
from exporter.web import OutcomeKind
from tests.daemon.serving import Serving, StillClock, until


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    return Serving(tmp_path)


def test_the_page_of_a_target_reads_its_past_newest_first_and_in_parts(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporter.daemon.display._SHOWN_CHECKS", 2)
    serving.write("bot")

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        for checks in (2, 3):
            serving.clock.advance(60)
            assert (await serving.service.check_now("bot", "a test")).kind is OutcomeKind.DONE
            await until(lambda checks=checks: sum(serving.snapshots()["bot"].counters.checks.values()) == checks)
        newest = await serving.service.details("bot")
        assert newest is not None
        assert ([check.id for check in newest.checks], newest.has_older) == ([3, 2], True)
        assert [verdict.check_id for verdict in newest.past] == [3, 2, 1]
        assert [seen.identity for seen in newest.served] == ["model-1"]
        oldest = await serving.service.details("bot", before=2)
        assert oldest is not None
        assert ([check.id for check in oldest.checks], oldest.has_older) == ([1], False)
        assert await serving.service.details("nobody") is None

    serving.run(act)


def test_targets_that_come_while_others_are_read_are_then_read_together(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    serving.write("first", "second", "third", "fourth")
    live = load_live(serving.folder / "config.yml")
    store = open_store(live.config.storage)
    store.prepare()
    read: list[list[str]] = []
    read_all = SnapshotReader.read

    def note(reader: SnapshotReader, targets: Mapping[str, LiveTarget], names: Collection[str], *others: Any, **more: Any) -> Any:
        read.append(list(names))
        return read_all(reader, targets, names, *others, **more)

    async def show() -> None:
        display = Display(store, StillClock(), live)
        await display.restore()
        monkeypatch.setattr(SnapshotReader, "read", note)
        await asyncio.gather(*(display.show(name) for name in ("first", "second", "third", "second", "fourth")))

    asyncio.run(show())
    store.close()
    assert read == [["first"], ["second", "third", "fourth"]]
