"""Asking a running mock over real loopback HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from exporter.demo.behaviour import Behaviour
from exporter.demo.mock import MockProvider, running_mock
from exporter.records import Question
from tests.demo.questions import SUITE
from tests.fakes import FakeClock

PATHS = {"openai_chat": "/v1/chat/completions", "anthropic": "/v1/messages"}


class Asker:
    """A client of one mock. `clock` is the mock's own."""

    def __init__(self, mock: MockProvider, client: httpx.AsyncClient, clock: FakeClock) -> None:
        self.mock = mock
        self.client = client
        self.clock = clock

    async def ask(self, prompt: str, *, api: str = "openai_chat", model: str = "m", **fields: Any) -> httpx.Response:
        headers = fields.pop("headers", {})
        body = {"model": model, "max_tokens": 1024, "messages": [{"role": "user", "content": prompt}], **fields}
        return await self.client.post(PATHS[api], json=body, headers=headers)

    async def answer(self, question: Question, **fields: Any) -> str:
        """The text of an answer; raises where there is none."""
        return text_of((await self.ask(question.prompt, **fields)).json())

    async def log(self, model: str | None = None) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = (await self.client.get("/requests", params={"model": model} if model else {})).json()["requests"]
        return entries


def with_mock(
    talk: Callable[[Asker], Awaitable[None]],
    models: Mapping[str, Behaviour] | None = None,
    *,
    seed: int = 0,
    suite: tuple[Question, ...] = SUITE,
) -> None:
    """Run `talk` against a mock that serves `models` (default: one perfect "m")."""

    async def run() -> None:
        clock = FakeClock()
        async with (
            running_mock(suite, models if models is not None else {"m": Behaviour()}, seed=seed, clock=clock) as mock,
            httpx.AsyncClient(base_url=mock.url, trust_env=False, timeout=30) as client,
        ):
            await talk(Asker(mock, client, clock))

    asyncio.run(run())


def text_of(body: Mapping[str, Any]) -> str:
    if "choices" in body:
        return str(body["choices"][0]["message"]["content"])
    return "".join(block["text"] for block in body["content"] if block["type"] == "text")


def events_of(text: str) -> list[tuple[str, Any]]:
    """Server-sent events as (name, data); raises where a line is none of theirs."""
    events = []
    for block in text.removesuffix("\n\n").split("\n\n"):
        name, data = "message", None
        for line in block.split("\n"):
            field, _, value = line.partition(": ")
            assert field in ("event", "data"), line
            if field == "event":
                name = value
            else:
                data = value if value == "[DONE]" else json.loads(value)
        events.append((name, data))
    return events
