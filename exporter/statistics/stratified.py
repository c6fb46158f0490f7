"""The exact permutation test, stratified: are the new scores larger than the old ones can explain?

Within a stratum (a question) every choice of which pooled scores are the new ones is equally likely; strata are
independent. The test statistic T is the sum of all new scores. This is the stratified Fisher-Pitman permutation test
(E. J. G. Pitman 1937, "Significance tests which may be applied to samples from any populations"), exact by polynomial
arithmetic (M. Pagano and D. Tritchler 1983, "On obtaining permutation distributions in polynomial time"; B. Streitberg
and J. Röhmel 1986, "Exact distributions for permutations and rank tests").

How it is computed: a distribution over consecutive integers is one big integer, its slots the probabilities in fixed
point, so that one multiplication of integers convolves two distributions (Kronecker substitution). What rounding down
loses is known exactly and is added to both tails: a p-value is never too small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import accumulate
from math import comb

PROBABILITY_BYTES = 11
SLOT_BYTES = 2 * PROBABILITY_BYTES
PROBABILITY_BITS = 8 * PROBABILITY_BYTES
SLOT_BITS = 8 * SLOT_BYTES


@dataclass(frozen=True, slots=True)
class Stratum:
    """Scores of one question, higher is worse: one integer for each run of the baseline, one for each new run."""

    baseline: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tails:
    """Probabilities that chance alone gives a total as large (`upper`) or as small (`lower`) as the observed one, or more so."""

    upper: float
    lower: float


@dataclass(frozen=True, slots=True)
class _Distribution:
    """`packed` holds the probabilities of `smallest`, `smallest` + 1, ... in slots, the first in the lowest bits."""

    smallest: int
    packed: int


def exact_test(strata: Iterable[Stratum]) -> Tails:
    """Both tails of the sum of all new scores under the permutation null.

    A stratum whose scores are all equal, or that has no new or no baseline scores, says nothing and drops out; with no
    stratum left both tails are 1. Numbers of scores may differ between strata. Exact but for rounding, always upwards:
    the absolute error is below 1e-21 for a hundred strata, so a p of 1e-12 keeps nine digits. Time and memory grow with
    the range of the scores within a stratum.
    """
    keys = []
    observed = 0
    for stratum in strata:
        pooled = tuple(sorted(stratum.baseline + stratum.new))
        if stratum.baseline and stratum.new and pooled[0] != pooled[-1]:
            keys.append((pooled, len(stratum.new)))
            observed += sum(stratum.new)
    if not keys:
        return Tails(1.0, 1.0)
    keys.sort()
    return _find_tails(*_merge(tuple(keys)), observed)


def two_sided(tails: Tails) -> float:
    """Twice the smaller tail, at most 1: the p-value where both directions count."""
    return min(1.0, 2 * min(tails.upper, tails.lower))


@lru_cache(maxsize=64)
def _merge(keys: tuple[tuple[tuple[int, ...], int], ...]) -> tuple[_Distribution, _Distribution]:
    """All strata convolved into two halves: the tail of their sum needs no last convolution.

    The smallest two are merged first, which keeps the factors of each multiplication alike in length. Kept for the
    tests that differ only in which of the pooled runs is the new one.
    """
    waiting = [_distribute(pooled, drawn) for pooled, drawn in keys]
    heap = [(one.packed.bit_length(), index, one) for index, one in enumerate(waiting)]
    heapify(heap)
    index = len(heap)
    while len(heap) > 2:
        merged = _convolve(heappop(heap)[2], heappop(heap)[2])
        heappush(heap, (merged.packed.bit_length(), index, merged))
        index += 1
    certain = _Distribution(0, 1 << PROBABILITY_BITS)
    return heap[0][2], heap[1][2] if len(heap) > 1 else certain


@lru_cache(maxsize=512)
def _distribute(pooled: tuple[int, ...], drawn: int) -> _Distribution:
    """The distribution of the sum of `drawn` of the `pooled` scores."""
    kept = len(pooled) - drawn
    total = comb(len(pooled), drawn)
    if drawn <= kept:
        smallest = sum(pooled[:drawn])
        counts = _count_sums(pooled, drawn)
    else:
        smallest = sum(pooled) - sum(pooled[drawn - len(pooled) :])
        counts = _count_sums(pooled, kept)[::-1]
    slots = b"".join([((count << PROBABILITY_BITS) // total).to_bytes(SLOT_BYTES, "little") for count in counts])
    return _trim(smallest, int.from_bytes(slots, "little"))


def _count_sums(pooled: Sequence[int], drawn: int) -> list[int]:
    """In how many ways do `drawn` of the `pooled` scores give the smallest possible sum, that and 1 more, ... the largest?

    The coefficients of y^drawn in the product over distinct scores v, each there c times, of sum_j C(c, j) y^j x^(v j).
    A polynomial in x is one integer with slots wide enough for the largest coefficient.
    """
    slot_bytes = comb(len(pooled), drawn).bit_length() // 8 + 1
    slot_bits = 8 * slot_bytes
    base = pooled[0]
    by_drawn = [1]
    lowest, seen = 0, 0
    # the most frequent score comes last, where only one row of the table is still wanted
    for score, times in sorted(Counter(pooled).items(), key=lambda item: item[1]):
        seen += times
        low, high = max(0, drawn - (len(pooled) - seen)), min(drawn, seen)
        ways = [(comb(times, picked), (score - base) * picked * slot_bits) for picked in range(min(times, drawn) + 1)]
        rows = []
        for taken in range(low, high + 1):
            row = 0
            for picked in range(max(0, taken - lowest - len(by_drawn) + 1), min(len(ways) - 1, taken - lowest) + 1):
                count, shift = ways[picked]
                row += (by_drawn[taken - picked - lowest] * count) << shift
            rows.append(row)
        by_drawn, lowest = rows, low
    first = sum(pooled[:drawn]) - base * drawn
    return _unpack(by_drawn[0] >> (first * slot_bits), slot_bytes)


def _convolve(one: _Distribution, other: _Distribution) -> _Distribution:
    product = one.packed * other.packed
    slots = product.bit_length() // SLOT_BITS + 1
    return _trim(one.smallest + other.smallest, (product >> PROBABILITY_BITS) & _mask(slots.bit_length()))


def _trim(smallest: int, packed: int) -> _Distribution:
    """Leave off the slots at the lower end that rounding has emptied; the upper end ends by itself."""
    empty = ((packed & -packed).bit_length() - 1) // SLOT_BITS
    return _Distribution(smallest + empty, packed >> (empty * SLOT_BITS))


@lru_cache(maxsize=64)
def _mask(slots_bit_length: int) -> int:
    """The probability's bits of each slot, for up to 2 ** slots_bit_length slots."""
    return int.from_bytes((b"\xff" * PROBABILITY_BYTES + bytes(PROBABILITY_BYTES)) * (1 << slots_bit_length), "little")


def _unpack(packed: int, slot_bytes: int) -> list[int]:
    slots = -(-packed.bit_length() // (8 * slot_bytes))
    data = packed.to_bytes(slots * slot_bytes, "little")
    return [int.from_bytes(data[start : start + slot_bytes], "little") for start in range(0, len(data), slot_bytes)]


def _find_tails(one: _Distribution, other: _Distribution, observed: int) -> Tails:
    """P(A + B >= observed) = sum over a of P(A = a) P(B >= observed - a), and likewise below."""
    ones = _unpack(one.packed, SLOT_BYTES)
    others = _unpack(other.packed, SLOT_BYTES)
    below = list(accumulate(others))
    above = list(accumulate(reversed(others)))
    certain = 1 << (2 * PROBABILITY_BITS)
    lost = certain - sum(ones) * below[-1]
    gap = observed - one.smallest - other.smallest
    # B's slot gap - a is the last that counts for the lower tail and the first that counts for the upper one
    upper = lower = lost
    size = len(others)
    for index, probability in enumerate(ones):
        last = gap - index
        if last >= 0:
            lower += probability * below[min(last, size - 1)]
        if last < size:
            upper += probability * above[min(size - 1 - last, size - 1)]
    return Tails(upper / certain, lower / certain)
