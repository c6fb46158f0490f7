"""The mock provider: eight chat APIs, a control endpoint and its own request log, on loopback.

    POST /v1/chat/completions   POST /v1/messages   POST /v1/responses   POST /v1/models/<model>:generateContent
    POST /openai/v1/chat/completions   POST /openai/deployments/<model>/chat/completions?api-version=…
    POST /mistral/v1/chat/completions   POST /v1/chat   POST /v1/api/chat   GET /v1/api/tags   GET /v1/models
    GET, PUT, PATCH /control    POST /control/reset    GET /requests?model=…

A control document is {"models": {name: behaviour, …}}: PUT sets all models, PATCH changes some fields of some of them (null
removes a model), reset also forgets the asks and the log. `python -m exporter.demo.mock` serves it in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from exporter.clock import Clock, SystemClock
from exporter.demo.app import DIALECTS, create_app
from exporter.demo.behaviour import Behaviour
from exporter.demo.sending import OpenHandedProtocol
from exporter.demo.state import MockState
from exporter.records import Question
from exporter.suites import load_suites

LOOPBACK = "127.0.0.1"


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to whoever runs the mock."""
        yield


@dataclass(frozen=True, slots=True)
class MockProvider:
    """A running mock; /control and /requests are below `url`."""

    state: MockState
    url: str

    @property
    def base_url(self) -> str:
        """The `base_url` of a target that asks this mock, for every API that has none of its own here."""
        return f"{self.url}/v1"

    def base_url_of(self, api: str) -> str:
        """The `base_url` of a target of this API."""
        return self.url + next(dialect.root for dialect in DIALECTS if dialect.api == api)


@contextlib.asynccontextmanager
async def running_mock(
    questions: Sequence[Question],
    models: Mapping[str, Behaviour],
    *,
    seed: int = 0,
    port: int = 0,
    clock: Clock | None = None,
) -> AsyncIterator[MockProvider]:
    """Serve on 127.0.0.1 until the block is left; port 0 takes a free one. Raises OSError where the port is taken."""
    state = MockState(questions, models, seed)
    app = create_app(state, clock or SystemClock())
    config = uvicorn.Config(
        app, http=OpenHandedProtocol, ws="none", lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = _Server(config)
    with _listen(port) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield MockProvider(state, f"http://{LOOPBACK}:{listener.getsockname()[1]}")
        finally:
            server.should_exit = True
            await serving


def _listen(port: int) -> socket.socket:
    # asyncio turns Nagle's algorithm off only where the protocol is named; with it each response waits 40 ms for an ACK.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


async def _serve(arguments: argparse.Namespace) -> None:
    questions = load_suites(arguments.suite, Path.cwd())
    models = {name: Behaviour() for name in arguments.model}
    async with running_mock(questions, models, seed=arguments.seed, port=arguments.port) as mock:
        if arguments.url_file is not None:
            unfinished = arguments.url_file.with_suffix(".part")
            unfinished.write_text(mock.url)
            unfinished.replace(arguments.url_file)
        await asyncio.Event().wait()


def main() -> None:
    """Serve perfect models of the names given, until the process is ended; behaviour is set over /control."""
    parser = argparse.ArgumentParser(prog="python -m exporter.demo.mock", description="A made-up provider on 127.0.0.1.")
    parser.add_argument("--suite", action="append", required=True, help="a suite to answer from; may be given again")
    parser.add_argument("--model", action="append", required=True, help="name of a model; may be given again")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--url-file", type=Path, help="where to write the URL once it is served")
    asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
