"""The mock provider in a thread of this process: it outlives the programs that ask it, and its log is here to be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from exporter.demo.behaviour import Behaviour
from exporter.demo.mock import MockProvider, running_mock
from exporter.demo.request_log import Entry
from exporter.records import Question
from exporter.suites import load_suites
from tests.daemon.world import suite_text
from tests.threads import in_thread

SUITE = "questions.yml"
_Result = TypeVar("_Result")


class Pretended:
    """A running mock. Its state is its loop's own, so everything is read and changed there."""

    def __init__(self, mock: MockProvider, loop: asyncio.AbstractEventLoop, questions: tuple[Question, ...]) -> None:
        self.base_url = mock.base_url
        self.base_url_of = mock.base_url_of
        self.questions = questions
        self._state = mock.state
        self._loop = loop

    def behave(self, model: str, **fields: Any) -> None:
        """Change how a model behaves, from the next request on."""
        problems = self._there(lambda: self._state.set_models({"models": {model: fields}}, wholly=False))
        assert not problems, problems

    def entries(self, model: str | None = None) -> list[Entry]:
        """Every request so far, oldest first."""
        return self._there(lambda: self._state.log.entries(model))

    def count(self) -> int:
        """How many requests so far."""
        return self._there(lambda: len(self._state.log))

    def _there(self, function: Callable[[], _Result]) -> _Result:
        async def call() -> _Result:
            return function()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(timeout=60)


@contextmanager
def pretending(folder: Path, models: Mapping[str, Behaviour], *, suite: str = SUITE, seed: int = 0) -> Iterator[Pretended]:
    """Serve `models`, which know the twelve questions of `questions.yml` (written to `folder`) or another suite."""
    (folder / SUITE).write_text(suite_text())
    questions = load_suites([suite], folder)
    with in_thread(running_mock(questions, models, seed=seed)) as (mock, loop):
        yield Pretended(mock, loop, questions)
