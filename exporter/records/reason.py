"""Why an answer, or a whole run, could not be used. A closed set: it is a label on /metrics."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why something could not be measured. None of these ever means "wrong answer"."""

    AUTH = "auth"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    NETWORK = "network"
    BAD_REQUEST = "bad_request"
    UNSUPPORTED_PARAMETER = "unsupported_parameter"
    MODEL_NOT_FOUND = "model_not_found"
    BAD_RESPONSE = "bad_response"
    EMPTY_RESPONSE = "empty_response"
    TRUNCATED = "truncated"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    REROUTED = "rerouted"
    UNKNOWN_STOP = "unknown_stop"
    CACHED = "cached"
    BUDGET = "budget"
    DEADLINE = "deadline"
    SANDBOX_ERROR = "sandbox_error"
    INTERRUPTED = "interrupted"


RETRYABLE = frozenset(
    {
        Reason.RATE_LIMITED,
        Reason.OVERLOADED,
        Reason.SERVER_ERROR,
        Reason.TIMEOUT,
        Reason.NETWORK,
        Reason.EMPTY_RESPONSE,
        Reason.BAD_RESPONSE,
    }
)
"""Reasons after which the same request is worth sending again."""

STOPS_RUN = frozenset({Reason.AUTH, Reason.QUOTA, Reason.MODEL_NOT_FOUND, Reason.UNSUPPORTED_PARAMETER})
"""Reasons that every further question of the run would meet too, but for tools that are refused: those without any are asked."""
