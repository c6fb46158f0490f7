"""Whether a failed request is sent again, and after how long. Pure: the caller brings the chance and the time left."""

from __future__ import annotations

from exporter.records import RETRYABLE, Reason

MAX_ATTEMPTS = 5
"""Requests for one try at one question, the first included."""

MAX_ATTEMPTS_PAID = 3
"""The same, where each attempt may cost an answer that nobody gets to see, or a whole `request_timeout`."""

BACKOFF_SECONDS = 1.0
BACKOFF_BUSY_SECONDS = 4.0
"""First backoff of a server that said it has too much to do."""

BACKOFF_LIMIT_SECONDS = 60.0

_PAID = frozenset({Reason.TIMEOUT, Reason.EMPTY_RESPONSE, Reason.BAD_RESPONSE})
_BUSY = frozenset({Reason.RATE_LIMITED, Reason.OVERLOADED})


def next_delay(reason: Reason, attempt: int, retry_after_seconds: float | None, seconds_left: float, jitter: float) -> float | None:
    """Seconds to wait before sending the same request again; None: give up, `reason` stays.

    Exponential backoff with full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015): a random share of
    base * 2^(attempt - 1), on top of what Retry-After asks for. `attempt` counts the requests sent so far, from 1; `jitter`
    is a random number in [0, 1). `seconds_left` until the run's deadline: of what Retry-After leaves of it, half at least
    stays for the request itself, and a Retry-After that leaves nothing is not waited for.
    """
    if reason not in RETRYABLE or attempt >= (MAX_ATTEMPTS_PAID if reason in _PAID else MAX_ATTEMPTS):
        return None
    asked_for = max(0.0, retry_after_seconds or 0.0)
    if asked_for >= seconds_left:
        return None
    base = BACKOFF_BUSY_SECONDS if reason in _BUSY else BACKOFF_SECONDS
    backoff = min(BACKOFF_LIMIT_SECONDS, base * 2.0 ** (attempt - 1)) * jitter
    return asked_for + min(backoff, (seconds_left - asked_for) / 2)
