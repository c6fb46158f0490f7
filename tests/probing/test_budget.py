from __future__ import annotations

import pytest

from exporter.config import Price, TotalBudget
from exporter.probing.budget import Booking, book, caps_of
from exporter.probing.estimate import RequestCost
from exporter.records import Answer, Charge, Reason, SpendPeriod, Usage
from exporter.store import Cap
from tests.probing.builders import PRICE, target

COST = RequestCost(tokens=90, usd=0.0009, worst_tokens=400, worst_usd=0.004)
UNPRICED = RequestCost(tokens=90, usd=None, worst_tokens=400, worst_usd=None)


@pytest.mark.parametrize(
    ("answer", "booking"),
    [
        (Answer("right", usage=Usage(20, 10), charge=Charge.REPORTED), Booking(30, 0.00012, estimated=False)),
        (Answer(reason=Reason.REFUSAL, usage=Usage(20, 0), charge=Charge.REPORTED), Booking(20, 0.00002, estimated=False)),
        (Answer(reason=Reason.RATE_LIMITED, charge=Charge.NOTHING), Booking(0, 0.0, estimated=False)),
        (Answer(reason=Reason.TIMEOUT, charge=Charge.UNKNOWN), Booking(90, 0.0009, estimated=True)),
        (Answer("right", usage=None, charge=Charge.UNKNOWN), Booking(90, 0.0009, estimated=True)),
        (Answer("right", usage=None, charge=Charge.REPORTED), Booking(90, 0.0009, estimated=True)),
        (Answer("right", usage=Usage(0, 0), charge=Charge.REPORTED), Booking(90, 0.0009, estimated=True)),
        (Answer("right", usage=Usage(5000, 9000), charge=Charge.REPORTED), Booking(14_000, 0.095, estimated=False)),
    ],
)
def test_reported_usage_is_booked_as_it_stands_and_a_missing_one_as_an_estimate(answer: Answer, booking: Booking) -> None:
    assert book(answer, COST, PRICE) == booking


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [
        (Answer("right", usage=Usage(20, 10), charge=Charge.REPORTED), 30),
        (Answer(reason=Reason.RATE_LIMITED, charge=Charge.NOTHING), 0),
        (Answer(reason=Reason.TIMEOUT), 90),
    ],
)
def test_without_a_price_only_tokens_are_booked(answer: Answer, tokens: int) -> None:
    booking = book(answer, UNPRICED, None)
    assert (booking.tokens, booking.usd) == (tokens, None)


def test_cached_input_is_booked_at_its_own_price() -> None:
    price = Price(input_usd_per_mtok=10, output_usd_per_mtok=20, cached_input_usd_per_mtok=1)
    answer = Answer("right", usage=Usage(1000, 100, cached_tokens=900), charge=Charge.REPORTED)
    assert book(answer, COST, price) == Booking(1100, 0.0039, estimated=False)


def test_a_target_is_held_by_its_own_caps_and_by_those_over_all() -> None:
    budget = {"usd_per_check": 0.5, "tokens_per_check": 120_000, "usd_per_day": 5, "usd_per_month": None, "tokens_per_month": 9_000_000}
    assert caps_of(target(budget=budget), TotalBudget(usd_per_day=20)) == (
        Cap("bot", SpendPeriod.CHECK, 0.5, 120_000),
        Cap("bot", SpendPeriod.DAY, 5.0, None),
        Cap("bot", SpendPeriod.MONTH, None, 9_000_000),
        Cap(None, SpendPeriod.DAY, 20.0, None),
    )


def test_no_limit_is_no_cap() -> None:
    none = {"usd_per_check": None, "tokens_per_check": None, "usd_per_day": None, "usd_per_month": None}
    assert caps_of(target(budget=none), TotalBudget()) == ()
