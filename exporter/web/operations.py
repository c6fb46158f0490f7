"""What an operator and an orchestrator ask: alive, ready, which config; and to load it again."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from exporter.web.security import comes_from_elsewhere
from exporter.web.state import State


class Operations:
    """Plain text, one line where it can be one."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def healthy(self, _request: Request) -> Response:
        """200 for as long as the event loop turns."""
        return PlainTextResponse("healthy\n")

    async def ready(self, _request: Request) -> Response:
        """200 once the last values are restored; before that 503 and what is missing."""
        ready, reason = self._state.ready()
        return PlainTextResponse("ready\n") if ready else PlainTextResponse(f"not ready: {reason}\n", 503)

    async def config(self, _request: Request) -> Response:
        """The config in use, as YAML."""
        text = await run_in_threadpool(self._state.config_text)
        return PlainTextResponse(text.encode("utf-8", "backslashreplace"))

    async def reload(self, request: Request) -> Response:
        """Load the config file again: 200, or 500 and what is wrong with it. 403 unless it was enabled."""
        if not self._state.lifecycle:
            return PlainTextResponse("reloading over HTTP is off; start with --web.enable-lifecycle, or send SIGHUP\n", 403)
        if comes_from_elsewhere(request):
            return PlainTextResponse("not from a page of another site\n", 403)
        error = await self._state.reload()
        return PlainTextResponse("reloaded\n") if error is None else PlainTextResponse(f"{error}\n", 500)
