"""Every fault of the mock × every API that it speaks, each as a whole check after a baseline: never a verdict about the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.daemon.check import Workshop
from exporter.demo.app import DIALECTS
from exporter.demo.behaviour import Behaviour
from exporter.demo.faults import FAULTS, shapes, transport
from exporter.demo.faults.registry import ALL, CHAT, MESSAGES
from exporter.probing.limiter import Limiter
from exporter.records import Verdict, VerdictKind
from exporter.reports import describe
from exporter.reports.advice import ADVICE
from exporter.store import Writer
from tests.acceptance.books import read_books
from tests.acceptance.pretended import Pretended, pretending
from tests.daemon.world import QUESTIONS, World

MODEL = "model-1"
SOME = 0.12
"""A share of the requests below the share of questions that may stay without a mark."""
LONGER = "reasoning_outside_usage"
"""Other counts than the baseline's are another length; only a host that always counts so says nothing of its model by it."""
SLOW = ("silence", "slow_drip")
IN_FULL = (CHAT, MESSAGES)
"""Elsewhere what happens on the way to the JSON, whichever API it is of, is left to tests/demo/test_faults_and_adapters.py."""
IN_STREAMS = ("stream_cut", "stream_error", "truncated", "refusal", "half_closed", "html_200", "empty_body")

CASES = [
    (dialect.api, name, share, stream)
    for dialect in DIALECTS
    for name, fault in FAULTS.items()
    for share in ((1.0, SOME) if dialect.api == CHAT else (1.0,))
    for stream in ((False, True) if name in IN_STREAMS else (False,))
    if dialect.api in fault.apis and name != LONGER
    if dialect.api in IN_FULL or not (fault.apis == ALL and fault.bend.__module__ in (shapes.__name__, transport.__name__))
]
Case = tuple[str, str, float, bool]


class MockedWorld(World):
    """A world whose target is a model of the mock, asked over the wire."""

    def workshop(self, writer: Writer) -> Workshop:
        return Workshop(self.store, writer, self.clock, Limiter(64))


def run_matrix(api: str, stream: bool, folder: Path) -> Iterator[tuple[Case, Verdict]]:
    """The verdict of a check for each fault, after six checks without one."""
    cases = [case for case in CASES if (case[0], case[3]) == (api, stream)]
    with pretending(folder, {MODEL: Behaviour()}) as mock, MockedWorld(folder) as world:
        settings = {"api": api, "base_url": mock.base_url_of(api), "model": MODEL, "concurrency": 12, "stream": stream}
        world.live = world.build(settings)
        assert check_six_times(world) is VerdictKind.STABLE
        for case in cases:
            _, name, share, _ = case
            mock.behave(MODEL, faults={name: share})
            world.live = world.build({**settings, "request_timeout": 0.3} if name in SLOW else settings)
            verdict = world.check()
            assert verdict is not None
            yield case, verdict
        require_books(world, mock)


def check_six_times(world: World) -> VerdictKind | None:
    """Five runs make a baseline; the verdict of the sixth check."""
    return [verdict.kind if (verdict := world.check()) else None for _ in range(6)][-1]


def require_books(world: World, mock: Pretended) -> None:
    """Fail unless every request that the mock was sent has a row of its own that is settled, and the store adds up.

    Rows without a request are those that were called off when another answer stopped their run, or whose time was up before
    a busy machine had sent them.
    """
    assert world.store.verify() == ()
    ids = {question.key: question.id for question in mock.questions}
    rows = read_books(world.folder / "history.db").requests
    sent = Counter(entry.question for entry in mock.entries(MODEL))
    booked: Counter[str | None] = Counter(ids[row["question_key"]] for row in rows)
    called_off: Counter[str | None] = Counter(ids[row["question_key"]] for row in rows if row["reason"] in ("interrupted", "timeout"))
    assert sent <= booked
    assert booked - sent <= called_off
    assert all(row["settled_at"] is not None for row in rows)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Verdict]:
    """One world for each API, plain and streamed."""
    found: dict[Case, Verdict] = {}
    for dialect in DIALECTS:
        for stream in (False, True):
            found.update(run_matrix(dialect.api, stream, tmp_path_factory.mktemp(dialect.api)))
    return found


