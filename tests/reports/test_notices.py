"""What is told beside the verdict, line by line."""

from __future__ import annotations

import json

import pytest

from exporter.records import FacetShare, ServedModel, TestName, TestResult, Verdict, VerdictKind
from exporter.reports import as_dict, describe, notices
from tests.reports.test_words import make_verdict

OURS = ServedModel("gpt-x", None, 31 / 34, in_baseline=True, answers=31)
REROUTED = ServedModel("gpt-y", None, 3 / 34, in_baseline=False, answers=3, rerouted=True)
NORTH = FacetShare("host", "north", 31, 31 / 34, in_baseline=True)
SOUTH = FacetShare("host", "south", 3, 3 / 34, in_baseline=False)
TIER = FacetShare("tier", "default", 34, 1.0, in_baseline=True)


def stable(**fields: object) -> Verdict:
    return make_verdict(VerdictKind.STABLE, **fields)


def habit(test: TestName, p_value: float = 0.00026, *, passed: bool = True, **fields: object) -> Verdict:
    return stable(tests=(TestResult(test, "overall", p_value, p_value, 0.001, passed),), **fields)


SPLIT = [
    (stable(served=(OURS, REROUTED)), "served by gpt-x 31, gpt-y 3 (left out as rerouted)"),
    (
        stable(served=(OURS, ServedModel("gpt-z", None, 3 / 34, in_baseline=True, answers=3))),
        "served by gpt-x 31, gpt-z 3",
    ),
    (stable(served=(REROUTED,), unnamed_answers=31), "served by gpt-y 3 (left out as rerouted), no name given 31"),
    (
        stable(served=tuple(ServedModel(f"m-{number}", None, 0.1, in_baseline=True, answers=2) for number in range(8))),
        "served by m-0 2, m-1 2, m-2 2, m-3 2, m-4 2, 3 others 6",
    ),
    (stable(facets=(NORTH, SOUTH, TIER)), "served from host north 31, south 3 (new)"),
    (
        stable(facets=(TIER, FacetShare("fingerprint", "fp-1", 20, 0.6, True), FacetShare("fingerprint", None, 14, 0.4, False))),
        "served from fingerprint fp-1 20, others 14 (new)",
    ),
    (stable(facets=(FacetShare("region", "eu", 34, 1.0, in_baseline=False),)), "served from region eu 34 (new)"),
]


@pytest.mark.parametrize(("verdict", "line"), SPLIT, ids=[line for _, line in SPLIT])
def test_answers_that_were_not_all_served_alike_are_told_in_a_line(verdict: Verdict, line: str) -> None:
    assert notices(verdict) == (line,)


def test_a_run_served_alike_is_told_in_the_report_and_is_no_notice() -> None:
    verdict = stable(served=(ServedModel("gpt-x", "fp", 1.0, in_baseline=True, answers=34),), facets=(NORTH, TIER))
    assert notices(verdict) == ()
    assert {"served by gpt-x 34", "served from host north 31; tier default 34"} <= set(describe(verdict).details)


def test_a_share_that_an_older_version_stored_without_a_count_is_told_in_per_cent() -> None:
    assert "served by gpt-x 91 %" in describe(stable(served=(ServedModel("gpt-x", None, 0.91, in_baseline=True),))).details


HABITS = [
    (
        habit(TestName.INPUT_TOKENS, 2.2e-26, input_token_shift_ratio=1.12),
        "prompts count 12 % more input tokens than in the baseline (p = 2.2e-26; informs only): template or tokenizer changed",
    ),
    (
        habit(TestName.INPUT_TOKENS, input_token_shift_ratio=0.996),
        "prompts count 0.4 % fewer input tokens than in the baseline (p = 0.00026; informs only): template or tokenizer changed",
    ),
    (
        habit(TestName.INPUT_TOKENS, input_token_shift_ratio=2.5),
        "prompts count 150 % more input tokens than in the baseline (p = 0.00026; informs only): template or tokenizer changed",
    ),
    (
        habit(TestName.REFUSALS, refusal_ratio=0.15, baseline_refusal_ratio=0.0),
        "15 % of answers are refusals, 0 % in the baseline (p = 0.00026; informs only)",
    ),
    (
        habit(TestName.TRUNCATED, truncated_ratio=0.15, baseline_truncated_ratio=0.02),
        "15 % of answers are cut off at the token limit, 2 % in the baseline (p = 0.00026; informs only)",
    ),
    (
        habit(TestName.REASONING_IN_CONTENT, reasoning_in_content_ratio=1.0, baseline_reasoning_in_content_ratio=0.0),
        "100 % of answers carry reasoning in their text, 0 % in the baseline (p = 0.00026; informs only)",
    ),
]


@pytest.mark.parametrize(("verdict", "line"), HABITS, ids=[line[:40] for _, line in HABITS])
def test_each_habit_that_changed_has_its_sentence_and_the_headline_stays(verdict: Verdict, line: str) -> None:
    assert notices(verdict) == (line,)
    report = describe(verdict)
    assert line in report.details
    assert (report.headline, report.next_step) == (describe(stable()).headline, "Nothing to do.")


def test_a_test_that_did_not_pass_is_not_told() -> None:
    verdict = habit(TestName.REFUSALS, 0.3, passed=False)
    assert notices(verdict) == ()
    assert not any("0.3" in line for line in describe(verdict).details)


def test_the_document_has_shares_facets_and_tests() -> None:
    document = json.loads(json.dumps(as_dict(habit(TestName.REFUSALS, served=(OURS, REROUTED), facets=(SOUTH,)))))
    assert [(one["identity"], one["answers"], one["rerouted"]) for one in document["served"]] == [("gpt-x", 31, False), ("gpt-y", 3, True)]
    assert document["facets"] == [{"facet": "host", "value": "south", "answers": 3, "share_ratio": 3 / 34, "in_baseline": False}]
    assert (document["tests"][0]["test"], document["tests"][0]["passed"]) == ("refusals", True)
