"""What checks should cost, and which caps are too small for them."""

from __future__ import annotations

import pytest

from exporter.cli.forecast import count_checks_a_day
from exporter.config import Schedule
from tests.cli.world import World

MONDAY = 1_793_577_600.0


def test_before_the_first_check_it_is_a_rule_of_thumb(world: World) -> None:
    world.write()
    said = world.run("estimate")
    assert (said.code, said.err) == (0, "")
    assert [line.rstrip() for line in said.out.splitlines()] == [
        "target             a check  with second run         a day        30 days",
        "─" * 72,
        "bot *              $0.0023          $0.0046       $0.0024        $0.0723",
        "12 questions  1,335 tokens     2,670 tokens  1,402 tokens  42,053 tokens",
        "1 a day        15 requests      30 requests   16 requests   473 requests",
        "* not checked yet: a rule of thumb, by the length of the questions",
    ]
    assert world.asked() == 0


def test_afterwards_it_rests_on_what_checks_took(world: World) -> None:
    world.write()
    world.collect(1)
    (target,) = world.run("estimate", "--json").document["targets"]
    (checked,) = world.run("status", "--json").document["targets"]
    assert (target["target"], target["questions"], target["areas"], target["measured"]) == ("bot", 12, ["odd", "even"], True)
    assert target["check"]["requests"] == 12
    assert target["check"]["tokens"] == checked["spend"]["day"]["tokens"]
    assert target["check_with_second_run"]["tokens"] == 2 * target["check"]["tokens"]
    assert target["day"]["tokens"] == pytest.approx(1.05 * target["check"]["tokens"], abs=1)
    assert target["month"]["tokens"] == pytest.approx(31.5 * target["check"]["tokens"], abs=1)


def test_dollars_are_not_known_where_no_price_is(world: World) -> None:
    world.write(price="unknown")
    (target,) = world.run("estimate", "--json").document["targets"]
    assert target["check"] == {"requests": 15, "tokens": 1335, "usd": None}


NOT_STARTED = "warning: bot: a check would not start now: budget.tokens_per_check of bot"
NOT_SECONDED = "warning: bot: a second run would not fit, so that no drift is confirmed: budget.tokens_per_check of bot"
ASK_FEWER = "more do not fit; ask fewer questions or raise the cap"
AFTER = "raise the cap or check less often: what comes after is not asked"
WARNINGS = {
    "a check that is over its cap": (
        "  budget: {tokens_per_check: 1000}\n",
        f"{NOT_STARTED}: 0 of 1,000 tokens are spent or reserved, 1,601 {ASK_FEWER}",
    ),
    "a second run that is": (
        "  budget: {tokens_per_check: 2500}\n",
        f"{NOT_SECONDED}: 0 of 2,500 tokens are spent or reserved, 2,936 {ASK_FEWER}",
    ),
    "a month that is": (
        "  budget: {usd_per_month: 0.05}\n",
        f"warning: usd_per_month of bot: $0.05, and the schedule takes about $0.0723; {AFTER}",
    ),
    "all targets together": (
        "budget: {total: {tokens_per_month: 40000}}\n",
        f"warning: tokens_per_month of budget.total: 40,000, and the schedule takes about 42,053; {AFTER}",
    ),
}


@pytest.mark.parametrize(("more", "warning"), WARNINGS.values(), ids=list(WARNINGS))
def test_caps_that_are_too_small_are_told(world: World, more: str, warning: str) -> None:
    world.write(more)
    said = world.run("estimate")
    assert (said.code, said.errors) == (0, [warning])
    document = world.run("estimate", "--json").document
    assert [f"warning: {text}" for text in (*document["targets"][0]["warnings"], *document["warnings"])] == [warning]


@pytest.mark.parametrize(
    ("cron", "checks_a_day"),
    [
        ("0 9 * * *", 1.0),
        ("0 */6 * * *", 4.0),
        ("* * * * *", 1440.0),
        ("0 9 * * 1-5", pytest.approx(5 / 7, rel=0.01)),
        ("0 9 1 * *", pytest.approx(12 / 365, rel=0.01)),
        ("0 9 1 1 *", pytest.approx(1 / 366)),
        ("0 9 29 2 *", 0.0),
    ],
)
def test_checks_a_day_are_counted_along_the_schedule(cron: str, checks_a_day: float) -> None:
    assert count_checks_a_day(Schedule(cron=cron), "bot", MONDAY) == checks_a_day
