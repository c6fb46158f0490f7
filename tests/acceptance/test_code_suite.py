"""The suite code as whole checks over the wire: named under `suites:`, and nothing else has to be set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.demo.faults.registry import CHAT, MESSAGES
from exporter.records import VerdictKind
from tests.acceptance.pretended import pretending
from tests.acceptance.test_fault_matrix import MODEL, MockedWorld
from tests.acceptance.test_structure import Scene


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("code")
    with pretending(folder, {MODEL: Behaviour()}, suite="code") as mock, MockedWorld(folder) as world:
        yield Scene(mock, world)


@pytest.mark.parametrize(("api", "stream"), [(CHAT, False), (MESSAGES, True)])
def test_every_question_can_be_answered_right(scene: Scene, api: str, *, stream: bool) -> None:
    scene.mock.behave(MODEL, lost=[])
    verdict, grades = scene.check(api, stream=stream, suites=("code",))
    assert verdict.kind is VerdictKind.COLLECTING
    assert verdict.measurement_errors == ()
    assert grades == {("code", True): 10}


def test_wrong_functions_are_wrong_and_no_failed_measurement(scene: Scene) -> None:
    scene.mock.behave(MODEL, lost=["code-evaluate", "code-justify"])
    verdict, grades = scene.check(CHAT, suites=("code",), decision={"tries": 3})
    assert verdict.measurement_errors == ()
    assert grades == {("code", True): 8, ("code", False): 6}
