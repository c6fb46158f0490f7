"""What informs and never decides, as whole checks over the wire: a run served partly by another model, refusals, another template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from exporter.daemon.snapshots import build_snapshot
from exporter.demo.behaviour import Behaviour
from exporter.metrics import Exposition, MetricsView
from exporter.records import Reason, Verdict, VerdictKind
from exporter.reports import describe, notices
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.test_fault_matrix import MODEL, MockedWorld, check_six_times

QUESTIONS = 34


def suite_text() -> str:
    """As many questions as a fifth without a mark leaves room to find something in."""
    questions = (
        f"  - {{id: 'q{number}', area: numbers, prompt: 'Which number is {number}?', extract: full, "
        f"grader: {{kind: exact, answers: ['{number}']}}, reference: '{number}', max_tokens: 64}}"
        for number in range(QUESTIONS)
    )
    return "\n".join(["suite: numbers", "questions:", *questions])


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Pretended, MockedWorld]]:
    """A model of the mock, and the world of a target that was found stable after five runs of a baseline."""
    folder = tmp_path_factory.mktemp("informing")
    (folder / "numbers.yml").write_text(suite_text())
    with pretending(folder, {MODEL: Behaviour()}, suite="numbers.yml") as mock, MockedWorld(folder) as world:
        world.live = world.build({"base_url": mock.base_url, "model": MODEL, "suites": ("numbers.yml",), "concurrency": 12})
        assert check_six_times(world) is VerdictKind.STABLE
        yield mock, world


Check = Callable[..., tuple[Verdict, MockedWorld]]


@pytest.fixture
def check(scene: tuple[Pretended, MockedWorld]) -> Check:
    """One check of the model as it behaves with these fields changed, and with no others."""
    mock, world = scene

    def make(**fields: Any) -> tuple[Verdict, MockedWorld]:
        mock.behave(MODEL, **{"minority_ratio": 0, "faults": {}, **fields})
        verdict = world.check()
        assert verdict is not None
        return verdict, world

    return make


def exposed(world: MockedWorld) -> dict[str, float]:
    """The series of /metrics by their text."""
    snapshot = build_snapshot(world.store, world.live, world.clock.now())
    text = Exposition().render(MetricsView(snapshots=(snapshot,), read_at=world.clock.now()), "")[0].decode()
    return {series: float(value) for series, value in re.findall(r"^(model_drift_\S+\{.*\}) (\S+)$", text, re.MULTILINE)}


def require_no_alert(world: MockedWorld) -> None:
    """Fail if any series is 1 that a ticket or a page hangs on."""
    signals = {series: value for series, value in exposed(world).items() if re.match(r"model_drift_(confirmed|conclusive)\{", series)}
    assert len(signals) == 8
    assert set(signals.values()) == {0.0}


def test_a_tenth_of_the_answers_by_another_model_is_left_out_and_told_and_the_verdict_is_stable(check: Check) -> None:
    verdict, world = check(minority_model="model-0", minority_ratio=0.1)
    assert (verdict.kind, verdict.runs, verdict.measurement_errors) == (VerdictKind.STABLE, 1, ((Reason.REROUTED, 3),))
    assert [(one.identity, one.answers, one.rerouted) for one in verdict.served] == [(MODEL, 31, False), ("model-0", 3, True)]
    assert "served by model-1 31, model-0 3 (left out as rerouted)" in describe(verdict).details
    series = exposed(world)
    assert series['model_drift_served_ratio{baseline="true",served_model="model-1",target="bot"}'] == pytest.approx(31 / 34)
    assert series['model_drift_served_ratio{baseline="false",served_model="model-0",target="bot"}'] == pytest.approx(3 / 34)
    assert series['model_drift_served_model_info{baseline="false",fingerprint="",served_model="model-0",target="bot"}'] == 1
    require_no_alert(world)


def test_more_refusals_than_ever_inform_and_are_no_drift(check: Check) -> None:
    verdict, world = check(faults={"refusal": 0.2})
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ((Reason.REFUSAL, 5),))
    assert [line for line in notices(verdict) if "refusals" in line] == list(notices(verdict)) != []
    series = exposed(world)
    level = series['model_drift_significance_threshold{target="bot",test="refusals"}']
    assert series['model_drift_p_value{area="overall",target="bot",test="refusals"}'] < level == 0.001
    assert series['model_drift_refusal_ratio{target="bot"}'] > 0.1
    require_no_alert(world)


def test_thinking_left_in_the_content_informs(check: Check) -> None:
    verdict, world = check(faults={"reasoning_in_content": 1})
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ())
    assert notices(verdict)[0].startswith("100 % of answers carry reasoning in their text, 0 % in the baseline (p = ")
    require_no_alert(world)
