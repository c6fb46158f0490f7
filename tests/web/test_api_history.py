from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exporter.records import BaselineState, CheckKind, Reason, RunState, VerdictKind
from exporter.reports import as_dict
from exporter.store import Store, open_store
from tests.metrics.snapshots import NOW
from tests.store.facts import do_check, reserve, settle, start_run
from tests.web.api_world import BOT, check, check_with_tries, data, refusal
from tests.web.fake_state import FakeState, get

HOUR = 3600.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/history.db")
    yield opened
    opened.close()


@pytest.fixture
def state(store: Store) -> FakeState:
    return FakeState(store=store)


def pages(state: FakeState, path: str, below: str) -> list[list[dict[str, Any]]]:
    """Every page, from the first on, by their links."""
    found = []
    following: str | None = path
    while following is not None:
        page = data(state, following)
        found.append(page[below])
        following = page["next"]
    return found


def test_a_target_that_was_never_checked_has_an_empty_history(state: FakeState) -> None:
    assert data(state, f"{BOT}/checks") == {"target": "support-bot", "checks": [], "next": None}
    assert data(state, f"{BOT}/verdicts") == {"target": "support-bot", "verdicts": [], "next": None}
    assert data(state, f"{BOT}/errors") == {"target": "support-bot", "errors": []}


def test_a_closed_check_tells_its_runs_its_cost_and_what_it_said(state: FakeState, store: Store) -> None:
    check(store, NOW)
    (shown,) = data(state, f"{BOT}/checks")["checks"]
    assert shown.pop("verdict")["headline"] == "Stable: accuracy is not known."
    assert shown == {
        "id": 1,
        "kind": "scheduled",
        "state": "closed",
        "due_at": NOW,
        "claimed_at": NOW,
        "confirm_at": None,
        "closed_at": NOW + 60,
        "runs": [
            {
                "id": 1,
                "number": 1,
                "protocol": "p1",
                "state": "measured",
                "started_at": NOW,
                "deadline_at": NOW + 600,
                "ended_at": NOW + 60,
                "reason": None,
                "message": "",
            }
        ],
        "spend": {"usd": 0.08, "estimated_usd": 0.0, "tokens": 280, "requests": 2},
        "link": f"{BOT}/checks/1",
    }


def test_an_open_check_tells_how_far_it_is_and_what_it_has_cost_so_far(state: FakeState, store: Store) -> None:
    run = start_run(store, "support-bot")
    settle(store, reserve(store, run))
    reserve(store, run)
    (shown,) = data(state, f"{BOT}/checks")["checks"]
    assert (shown["state"], shown["closed_at"], shown["verdict"]) == ("running", None, None)
    assert shown["spend"] == {"usd": 0.14, "estimated_usd": 0.0, "tokens": 1140, "requests": 2}
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    store.set_confirming(run.check_id, NOW + HOUR)
    (shown,) = data(state, f"{BOT}/checks")["checks"]
    assert (shown["state"], shown["confirm_at"]) == ("confirming", NOW + HOUR)


def test_checks_are_told_page_by_page_newest_first_and_none_twice(state: FakeState, store: Store) -> None:
    for number in range(5):
        check(store, NOW + number * HOUR)
        do_check(store, "summaries", NOW + number * HOUR)
    ids = [[one["id"] for one in page] for page in pages(state, f"{BOT}/checks?limit=2", "checks")]
    assert ids == [[9, 7], [5, 3], [1]]
    assert data(state, f"{BOT}/checks?limit=5")["next"] is None
    assert data(state, f"{BOT}/checks?limit=4")["next"] == f"{BOT}/checks?limit=4&before=3"
    assert [one["id"] for one in data(state, f"{BOT}/checks?before=9007199254740991")["checks"]] == [9, 7, 5, 3, 1]


def test_one_check_is_told_with_every_grade_and_without_any_text(state: FakeState, store: Store) -> None:
    check_with_tries(store, NOW)
    path = f"{BOT}/checks/1"
    whole = data(state, path)["check"]
    verdict = store.last_verdict("support-bot")
    assert verdict is not None
    assert whole["verdict"].keys() == as_dict(verdict).keys()
    (run,) = whole["runs"]
    assert run["counts"] == {
        "tries": 3,
        "right": 1,
        "wrong": 1,
        "unusable": 1,
        "first_tries": 2,
        "right_at_first_try": 0,
        "reasons": {"truncated": 1},
        "input_tokens": 200,
        "output_tokens": 592,
    }
    assert run["grades_pruned_at"] is None
    assert run["grades"][0] == {
        "question_id": "q1",
        "suite": "core",
        "area": "reasoning",
        "sample": 0,
        "attempt": 1,
        "right": False,
        "reason": None,
        "graded_at": NOW,
        "input_tokens": 100,
        "output_tokens": 40,
        "latency_seconds": 1.25,
        "identity": "gpt-5.5-2027",
    }
    assert [(grade["question_id"], grade["attempt"], grade["right"], grade["reason"]) for grade in run["grades"]] == [
        ("q1", 1, False, None),
        ("q1", 2, True, None),
        ("q2", 1, None, "truncated"),
    ]
    text = get(state, path).text
    assert "cut off at" not in text
    assert "2f1c" not in text


