"""A run, reduced to what the tests look at: scores, first tries, tokens and identities by question."""

from __future__ import annotations

import math
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter

from exporter.records import Grade, Reason, Run
from exporter.records.marks import mark_in_order

TOKEN_SCALE = 20
"""Steps of the token score per unit of the natural logarithm: one step is 5 %."""

FACETS = ("host", "tier", "region", "fingerprint")
"""What an answer may name beside the identity that served it."""

_origin_of = attrgetter(*FACETS)
_sample_of = attrgetter("sample")
_place_of = attrgetter("sample", "attempt")

_ANSWERED = frozenset({Reason.REFUSAL, Reason.TRUNCATED, Reason.CONTENT_FILTER, Reason.UNKNOWN_STOP, Reason.SANDBOX_ERROR})
"""Reasons that stand for an answer of the model, if for none that can be graded."""


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """One run by question key. A question without a mark is in none of `scores`, `right`, `solved`, but may be in `errors`.

    `scores` are sums over samples of mark·(mark+1)/2; `marks` sums of marks; `right` is the share of samples right at the
    first try, `solved` of those right at any; `log_tokens` and `log_input_tokens` are means of the logarithm over samples of the
    first answer; `token_scores` are sums of round(20·ln tokens). `identities` counts usable answers by identity, rerouted ones
    left out, and `usable` counts those together with the ones that name nobody; `origins` counts the same answers by what they
    name of FACETS.
    `refused`, `truncated` and `reasoning_in_content` count first answers by question, those of none left out. `heard` are the
    questions whose every first answer the model gave, refusals and cut-off ones included, for whatever can be tested without a mark.
    """

    id: int
    started_at: float
    protocol: str
    scores: Mapping[str, int]
    right: Mapping[str, float]
    solved: Mapping[str, float]
    log_tokens: Mapping[str, float]
    token_scores: Mapping[str, int]
    log_input_tokens: Mapping[str, float]
    errors: Mapping[str, Reason]
    identities: Mapping[str, int]
    fingerprints: Mapping[str, str]
    answers: int
    refused: Mapping[str, int]
    truncated: Mapping[str, int]
    reasoning_in_content: Mapping[str, int]
    answer_line_missing: int
    usable: int = 0
    heard: frozenset[str] = frozenset()
    origins: Mapping[tuple[str | None, ...], int] = field(default_factory=dict)

    def served_by_strangers(self, known: frozenset[str]) -> bool:
        """Whether most usable answers came from identities outside `known` (never where nothing is known yet)."""
        strange = sum(count for identity, count in self.identities.items() if identity not in known)
        return bool(known) and strange * 2 > self.usable

    def majority_identity(self) -> str | None:
        """The identity that served most answers; None where no answer names one."""
        return max(self.identities, key=lambda identity: self.identities[identity], default=None)


def score_of(mark: int) -> int:
    """k(k+1)/2: a question lost for good weighs more than the same number of single misses."""
    return mark * (mark + 1) // 2


def measure(run: Run, tries: int, known_identities: frozenset[str] | None = None, *, nameless: bool = False) -> MeasuredRun:
    """Reduce a run. Answers of an identity outside `known_identities` (None: all are known) are rerouted: no marks.

    `nameless`: without the identities, where they prove nothing.

    A question that lacks one of the run's samples has no mark either: its score would be the sum of fewer.
    Each run of a history is asked for several times in one judging, so what came of it is kept for as long as the run itself.
    """
    kept = _KEPT.get(id(run))
    if kept is None:
        _KEPT[id(run)] = kept = weakref.ref(run, partial(_forget, id(run))), {}
    asked = tries, known_identities, nameless
    measured = kept[1].get(asked)
    if measured is None:
        measured = replace(measure(run, tries, known_identities), identities={}) if nameless else _measure(run, tries, known_identities)
        kept[1][asked] = measured
    return measured


_KEPT: dict[int, tuple[weakref.ref[Run], dict[tuple[int, frozenset[str] | None, bool], MeasuredRun]]] = {}
"""By the identity of the object, and gone with it: to tell equal runs would take as long as to measure them."""


def _forget(key: int, _gone: weakref.ref[Run]) -> None:
    _KEPT.pop(key, None)


