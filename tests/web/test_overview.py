from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.records import Snapshot, VerdictKind
from exporter.web.overview import MOST_URGENT_FIRST, Overview, look_over
from tests.metrics.snapshots import drifted, named


def target(name: str, kind: VerdictKind | None, provider: str = "openai", *, conclusive: bool = False) -> Snapshot:
    verdict = drifted().verdict
    assert verdict is not None
    signals = verdict.signals if conclusive else ()
    shown = None if kind is None else replace(verdict, kind=kind, standing=kind, signals=signals)
    return named(name, provider=provider, verdict=shown)


TARGETS = (
    target("calm", VerdictKind.STABLE),
    target("ticket", VerdictKind.DRIFT, "a&b"),
    target("unmeasured", VerdictKind.MEASUREMENT_FAILED),
    target("new", None, "a&b"),
    target("page", VerdictKind.DRIFT, conclusive=True),
    target("chance", VerdictKind.UNCONFIRMED),
)


def names(overview: Overview) -> tuple[list[str], list[str]]:
    return [one.target for one in overview.urgent], [one.target for one in overview.quiet]


def test_every_kind_has_its_place() -> None:
    assert sorted(MOST_URGENT_FIRST) == sorted(VerdictKind)


def test_what_leaves_something_to_do_comes_first_the_conclusive_before_the_rest() -> None:
    assert names(look_over(TARGETS)) == (["page", "ticket", "unmeasured"], ["chance", "new", "calm"])


def test_each_choice_tells_what_its_link_would_show() -> None:
    overview = look_over(TARGETS)
    assert [(choice.name, choice.count, choice.query) for choice in overview.verdicts] == [
        ("drift", 2, "verdict=drift"),
        ("measurement_failed", 1, "verdict=measurement_failed"),
        ("unconfirmed", 1, "verdict=unconfirmed"),
        ("collecting", 1, "verdict=collecting"),
        ("stable", 1, "verdict=stable"),
    ]
    assert [(choice.name, choice.count, choice.query) for choice in overview.providers] == [
        ("a&b", 2, "provider=a%26b"),
        ("openai", 4, "provider=openai"),
    ]
    assert not overview.is_narrowed


def test_both_choices_hold_together_and_the_chosen_one_leads_back() -> None:
    overview = look_over(TARGETS, "drift", "a&b")
    assert names(overview) == (["ticket"], [])
    assert [(choice.name, choice.query, choice.chosen) for choice in overview.verdicts] == [
        ("drift", "provider=a%26b", True),
        ("collecting", "verdict=collecting&provider=a%26b", False),
    ]
    assert [(choice.name, choice.count, choice.query) for choice in overview.providers] == [
        ("a&b", 1, "verdict=drift"),
        ("openai", 1, "verdict=drift&provider=openai"),
    ]
    assert overview.is_narrowed


@pytest.mark.parametrize(("verdict", "provider"), [("no such verdict", None), (None, "nobody"), ("drift", "nobody")])
def test_a_word_that_fits_nothing_leaves_nothing_and_a_way_back(verdict: str | None, provider: str | None) -> None:
    overview = look_over(TARGETS, verdict, provider)
    assert names(overview) == ([], [])
    assert overview.total == 6
    assert overview.is_narrowed
