from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.probing.retry import next_delay
from exporter.records import RETRYABLE, Reason


@pytest.mark.parametrize(
    ("reason", "attempt", "delay"),
    [
        (Reason.SERVER_ERROR, 1, 0.5),
        (Reason.SERVER_ERROR, 2, 1.0),
        (Reason.NETWORK, 3, 2.0),
        (Reason.NETWORK, 4, 4.0),
        (Reason.NETWORK, 5, None),
        (Reason.RATE_LIMITED, 1, 2.0),
        (Reason.OVERLOADED, 4, 16.0),
        (Reason.OVERLOADED, 5, None),
        (Reason.TIMEOUT, 2, 1.0),
        (Reason.TIMEOUT, 3, None),
        (Reason.EMPTY_RESPONSE, 3, None),
        (Reason.BAD_RESPONSE, 3, None),
    ],
)
def test_the_backoff_doubles_until_the_attempts_are_used_up(reason: Reason, attempt: int, delay: float | None) -> None:
    assert next_delay(reason, attempt, None, seconds_left=600, jitter=0.5) == delay


@pytest.mark.parametrize("reason", sorted(set(Reason) - RETRYABLE))
def test_what_would_fail_again_is_not_sent_again(reason: Reason) -> None:
    assert next_delay(reason, 1, 1.0, seconds_left=600, jitter=0.5) is None


def test_retry_after_is_waited_for_with_the_jitter_on_top() -> None:
    assert next_delay(Reason.RATE_LIMITED, 1, 20.0, seconds_left=600, jitter=0.5) == 22.0
    assert next_delay(Reason.RATE_LIMITED, 1, 20.0, seconds_left=600, jitter=0.0) == 20.0


@pytest.mark.parametrize("retry_after", [60.0, 61.0, math.inf])
def test_a_retry_after_beyond_the_deadline_is_not_waited_for(retry_after: float) -> None:
    assert next_delay(Reason.RATE_LIMITED, 1, retry_after, seconds_left=60, jitter=0.5) is None


@pytest.mark.parametrize("retry_after", [-5.0, math.nan, 0.0, None])
def test_a_retry_after_that_says_nothing_is_passed_over(retry_after: float | None) -> None:
    assert next_delay(Reason.RATE_LIMITED, 1, retry_after, seconds_left=600, jitter=0.5) == 2.0


def test_half_of_the_time_left_stays_for_the_request() -> None:
    assert next_delay(Reason.RATE_LIMITED, 4, 6.0, seconds_left=10, jitter=0.9) == 8.0


def test_after_the_deadline_nothing_is_sent_again() -> None:
    assert next_delay(Reason.NETWORK, 1, None, seconds_left=0, jitter=0.5) is None
    assert next_delay(Reason.NETWORK, 1, None, seconds_left=-3, jitter=0.5) is None


@given(
    reason=st.sampled_from(sorted(RETRYABLE)),
    attempt=st.integers(1, 10_000),
    retry_after=st.none() | st.floats(),
    seconds_left=st.floats(-1e6, 1e6),
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_a_delay_ends_by_the_deadline_and_no_earlier_than_asked(
    reason: Reason, attempt: int, retry_after: float | None, seconds_left: float, jitter: float
) -> None:
    delay = next_delay(reason, attempt, retry_after, seconds_left, jitter)
    if delay is not None:
        assert max(0.0, retry_after or 0.0) <= delay <= seconds_left
        assert attempt < 5
