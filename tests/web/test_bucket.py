from __future__ import annotations

from exporter.web.bucket import Bucket


def test_a_burst_at_once_and_then_one_each_interval() -> None:
    bucket = Bucket(2.0, 3, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 2.0]
    assert [bucket.take(101.5), bucket.take(102.0), bucket.take(102.0)] == [0.5, 0.0, 2.0]


def test_a_long_pause_is_worth_no_more_than_a_burst() -> None:
    bucket = Bucket(2.0, 3, 100.0)
    assert [bucket.take(10_000.0) for _ in range(4)] == [0.0, 0.0, 0.0, 2.0]


def test_what_is_given_back_may_be_taken_again_and_never_adds_to_the_burst() -> None:
    bucket = Bucket(2.0, 1, 0.0)
    assert bucket.take(0.0) == 0.0
    bucket.give_back()
    bucket.give_back()
    assert [bucket.take(0.0), bucket.take(0.0)] == [0.0, 2.0]
