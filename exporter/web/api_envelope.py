"""The envelope of Prometheus' own API, around everything that is answered under /api/."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from starlette.responses import Response


class ErrorType(StrEnum):
    """What went wrong, for programs: each has the HTTP status that goes with it."""

    BAD_DATA = "bad_data"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    CONFLICT = "conflict"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS = {
    ErrorType.BAD_DATA: 400,
    ErrorType.FORBIDDEN: 403,
    ErrorType.NOT_FOUND: 404,
    ErrorType.METHOD_NOT_ALLOWED: 405,
    ErrorType.CONFLICT: 409,
    ErrorType.INTERNAL: 500,
    ErrorType.UNAVAILABLE: 503,
}


class ApiError(Exception):
    """A request that is not answered with data. `data` may say more, `headers` go with the response."""

    def __init__(
        self, kind: ErrorType, text: str, *, data: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(text)
        self.kind, self.text, self.data, self.headers = kind, text, data, headers


def success(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer."""
    return _respond({"status": "success", "data": data}, status, headers)


def failure(error: ApiError) -> Response:
    """Why there is none."""
    more = {} if error.data is None else {"data": error.data}
    return _respond({"status": "error", "errorType": error.kind, "error": error.text, **more}, STATUS[error.kind], error.headers)


def _respond(document: Mapping[str, Any], status: int, headers: Mapping[str, str] | None) -> Response:
    body = json.dumps(_finite(document), allow_nan=False, separators=(",", ":")).encode("ascii")
    return Response(body, status, headers, media_type="application/json")


def _finite(value: object) -> object:
    """The same with null for every number that JSON has no word for."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
