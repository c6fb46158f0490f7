from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import structlog

from exporter.config import WebConfig, WebConfigReader, load_web_config
from exporter.daemon.last_load import LastLoad
from exporter.daemon.web_access import POLL_SECONDS, WebConfigFile, watch_web_config
from exporter.web.door import Door
from tests.certificates import certificate, write_certificate
from tests.daemon.serving import StillClock, until

HASH = "$2b$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG"
TEXT = "tls_server_config: {cert_file: tls.crt, key_file: tls.key}\n"


class NotedDoor(Door):
    """A door that notes what it adopts."""

    def __init__(self, config: WebConfig) -> None:
        super().__init__(config)
        self.adopted: list[WebConfig] = []

    def adopt(self, config: WebConfig) -> None:
        self.adopted.append(config)
        super().adopt(config)


class DreamClock(StillClock):
    """A clock that knows whether anybody sleeps on it."""

    @property
    def is_slept_on(self) -> bool:
        return any(wakes_at > self._now for wakes_at in self._sleepers.values())


class Watching:
    """The watch over `web.yml` in a folder; it reads again at each `look`."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "web.yml"
        self.clock = DreamClock()
        self.reads = 0

    def run(self, act: Callable[[Watching], Awaitable[None]]) -> list[tuple[str, str]]:
        """Level and event of every line that is logged meanwhile."""

        async def watch() -> None:
            in_use = load_web_config(self.file)
            self.door = NotedDoor(in_use)
            self.last = LastLoad(self.clock)
            task = asyncio.create_task(watch_web_config(WebConfigFile(self.file, in_use, self.last), self.door, self.clock))
            await self._asleep()
            await act(self)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        with structlog.testing.capture_logs() as lines:
            asyncio.run(watch())
        self.errors = [line["error"] for line in lines if "error" in line]
        return [(line["log_level"], line["event"]) for line in lines]

    async def look(self, times: int = 1) -> None:
        """Have it read again."""
        for _ in range(times):
            self.clock.advance(POLL_SECONDS)
            await until(lambda: not self.clock.is_slept_on)
            await self._asleep()

    async def _asleep(self) -> None:
        await until(lambda: self.clock.is_slept_on)


@pytest.fixture
def watching(tmp_path: Path) -> Watching:
    write_certificate(tmp_path)
    (tmp_path / "web.yml").write_text(TEXT)
    return Watching(tmp_path)


def test_nothing_is_adopted_while_nothing_changes(watching: Watching) -> None:
    async def act(watching: Watching) -> None:
        await watching.look(3)
        os.utime(watching.file)
        await watching.look(3)
        assert watching.door.adopted == []

    assert watching.run(act) == []


def test_new_users_are_adopted_once_the_file_has_stood_still(watching: Watching) -> None:
    async def act(watching: Watching) -> None:
        watching.file.write_text(f"{TEXT}basic_auth_users: {{bob: {HASH}}}\n")
        await watching.look()
        assert watching.door.adopted == []
        await watching.look(3)
        (adopted,) = watching.door.adopted
        assert list(adopted.users) == ["bob"]

    assert watching.run(act) == [("info", "web config reloaded")]


def test_a_certificate_renewed_behind_a_link_is_adopted(watching: Watching, tmp_path: Path) -> None:
    for version in ("one", "two"):
        (tmp_path / version).mkdir()
        write_certificate(tmp_path / version, by=version)
    (tmp_path / "data").symlink_to("one")
    watching.file.write_text("tls_server_config: {cert_file: data/tls.crt, key_file: data/tls.key}\n")

    async def act(watching: Watching) -> None:
        await watching.look(2)
        (tmp_path / "new").symlink_to("two")
        (tmp_path / "new").rename(tmp_path / "data")
        await watching.look(2)
        assert len(watching.door.adopted) == 1

    assert watching.run(act) == [("info", "web config reloaded")]


def test_a_key_that_everybody_may_read_is_told_at_the_start_and_at_each_change(watching: Watching, tmp_path: Path) -> None:
    (tmp_path / "tls.key").chmod(0o644)

    async def act(watching: Watching) -> None:
        await watching.look(3)
        watching.file.write_text(f"{TEXT}basic_auth_users: {{bob: {HASH}}}\n")
        await watching.look(3)

    warned = ("warning", "the web config is used, but")
    assert watching.run(act) == [warned, ("info", "web config reloaded"), warned]


def test_a_bad_file_is_told_once_and_the_old_one_stays_in_use(watching: Watching) -> None:
    async def act(watching: Watching) -> None:
        watching.file.write_text("basic_auth_user: {}\n")
        await watching.look(5)
        assert watching.door.adopted == []
        assert watching.door.tls is not None
        assert not watching.last.is_successful

    assert watching.run(act) == [("error", "the web config was not reloaded; the old one stays in use")]
    assert watching.errors == [watching.last.error] == [f"{watching.file}:1: basic_auth_user: unknown key; did you mean basic_auth_users?"]


@pytest.mark.parametrize("mended", [TEXT, f"{TEXT}basic_auth_users: {{bob: {HASH}}}\n"], ids=["as before", "as another"])
def test_that_a_file_is_mended_is_known_whether_it_is_as_before_or_not(watching: Watching, mended: str) -> None:
    async def act(watching: Watching) -> None:
        started_at = watching.last.succeeded_at
        await watching.look(2)
        assert (watching.last.is_successful, watching.last.succeeded_at) == (True, started_at)
        watching.file.write_text("[]")
        await watching.look(2)
        assert (watching.last.is_successful, watching.last.succeeded_at) == (False, started_at)
        watching.file.write_text(mended)
        await watching.look(2)
        assert watching.last.is_successful
        mended_at = watching.last.succeeded_at
        assert mended_at > started_at
        await watching.look(2)
        assert watching.last.succeeded_at == mended_at

    watching.run(act)


def test_a_file_that_is_gone_or_empty_opens_no_door(watching: Watching) -> None:
    async def act(watching: Watching) -> None:
        watching.file.write_text("")
        await watching.look(3)
        watching.file.unlink()
        await watching.look(3)
        assert watching.door.adopted == []

    assert [level for level, _ in watching.run(act)] == ["error", "error"]


def test_a_key_that_is_a_moment_later_than_its_certificate_is_not_told(watching: Watching, tmp_path: Path) -> None:
    async def act(watching: Watching) -> None:
        new = certificate("localhost", by="later")
        (tmp_path / "tls.crt").write_bytes(new.cert_chain_pems[0].bytes())
        await watching.look()
        (tmp_path / "tls.key").write_bytes(new.private_key_pem.bytes())
        await watching.look(2)
        assert len(watching.door.adopted) == 1

    assert watching.run(act) == [("info", "web config reloaded")]


def test_the_same_mistake_is_told_again_after_it_was_mended(watching: Watching) -> None:
    async def act(watching: Watching) -> None:
        for text in ("[]", TEXT, "[]"):
            watching.file.write_text(text)
            await watching.look(3)
        assert watching.door.adopted == []

    assert [level for level, _ in watching.run(act)] == ["error", "error"]


def test_what_nobody_foresaw_does_not_end_the_watch(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_reader: WebConfigReader) -> WebConfig:
        raise RuntimeError("out of descriptors")

    async def act(watching: Watching) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("exporter.daemon.web_access.WebConfigReader.read", fail)
            await watching.look(3)
        watching.file.write_text("{}")
        await watching.look(2)
        assert watching.door.tls is None

    assert watching.run(act) == [
        ("error", "the web config was not reloaded; the old one stays in use"),
        ("info", "web config reloaded"),
    ]