@pytest.mark.parametrize("case", [case for case in CASES if case[2] == 1], ids=str)
def test_a_fault_in_every_answer_is_a_failed_measurement_that_says_what_to_do(case: Case, verdicts: dict[Case, Verdict]) -> None:
    verdict, reason = verdicts[case], FAULTS[case[1]].reason
    if reason is None:
        assert verdict.kind is VerdictKind.STABLE
        return
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, reason)
    assert dict(verdict.measurement_errors) == {reason: QUESTIONS}
    assert verdict.reason_message
    report = describe(verdict)
    assert ADVICE[reason] in report.next_step or ADVICE[reason] in " ".join(report.details)


@pytest.mark.parametrize("case", [case for case in CASES if case[2] < 1], ids=str)
def test_a_fault_in_some_answers_says_nothing_of_the_model(case: Case, verdicts: dict[Case, Verdict]) -> None:
    verdict, reason = verdicts[case], FAULTS[case[1]].reason
    assert verdict.kind in (VerdictKind.STABLE, VerdictKind.MEASUREMENT_FAILED)
    assert set(dict(verdict.measurement_errors)) <= {reason}
    if verdict.kind is VerdictKind.MEASUREMENT_FAILED:
        assert verdict.reason is reason
    else:
        assert sum(dict(verdict.measurement_errors).values()) <= 0.2 * QUESTIONS


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_fault_sets_a_signal(case: Case, verdicts: dict[Case, Verdict]) -> None:
    verdict = verdicts[case]
    assert verdict.standing is verdict.kind
    assert not [state.signal for state in verdict.signals if state.confirmed]


def test_most_faults_in_some_answers_are_got_over_by_asking_again(verdicts: dict[Case, Verdict]) -> None:
    stable = [case for case, verdict in verdicts.items() if case[2] < 1 and verdict.kind is VerdictKind.STABLE]
    assert len(stable) > len([case for case in CASES if case[2] < 1]) / 2


def test_a_host_that_always_counts_reasoning_apart_is_stable(tmp_path: Path) -> None:
    with pretending(tmp_path, {MODEL: Behaviour(faults={LONGER: 1.0})}) as mock, MockedWorld(tmp_path) as world:
        world.live = world.build({"base_url": mock.base_url})
        assert check_six_times(world) is VerdictKind.STABLE


HINTS = {
    "truncated": "raise max_tokens_scale",
    "refusal": "ask other suites or areas, or change system",
    "content_filter": "loosen the provider's content filter for this key, or ask other suites or areas",
}
NOTHING_USABLE = [(dialect.api, name) for dialect in DIALECTS for name in HINTS if dialect.api in FAULTS[name].apis]


@pytest.mark.parametrize(("api", "name"), NOTHING_USABLE)
def test_a_first_run_without_one_usable_answer_is_a_failed_measurement_with_a_hint(api: str, name: str, tmp_path: Path) -> None:
    with pretending(tmp_path, {MODEL: Behaviour(faults={name: 1.0})}) as mock, MockedWorld(tmp_path) as world:
        world.live = world.build({"api": api, "base_url": mock.base_url_of(api), "model": MODEL})
        verdict = world.check()
    assert verdict is not None
    reason = FAULTS[name].reason
    assert (verdict.kind, verdict.reason, verdict.baseline.runs) == (VerdictKind.MEASUREMENT_FAILED, reason, 0)
    assert HINTS[name] in " ".join((verdict.reason_message, describe(verdict).next_step))


@pytest.mark.parametrize("api", [dialect.api for dialect in DIALECTS])
def test_a_stream_without_counts_is_graded_and_booked_as_estimated(api: str, tmp_path: Path) -> None:
    with pretending(tmp_path, {MODEL: Behaviour(usage=False)}) as mock, MockedWorld(tmp_path) as world:
        world.live = world.build({"api": api, "base_url": mock.base_url_of(api), "model": MODEL, "stream": True})
        verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, dict(verdict.measurement_errors)) == (VerdictKind.COLLECTING, {})
    rows = read_books(tmp_path / "history.db").requests
    assert [(row["estimated"], row["tokens"] > 0) for row in rows] == [(1, True)] * QUESTIONS
