"""What every adapter must do, whatever its API calls things. Looking to add a provider? Write its Wording, add it to WORDINGS.

The sentences are in test_contract_*.py; each runs once for every wording.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers import Provider, open_provider
from exporter.records import Answer, Request
from tests.fakes import FakeClock
from tests.own_time import run_in_own_time
from tests.providers.loopback import STREAM_HEAD, Loopback, Received, Respond, says

KEY = "sk-planted-0123456789abcdef"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wording:
    """How one API says things. Every answer is served by `model-1` and took 12 tokens in, 3 out.

    `refusal` is None where the API has no word for one. `asked` reads model, prompt and token limit back from what was received;
    `plain_fields` are the fields of the plainest request, `sampling_in` the object in which sampling goes (None: the body).
    `done_word` is the first piece of a stream that says that the answer is whole; `goodbye_events` come after that: None
    where no event ends a stream. `looked_up` is what a GET is answered with, where the adapter makes one. `served` is None where the
    API does not name the model.
    """

    api: str
    model: str
    path: str
    key_header: tuple[str, str]
    answer: Callable[[str], Json]
    stream: Callable[[str], list[bytes]]
    stopped: Callable[[str, str], Json]
    truncated_word: str
    refusal: Json | None
    tool_call: Callable[[str, Mapping[str, Any]], Json]
    tool_stream: Callable[[str, Mapping[str, Any]], list[bytes]]
    without_usage: Callable[[Json], Json]
    error: Callable[[int, str, str], Json]
    stream_error: Callable[[int, str, str], bytes]
    asked: Callable[[Received], tuple[str, str, int]]
    plain_fields: frozenset[str]
    done_word: bytes
    sampling_in: str | None = None
    goodbye_events: int | None = 1
    stream_head: bytes = STREAM_HEAD
    looked_up: Json | None = None
    served: str | None = "model-1"

    def __str__(self) -> str:
        return self.api


def asked_in_messages(received: Received, limit: str = "max_tokens") -> tuple[str, str, int]:
    """Model, prompt and token limit of a body with messages."""
    sent = received.json()
    assert sent["messages"][-1]["role"] == "user"
    return sent["model"], sent["messages"][-1]["content"], sent[limit]


def request(**changes: Any) -> Request:
    """A plain request; a minute is plenty on loopback."""
    return Request(**{"model": "model-0", "prompt": "What is 2 + 2?", "max_tokens": 64, "timeout_seconds": 60.0, **changes})


def ask(
    wording: Wording,
    respond: Respond,
    *,
    target: Mapping[str, Any] | None = None,
    read_key: Callable[[], str | None] = lambda: KEY,
    clock: FakeClock | None = None,
    **changes: Any,
) -> Answer:
    """The answer to one request, asked of a server that responds so."""
    return ask_and_look(wording, respond, target=target, read_key=read_key, clock=clock, **changes)[0]


def ask_and_look(
    wording: Wording,
    respond: Respond,
    *,
    target: Mapping[str, Any] | None = None,
    read_key: Callable[[], str | None] = lambda: KEY,
    clock: FakeClock | None = None,
    **changes: Any,
) -> tuple[Answer, list[Received]]:
    """The answer, and what the server received. Where a request has a limit of its own, time passes for it while nothing happens."""

    async def run() -> tuple[Answer, list[Received]]:
        async with Loopback(answer_lookups(wording, respond)) as server:
            settings = {"base_url": f"{server.url}/v1", **(target or {})}
            provider = open_target(wording, read_key=read_key, clock=clock, **settings)
            try:
                return await provider.ask(request(**changes)), posted(server)
            finally:
                await provider.aclose()

    return (run_in_own_time if "timeout_seconds" in changes else asyncio.run)(run())


def answer_lookups(wording: Wording, respond: Respond) -> Respond:
    """Responds so, but to a GET with what is looked up."""

    async def respond_to_both(received: Received, writer: asyncio.StreamWriter) -> None:
        await (respond if received.method == "POST" else says(200, wording.looked_up))(received, writer)

    return respond_to_both


def posted(server: Loopback) -> list[Received]:
    """What a server received, without what was only looked up."""
    return [received for received in server.received if received.method == "POST"]


def open_target(
    wording: Wording,
    base_url: str,
    read_key: Callable[[], str | None] = lambda: KEY,
    clock: FakeClock | None = None,
    **settings: Any,
) -> Provider:
    """A provider for this URL."""
    target = Target(**{"name": "bot", "api": wording.api, "model": "model-0", "base_url": base_url, **settings})
    return open_provider(target, read_key, clock or FakeClock())


async def ask_once(wording: Wording, base_url: str, **settings: Any) -> Answer:
    """The answer of this URL to one request."""
    provider = open_target(wording, base_url, **settings)
    try:
        return await provider.ask(request())
    finally:
        await provider.aclose()


def for_every_api(wordings: list[Wording]) -> pytest.MarkDecorator:
    """Run a sentence once for every wording."""
    return pytest.mark.parametrize("wording", wordings, ids=str)
