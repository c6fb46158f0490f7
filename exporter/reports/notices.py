"""What people should know and nobody is woken for: who served, from where, and habits of the model that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from exporter.records import INFORMING, FacetShare, ServedModel, TestName, TestResult, Verdict
from exporter.reports.figures import percent

MAX_SHOWN = 5
"""Identities that are named one by one."""


def notices(verdict: Verdict) -> tuple[str, ...]:
    """A line each: answers that were not all served alike, and informing tests that passed. Empty on most days."""
    return (*(line for line in (_split_served(verdict), _split_facets(verdict)) if line), *habit_lines(verdict))


def served_line(verdict: Verdict) -> str | None:
    """Who served how many answers; None where no answer names anybody."""
    if not verdict.served:
        return None
    shares = [_served_share(model) for model in verdict.served[:MAX_SHOWN]]
    if others := verdict.served[MAX_SHOWN:]:
        shares.append(f"{len(others)} others {sum(model.answers for model in others)}")
    if verdict.unnamed_answers:
        shares.append(f"no name given {verdict.unnamed_answers}")
    return f"served by {', '.join(shares)}"


def facet_line(facets: Iterable[FacetShare]) -> str | None:
    """From where, for each facet that an answer names; None where none does."""
    listed = [f"{facet} {_facet_shares(list(shares))}" for facet, shares in groupby(facets, key=lambda share: share.facet)]
    return f"served from {'; '.join(listed)}" if listed else None


def habit_lines(verdict: Verdict) -> Iterator[str]:
    """Informing tests that passed, in words."""
    for test in verdict.tests:
        if test.test in INFORMING and test.passed:
            yield _habit(verdict, test)


def _split_served(verdict: Verdict) -> str | None:
    is_split = len(verdict.served) > 1 or any(model.rerouted or not model.in_baseline for model in verdict.served)
    return served_line(verdict) if is_split else None


def _split_facets(verdict: Verdict) -> str | None:
    by_facet = [list(shares) for _, shares in groupby(verdict.facets, key=lambda share: share.facet)]
    split = [share for shares in by_facet if len(shares) > 1 or not shares[0].in_baseline for share in shares]
    return facet_line(split)


def _served_share(model: ServedModel) -> str:
    share = str(model.answers) if model.answers else percent(model.share_ratio)
    if model.rerouted:
        return f"{model.identity} {share} (left out as rerouted)"
    return f"{model.identity} {share}{'' if model.in_baseline else ' (new)'}"


def _facet_shares(shares: list[FacetShare]) -> str:
    return ", ".join(f"{share.value or 'others'} {share.answers}{'' if share.in_baseline else ' (new)'}" for share in shares)


def _habit(verdict: Verdict, test: TestResult) -> str:
    p_value = f"p = {test.adjusted_p_value:.2g}; informs only"
    if test.test is TestName.INPUT_TOKENS:
        ratio = verdict.input_token_shift_ratio or 1.0
        shift = abs(ratio - 1) * 100
        change = f"{shift:{'.0f' if shift >= 1 else '.1g'}} % {'more' if ratio > 1 else 'fewer'}"
        return f"prompts count {change} input tokens than in the baseline ({p_value}): template or tokenizer changed"
    what, now, before = {
        TestName.REFUSALS: ("are refusals", verdict.refusal_ratio, verdict.baseline_refusal_ratio),
        TestName.TRUNCATED: ("are cut off at the token limit", verdict.truncated_ratio, verdict.baseline_truncated_ratio),
        TestName.REASONING_IN_CONTENT: (
            "carry reasoning in their text",
            verdict.reasoning_in_content_ratio,
            verdict.baseline_reasoning_in_content_ratio,
        ),
    }[test.test]
    return f"{percent(now or 0.0)} of answers {what}, {percent(before or 0.0)} in the baseline ({p_value})"
