"""The mock provider's routes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from exporter.clock import Clock
from exporter.demo.azure_chat import AzureChat
from exporter.demo.chat import ChatCompletions
from exporter.demo.cohere_chat import CohereChat
from exporter.demo.exchange import Dialect
from exporter.demo.generate_content import GenerateContent
from exporter.demo.messages import Messages
from exporter.demo.mistral_chat import MistralChat
from exporter.demo.ollama_chat import OllamaChat, list_tags
from exporter.demo.responses import Responses
from exporter.demo.sending import Sending
from exporter.demo.state import MockState
from exporter.errors import Problem

DIALECTS: tuple[Dialect, ...] = (
    ChatCompletions(),
    Messages(),
    Responses(),
    AzureChat(),
    GenerateContent(),
    MistralChat(),
    CohereChat(),
    OllamaChat(),
)


def create_app(state: MockState, clock: Clock) -> Starlette:
    """Return the application that serves `state`."""
    control = _Control(state)
    return Starlette(
        routes=[
            *(Route(path, _answering(state, dialect, clock), methods=["POST"]) for dialect in DIALECTS for path in dialect.paths),
            Route("/v1/api/tags", control.list_tags, methods=["GET"]),
            Route("/v1/models", control.list_models, methods=["GET"]),
            Route("/control", control.show, methods=["GET"]),
            Route("/control", control.replace, methods=["PUT"]),
            Route("/control", control.change, methods=["PATCH"]),
            Route("/control/reset", control.reset, methods=["POST"]),
            Route("/requests", control.list_requests, methods=["GET"]),
        ]
    )


def _answering(state: MockState, dialect: Dialect, clock: Clock) -> Callable[[Request], Awaitable[Sending]]:
    async def answer(request: Request) -> Sending:
        key = next((request.headers[name] for name in dialect.key_headers if name in request.headers), "").removeprefix("Bearer ")
        body = await _read_json(request)
        # An API that says in its path what is asked may say more of it in its query.
        in_url = {**request.query_params, **request.path_params} if request.path_params else {}
        told = {**body, **in_url} if isinstance(body, dict) else body
        transmission, latency_seconds = state.answer(dialect, told, key)
        return Sending(transmission, clock, latency_seconds)

    return answer


async def _read_json(request: Request) -> Any:
    """Return the body, or None where it is no JSON."""
    try:
        return json.loads(await request.body())
    except ValueError:
        return None


class _Control:
    """The endpoints that no real provider has."""

    def __init__(self, state: MockState) -> None:
        self._state = state

    async def list_models(self, request: Request) -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in self._state.models]})

    async def list_tags(self, request: Request) -> JSONResponse:
        return JSONResponse(list_tags(self._state.models))

    async def show(self, request: Request) -> JSONResponse:
        return JSONResponse(self._state.control())

    async def replace(self, request: Request) -> JSONResponse:
        return self._outcome(self._state.set_models(await _read_json(request), wholly=True))

    async def change(self, request: Request) -> JSONResponse:
        return self._outcome(self._state.set_models(await _read_json(request), wholly=False))

    async def reset(self, request: Request) -> JSONResponse:
        self._state.reset()
        return self._outcome([])

    async def list_requests(self, request: Request) -> JSONResponse:
        return JSONResponse(self._state.log.as_dict(request.query_params.get("model")))

    def _outcome(self, problems: list[Problem]) -> JSONResponse:
        if problems:
            return JSONResponse({"errors": [str(problem) for problem in problems]}, status_code=400)
        return JSONResponse(self._state.control())
