from __future__ import annotations

from collections import Counter

import pytest

from exporter.suites.generate.draw import Draw

SEED = b"sixteen bytes!!!"


def test_the_draws_of_a_seed_are_these_everywhere() -> None:
    """Literal numbers: a Python or a machine that gave others would give its users other questions."""
    draw = Draw(SEED, "medium", 3, 0)
    assert [draw.below(1000) for _ in range(8)] == [974, 598, 470, 169, 253, 567, 267, 307]
    assert "".join(draw.shuffle("abcdef")) == "abdcef"


def test_names_that_differ_and_seeds_that_differ_give_other_draws() -> None:
    names = [("medium", 3), ("medium", 31), ("medium3",), ("easy", 3), ("medium", 3, 0)]
    rows = {tuple(Draw(seed, *name).below(10**9) for _ in range(3)) for seed in (SEED, b"seventeen bytes!!") for name in names}
    assert len(rows) == 10


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 1000, 2**63 + 1])
def test_a_draw_stays_below_its_bound(bound: int) -> None:
    draw = Draw(SEED, bound)
    assert all(0 <= draw.below(bound) < bound for _ in range(200))


def test_each_number_is_as_likely_as_any_other() -> None:
    draw = Draw(SEED, "fair")
    counts = Counter(draw.below(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(900 < count < 1100 for count in counts.values())


def test_a_draw_that_would_favour_small_numbers_is_thrown_away() -> None:
    """2^64 is a third more than three times 2^62: taken as they come, the lowest third of the numbers would come half of the time."""
    draw = Draw(SEED, "large")
    assert 270 < sum(draw.below(3 * 2**62) < 2**62 for _ in range(1000)) < 400


def test_both_ends_of_a_range_come() -> None:
    draw = Draw(SEED)
    assert {draw.between(3, 5) for _ in range(50)} == {3, 4, 5}


def test_a_sample_has_no_item_twice_and_a_shuffle_has_each() -> None:
    draw = Draw(SEED)
    assert all(len(set(draw.sample("abcdefgh", 5))) == 5 for _ in range(50))
    assert all(sorted(draw.shuffle("abcd")) == ["a", "b", "c", "d"] for _ in range(50))
