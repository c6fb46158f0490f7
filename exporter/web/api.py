"""The API under /api/v1: which paths there are, who may do what, and every answer in one envelope."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from exporter.errors import StoreError, UsageError
from exporter.web import api_reading as reading
from exporter.web.api_envelope import ApiError, ErrorType, failure, success
from exporter.web.api_query import Query, quoted
from exporter.web.api_reading import Call
from exporter.web.links import Links
from exporter.web.security import asked_by, comes_from_elsewhere
from exporter.web.segments import path_segments
from exporter.web.state import Outcome, OutcomeKind, State


@dataclass(frozen=True, slots=True)
class Resource:
    """Something to read. `<target>` and `<id>` in its path stand for one segment each; `parameters` are those of its query."""

    path: str
    read: Callable[[Call], Any]
    parameters: tuple[str, ...] = ()
    before_ready: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something to have done, by POST. `status`: that of the answer where it was done."""

    path: str
    act: Callable[[State, str, str], Awaitable[Outcome]]
    status: int


RESOURCES = (
    Resource("/api/v1/status/buildinfo", reading.build_info, before_ready=True),
    Resource("/api/v1/status/runtimeinfo", reading.runtime_info, before_ready=True),
    Resource("/api/v1/spend", reading.total_spend, ("days",)),
    Resource("/api/v1/targets", reading.targets, ("verdict",)),
    Resource("/api/v1/targets/<target>", reading.target),
    Resource("/api/v1/targets/<target>/checks", reading.checks, ("limit", "before")),
    Resource("/api/v1/targets/<target>/checks/<id>", reading.check),
    Resource("/api/v1/targets/<target>/verdicts", reading.verdicts, ("limit", "before", "since", "until")),
    Resource("/api/v1/targets/<target>/errors", reading.errors, ("limit",)),
    Resource("/api/v1/targets/<target>/spend", reading.target_spend, ("days",)),
)

ACTIONS = (
    Action("/api/v1/targets/<target>/check", lambda state, target, who: state.check_now(target, who), 202),
    Action("/api/v1/targets/<target>/reset", lambda state, target, who: state.reset(target, who), 200),
)

_REFUSALS = {
    OutcomeKind.UNKNOWN_TARGET: ErrorType.NOT_FOUND,
    OutcomeKind.UNDER_WAY: ErrorType.CONFLICT,
    OutcomeKind.UNAVAILABLE: ErrorType.UNAVAILABLE,
}


class Api:
    """An ASGI application for every path under /api/."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            response = await self._answer(Request(scope, receive))
        except ApiError as error:
            response = failure(error)
        except UsageError as error:
            response = failure(ApiError(ErrorType.BAD_DATA, str(error)))
        except StoreError as error:
            response = failure(ApiError(ErrorType.UNAVAILABLE, str(error)))
        except Exception:
            await failure(ApiError(ErrorType.INTERNAL, "internal error; the log has it"))(scope, receive, send)
            raise
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        segments = path_segments(request.scope)
        for endpoint in (*RESOURCES, *ACTIONS):
            named = _match(endpoint.path, segments)
            if named is None:
                continue
            allowed = "GET, HEAD" if isinstance(endpoint, Resource) else "POST"
            if request.method not in allowed.split(", "):
                raise ApiError(ErrorType.METHOD_NOT_ALLOWED, f"use {allowed.partition(',')[0]}", headers={"Allow": allowed})
            if isinstance(endpoint, Resource):
                return await self._read(endpoint, named, request)
            return await self._act(endpoint, named["<target>"], request)
        raise ApiError(ErrorType.NOT_FOUND, "no such path; docs/api.md lists what there is")

    async def _read(self, resource: Resource, named: Mapping[str, str], request: Request) -> Response:
        ready, missing = self._state.ready()
        if not ready and not resource.before_ready:
            raise ApiError(ErrorType.UNAVAILABLE, f"not ready: {missing}")
        view = self._state.view()
        snapshot = None
        if "<target>" in named:
            snapshot = next((one for one in view.snapshots if one.target == named["<target>"]), None)
            if snapshot is None:
                raise _unknown(named["<target>"])
        query = Query(request.query_params.multi_items(), resource.parameters)
        call = Call(self._state, view, self._links, query, snapshot, named.get("<id>", ""))
        return await run_in_threadpool(lambda: success(resource.read(call)))

    async def _act(self, action: Action, target: str, request: Request) -> Response:
        if not self._state.lifecycle:
            raise ApiError(ErrorType.FORBIDDEN, "actions over HTTP are off; start with --web.enable-lifecycle, or use the command line")
        if comes_from_elsewhere(request):
            raise ApiError(ErrorType.FORBIDDEN, "not from a page of another site")
        Query(request.query_params.multi_items(), ()).close()
        outcome = await action.act(self._state, target, asked_by(request))
        link = None if outcome.check_id is None else self._links.target_api(target, "checks", str(outcome.check_id))
        data = {"target": target, "message": outcome.sentence, "check_id": outcome.check_id, "link": link}
        if outcome.kind is OutcomeKind.DONE:
            return success(data, action.status, {} if link is None else {"Location": link})
        if outcome.kind is OutcomeKind.UNKNOWN_TARGET:
            raise _unknown(target)
        raise ApiError(_REFUSALS[outcome.kind], outcome.sentence, data=data)


def _unknown(target: str) -> ApiError:
    return ApiError(ErrorType.NOT_FOUND, f"there is no target {quoted(target)}")


def _match(path: str, segments: Sequence[str]) -> dict[str, str] | None:
    """What the placeholders of `path` stand for; None where it is another path."""
    wanted = path.split("/")[1:]
    if len(wanted) != len(segments) or not all(segments):
        return None
    if any(not word.startswith("<") and word != segment for word, segment in zip(wanted, segments, strict=True)):
        return None
    return {word: segment for word, segment in zip(wanted, segments, strict=True) if word.startswith("<")}