def test_grades_that_grew_too_old_are_said_to_be_gone(state: FakeState, store: Store) -> None:
    check(store, NOW)
    store.prune_grades("support-bot", [1], NOW + HOUR)
    (run,) = data(state, f"{BOT}/checks/1")["check"]["runs"]
    assert (run["grades_pruned_at"], run["grades"], run["counts"]["tries"]) == (NOW + HOUR, [], 0)


@pytest.mark.parametrize("wanted", ["0", "2", "3", "x", "-1", "1.0", "٣", "9007199254740991", "9" * 40, "1%00", "%2e%2e"])
def test_a_check_of_another_target_or_of_none_is_404(state: FakeState, store: Store, wanted: str) -> None:
    check(store, NOW)
    do_check(store, "summaries", NOW)
    refused = refusal(state, f"{BOT}/checks/{wanted}")
    assert refused == (404, "not_found", "support-bot has no check of this id; list those that it has")


@pytest.fixture
def changeable(store: Store) -> None:
    """Six checks, an hour apart; each says its verdict after a minute."""
    stood = [VerdictKind.STABLE, VerdictKind.STABLE, VerdictKind.DRIFT, VerdictKind.DRIFT, VerdictKind.STABLE, VerdictKind.SUSPECT]
    for number, kind in enumerate(stood):
        check(store, NOW + number * HOUR, kind=VerdictKind.MEASUREMENT_FAILED, standing=kind)


@pytest.mark.usefixtures("changeable")
def test_verdicts_tell_what_stood_from_when_to_when(state: FakeState) -> None:
    told = data(state, f"{BOT}/verdicts")
    assert told["verdicts"][:2] == [
        {"standing": "suspect", "since_at": NOW + 5 * HOUR + 60, "until_at": None, "check_id": 6, "link": f"{BOT}/checks/6"},
        {"standing": "stable", "since_at": NOW + 4 * HOUR + 60, "until_at": NOW + 5 * HOUR + 60, "check_id": 5, "link": f"{BOT}/checks/5"},
    ]
    assert [one["standing"] for one in told["verdicts"]] == ["suspect", "stable", "drift", "stable"]
    assert data(state, told["verdicts"][0]["link"])["check"]["id"] == 6


@pytest.mark.usefixtures("changeable")
@pytest.mark.parametrize(
    ("query", "checks"),
    [
        ("since=1800007300", [6, 5, 3]),
        ("since=2027-01-15T10:01:40Z", [6, 5, 3]),
        ("since=2027-01-15T19:01:40%2B09:00", [6, 5, 3]),
        ("since=2027-01-15T19:01:40+09:00", [6, 5, 3]),
        ("until=1800007200", [1]),
        ("since=1800007300.5&until=1800007400", [3]),
        ("until=2026-01-01T00:00:00Z", []),
        ("since=1900-01-01T00:00:00Z", [6, 5, 3, 1]),
    ],
)
def test_verdicts_of_a_span_of_time_are_those_that_stood_in_it(state: FakeState, query: str, checks: list[int]) -> None:
    assert [one["check_id"] for one in data(state, f"{BOT}/verdicts?{query}")["verdicts"]] == checks
    assert [one["check_id"] for page in pages(state, f"{BOT}/verdicts?limit=1&{query}", "verdicts") for one in page] == checks


def test_errors_are_told_newest_first_and_their_text_is_data(state: FakeState, store: Store) -> None:
    for number, message in enumerate(("401: <b>no</b>", "</script>\u2028\ud83d")):
        run = start_run(store, "support-bot", NOW + number * HOUR)
        store.close_run(run.id, RunState.FAILED, Reason.AUTH, message, NOW + number * HOUR + 5)
    assert data(state, f"{BOT}/errors")["errors"] == [
        {"happened_at": NOW + HOUR + 5, "reason": "auth", "message": "</script>\u2028\ufffd", "question_id": None},
        {"happened_at": NOW + 5, "reason": "auth", "message": "401: <b>no</b>", "question_id": None},
    ]
    assert [one["happened_at"] for one in data(state, f"{BOT}/errors?limit=1")["errors"]] == [NOW + HOUR + 5]
    assert get(state, f"{BOT}/errors").content.isascii()


def test_the_largest_page_stays_bounded(state: FakeState, store: Store) -> None:
    asked = [store.claim_check("support-bot", CheckKind.MANUAL, NOW + number, NOW + number) for number in range(3)]
    assert None not in asked
    long = BaselineState(
        runs=15, runs_required=5, frozen=True, run_ids=tuple(range(15)), sometimes=tuple(f"question-{n}" for n in range(500))
    )
    check(store, NOW + 100, baseline=long)
    assert len(get(state, f"{BOT}/checks").content) < 5000