def _measure(run: Run, tries: int, known_identities: frozenset[str] | None) -> MeasuredRun:
    asked: defaultdict[str, list[Grade]] = defaultdict(list)
    kept = run.grades if known_identities is None else [_rerouted(grade, known_identities) for grade in run.grades]
    for grade in kept:
        asked[grade.question_key].append(grade)
    scores: dict[str, int] = {}
    right: dict[str, float] = {}
    solved: dict[str, float] = {}
    log_tokens: dict[str, float] = {}
    token_scores: dict[str, int] = {}
    log_input_tokens: dict[str, float] = {}
    errors: dict[str, Reason] = {}
    firsts: list[Grade] = []
    heard: set[str] = set()
    samples_count = 1 + max(map(_sample_of, kept), default=0)
    for key, grades_of_key in asked.items():
        if samples_count == 1 and len(grades_of_key) == 1 and grades_of_key[0].right:  # of thousands that a history has, most are
            firsts += grades_of_key
            scores[key], right[key], solved[key] = 0, 1.0, 1.0
            heard.add(key)
            _measure_tokens_once(key, grades_of_key[0], log_tokens, token_scores, log_input_tokens)
            continue
        tried = _by_sample(grades_of_key)
        first = [grades[0] for grades in tried]
        firsts += first
        marks = [mark_in_order(grades, tries) for grades in tried]
        known = [mark for mark in marks if mark is not None]
        if len(known) == samples_count:
            scores[key] = sum([score_of(mark) for mark in known])
            right[key] = known.count(0) / len(known)
            solved[key] = (len(known) - known.count(tries)) / len(known)
        elif reasons := [grade.reason for grade in first if grade.reason is not None]:
            errors[key] = reasons[0]
        if len(first) == samples_count:
            _measure_tokens(key, first, log_tokens, token_scores, log_input_tokens)
            if key in scores or all(_was_heard(grade, known_identities) for grade in first):
                heard.add(key)
    usable = [grade for grade in kept if grade.right is not None]
    odd = [grade for grade in firsts if grade.reason is not None or grade.reasoning_in_content]
    return MeasuredRun(
        id=run.id,
        started_at=run.started_at,
        protocol=run.protocol,
        scores=scores,
        right=right,
        solved=solved,
        log_tokens=log_tokens,
        token_scores=token_scores,
        log_input_tokens=log_input_tokens,
        errors=errors,
        identities=Counter([grade.identity for grade in usable if grade.identity is not None]),
        fingerprints={g.identity: g.fingerprint for g in run.grades if g.identity is not None and g.fingerprint is not None},
        answers=len(firsts),
        refused=Counter([grade.question_key for grade in odd if grade.reason is Reason.REFUSAL]),
        truncated=Counter([grade.question_key for grade in odd if grade.reason is Reason.TRUNCATED]),
        reasoning_in_content=Counter([grade.question_key for grade in odd if grade.reasoning_in_content]),
        answer_line_missing=sum(grade.answer_line_missing for grade in firsts),
        usable=len(usable),
        heard=frozenset(heard),
        origins=Counter(map(_origin_of, usable)),
    )


def _by_sample(grades: list[Grade]) -> list[list[Grade]]:
    """The grades of one question, a list for each sample, in the order of samples and tries."""
    return [list(of_sample) for _, of_sample in groupby(sorted(grades, key=_place_of), key=_sample_of)]


def _measure_tokens_once(
    key: str, grade: Grade, log_tokens: dict[str, float], token_scores: dict[str, int], log_input_tokens: dict[str, float]
) -> None:
    """The same as `_measure_tokens` of one usable answer."""
    if grade.output_tokens:
        log_tokens[key], token_scores[key] = _lengths(grade.output_tokens)
    if grade.input_tokens:
        log_input_tokens[key], _ = _lengths(grade.input_tokens)


def _measure_tokens(
    key: str,
    first: list[Grade],
    log_tokens: dict[str, float],
    token_scores: dict[str, int],
    log_input_tokens: dict[str, float],
) -> None:
    outputs: list[float] = []
    inputs: list[float] = []
    for grade in first:
        if grade.right is None:
            return
        if grade.output_tokens:
            outputs.append(_lengths(grade.output_tokens)[0])
        if grade.input_tokens:
            inputs.append(_lengths(grade.input_tokens)[0])
    if len(outputs) == len(first):
        log_tokens[key] = mean(outputs)
        token_scores[key] = sum([round(TOKEN_SCALE * log) for log in outputs])
    if len(inputs) == len(first):
        log_input_tokens[key] = mean(inputs)


@lru_cache(maxsize=8192)
def _lengths(tokens: int) -> tuple[float, int]:
    """The logarithm of a number of tokens, and its token score. Kept: the same numbers come again and again."""
    log = math.log(tokens)
    return log, round(TOKEN_SCALE * log)


def mean_share(shares: Iterable[Mapping[str, float]], key: str) -> float:
    """One question's mean over the runs that have a share of it; there must be one. `shares`: one mapping a run, such as its `right`."""
    known = [of[key] for of in shares if key in of]
    return sum(known) / len(known)


def mean(values: Sequence[float]) -> float:
    """The mean of one or more numbers, rounded once."""
    return values[0] if len(values) == 1 else math.fsum(values) / len(values)


def _rerouted(grade: Grade, known_identities: frozenset[str] | None) -> Grade:
    if known_identities is None or grade.right is None or grade.identity is None or grade.identity in known_identities:
        return grade
    return grade._replace(right=None, reason=Reason.REROUTED)


def _was_heard(grade: Grade, known_identities: frozenset[str] | None) -> bool:
    if grade.right is not None:
        return True
    is_ours = known_identities is None or grade.identity is None or grade.identity in known_identities
    return is_ours and grade.reason in _ANSWERED
