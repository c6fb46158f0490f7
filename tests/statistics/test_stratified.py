from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.statistics import Stratum, Tails, exact_test, two_sided
from tests.statistics.brute_force import convolve_tails, enumerate_outcomes, find_tails

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


@settings(max_examples=300)
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


@given(small_strata)
def test_neither_the_order_of_strata_nor_of_scores_matters(strata: list[Stratum]) -> None:
    turned = [Stratum(one.baseline[::-1], one.new[::-1]) for one in reversed(strata)]
    assert exact_test(turned) == exact_test(strata)


@given(small_strata.filter(lambda strata: any(one.new for one in strata)), st.integers(1, 30))
def test_a_worse_new_score_never_raises_the_upper_tail(strata: list[Stratum], more: int) -> None:
    index, stratum = next((index, one) for index, one in enumerate(strata) if one.new)
    worse = [*strata]
    worse[index] = Stratum(stratum.baseline, (stratum.new[0] + more, *stratum.new[1:]))
    assert exact_test(worse).upper <= exact_test(strata).upper * (1 + 1e-12)


@pytest.mark.parametrize(
    "strata",
    [
        [Stratum((0, 1, 3, 6), (10, 15))],
        [Stratum((0, 0, 1), (3,)), Stratum((0, 6), (0, 1)), Stratum((0, 0), (15,))],
        [Stratum((0, 0, 0, 1), (0, 0)), Stratum((2,), (-3, 4))],
    ],
)
def test_over_all_outcomes_p_is_at_most_a_with_probability_a(strata: list[Stratum]) -> None:
    tails = [exact_test(outcome) for outcome in enumerate_outcomes(strata)]
    for values in ([one.upper for one in tails], [one.lower for one in tails]):
        for level in set(values):
            assert sum(value <= level + 1e-12 for value in values) / len(values) == pytest.approx(level, rel=1e-12)
    twice = [two_sided(one) for one in tails]
    assert all(sum(value <= level + 1e-12 for value in twice) / len(twice) <= level + 1e-12 for level in twice)


@pytest.mark.parametrize(("baseline_runs", "new_runs"), [(15, 1), (15, 2), (5, 7), (15, 28), (2, 40), (60, 60)])
def test_many_scores_agree_with_a_plain_convolution_in_whole_numbers(baseline_runs: int, new_runs: int) -> None:
    random = Random(baseline_runs * 100 + new_runs)  # noqa: S311 - scores, not secrets
    strata = []
    for _ in range(6):
        drawn = random.choices(MARK_SCORES, weights=(12, 4, 2, 1, 1, 1), k=baseline_runs + new_runs)
        strata.append(Stratum(tuple(drawn[:baseline_runs]), tuple(drawn[baseline_runs:])))
    upper, lower = convolve_tails(strata)
    tails = exact_test(strata)
    assert tails == Tails(upper=pytest.approx(float(upper), rel=1e-12), lower=pytest.approx(float(lower), rel=1e-12))


def test_one_stratum_of_totals_agrees_with_a_plain_count() -> None:
    random = Random(500)  # noqa: S311 - scores, not secrets
    totals = tuple(random.randrange(500) for _ in range(43))
    strata = [Stratum(totals[:15], totals[15:])]
    upper, lower = convolve_tails(strata)
    assert exact_test(strata) == Tails(upper=pytest.approx(float(upper), rel=1e-12), lower=pytest.approx(float(lower), rel=1e-12))


def test_a_p_of_1e_12_keeps_nine_digits() -> None:
    strata = [Stratum((0,) * 9, (score,)) for score in range(1, 13)]
    assert exact_test(strata).upper == pytest.approx(1e-12, rel=1e-9)


@pytest.mark.parametrize("questions", [20, 30, 34, 60])
def test_a_p_too_small_to_be_told_is_never_said_smaller_than_it_is(questions: int) -> None:
    strata = [Stratum((0, 1, 3) * 5, (15, 15)) for _ in range(questions)]
    assert Fraction(1, 136) ** questions < Fraction(exact_test(strata).upper) < Fraction(1, 10**21)


def test_two_sided_is_twice_the_smaller_tail() -> None:
    assert two_sided(Tails(upper=0.01, lower=0.995)) == 0.02
    assert two_sided(Tails(upper=0.9, lower=0.2)) == 0.4
    assert two_sided(Tails(upper=0.6, lower=0.7)) == 1.0
