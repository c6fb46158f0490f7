from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.statistics import Stratum, Tails, exact_test, two_sided
from tests.statistics.brute_force import enumerate_outcomes, find_tails

MARK_SCORES = (0, 1, 3, 6, 10, 15)


def scores(largest_count: int) -> st.SearchStrategy[tuple[int, ...]]:
    any_score = st.one_of(st.sampled_from(MARK_SCORES), st.integers(-9, 9), st.sampled_from((-40, 70)))
    return st.lists(any_score, max_size=largest_count).map(tuple)


small_strata = st.lists(st.builds(Stratum, scores(3), scores(3)), max_size=3)


def test_one_new_score_above_four_is_one_of_five() -> None:
    assert exact_test([Stratum((0, 0, 0, 0), (15,))]) == Tails(upper=0.2, lower=1.0)


def test_a_tie_counts_for_both_tails() -> None:
    # pooled 0 1 1 3: sums of two are 1 1 3 2 4 4
    assert exact_test([Stratum((0, 3), (1, 1))]) == Tails(upper=pytest.approx(4 / 6), lower=pytest.approx(3 / 6))


def test_strata_are_convolved() -> None:
    # 1 of 3 and 1 of 2, independent: both worst is 1 of 6
    strata = [Stratum((0, 0), (6,)), Stratum((1,), (3,))]
    assert exact_test(strata) == Tails(upper=pytest.approx(1 / 6, abs=1e-16), lower=1.0)


def test_numbers_of_scores_may_differ_between_strata() -> None:
    # 10 alone is above both others (1 of 3); 0 and 1 of 0, 1, 1 sum to 1, as two of three choices do
    strata = [Stratum((0, 0), (10,)), Stratum((1,), (0, 1))]
    assert exact_test(strata).upper == pytest.approx(1 / 3, abs=1e-16)
    assert exact_test(strata).lower == pytest.approx(2 / 3 + 1 / 3 * 2 / 3, abs=1e-16)


@pytest.mark.parametrize(
    "strata",
    [
        [],
        [Stratum((0, 0, 0), (0,))],
        [Stratum((7, 7), (7, 7)), Stratum((-1,), (-1,))],
        [Stratum((1, 2, 3), ())],
        [Stratum((), (1, 2, 3))],
        [Stratum((), ())],
    ],
)
def test_strata_that_say_nothing_leave_both_tails_at_one(strata: list[Stratum]) -> None:
    assert exact_test(strata) == Tails(1.0, 1.0)


def test_strata_that_say_nothing_drop_out_beside_others() -> None:
    telling = Stratum((0, 1, 3), (6, 0))
    silent = [Stratum((4, 4), (4,)), Stratum((), (9,)), Stratum((9,), ())]
    assert exact_test([telling, *silent]) == exact_test([telling])


@settings(max_examples=300, deadline=None)
@given(small_strata)
def test_it_agrees_with_writing_out_every_outcome(strata: list[Stratum]) -> None:
    upper, lower = find_tails([stratum for stratum in strata if stratum.baseline and stratum.new])
    tails = exact_test(strata)
    assert tails.upper == pytest.approx(float(upper), rel=1e-12)
    assert tails.lower == pytest.approx(float(lower), rel=1e-12)


@given(small_strata)
def test_turning_all_scores_round_swaps_the_tails(strata: list[Stratum]) -> None:
    turned = [Stratum(tuple(-x for x in one.baseline), tuple(-x for x in one.new)) for one in strata]
    tails = exact_test(turned)
    assert exact_test(strata) == Tails(upper=pytest.approx(tails.lower, rel=1e-12), lower=pytest.approx(tails.upper, rel=1e-12))


@given(small_strata, st.randoms(use_true_random=False))
def test_neither_the_order_of_strata_nor_of_scores_matters(strata: list[Stratum], random: object) -> None:
    shuffled = [Stratum(one.baseline[::-1], one.new[::-1]) for one in reversed(strata)]
    assert exact_test(shuffled) == exact_test(strata)
