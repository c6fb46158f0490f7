"""The suite structure as whole checks over the wire: tools, JSON, refusals and forms, with every API, plain and streamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from exporter.demo.app import DIALECTS
from exporter.demo.behaviour import Behaviour
from exporter.demo.faults.registry import CHAT, GEMINI, MESSAGES, OLLAMA, RESPONSES
from exporter.records import Reason, Verdict, VerdictKind
from exporter.reports import describe
from tests.acceptance.books import read_books
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.test_fault_matrix import MODEL, MockedWorld

AREAS = {"tools": 5, "json": 4, "refusal": 3, "format": 3}


class Scene:
    """A model of the mock that knows the suite, and the world of a target that asks it."""

    def __init__(self, mock: Pretended, world: MockedWorld) -> None:
        self.mock = mock
        self.world = world

    def check(self, api: str, **settings: Any) -> tuple[Verdict, Counter[tuple[str, bool | None]]]:
        """The verdict of one check, and how many grades of each area were right, wrong or unusable in it."""
        usual = {"api": api, "base_url": self.mock.base_url_of(api), "model": MODEL, "suites": ("structure",), "concurrency": 12}
        self.world.live = self.world.build({**usual, **settings})
        verdict = self.world.check()
        assert verdict is not None
        rows = read_books(self.world.folder / "history.db").grades
        newest = max(row["run_id"] for row in rows)
        rulings = ((row["area"], None if row["right"] is None else bool(row["right"])) for row in rows if row["run_id"] == newest)
        return verdict, Counter(rulings)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("structure")
    with pretending(folder, {MODEL: Behaviour()}, suite="structure") as mock, MockedWorld(folder) as world:
        yield Scene(mock, world)


@pytest.fixture(autouse=True)
def perfect(scene: Scene) -> None:
    """Each test begins with a model that does everything right."""
    scene.mock.behave(MODEL, faults={}, lost=[], tools=True)


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("api", [dialect.api for dialect in DIALECTS])
def test_every_question_can_be_answered_right(scene: Scene, api: str, *, stream: bool) -> None:
    verdict, grades = scene.check(api, stream=stream)
    assert verdict.kind is VerdictKind.COLLECTING
    assert grades == {(area, True): count for area, count in AREAS.items()}


@pytest.mark.parametrize(("api", "stream"), [(CHAT, False), (MESSAGES, True)])
def test_wrong_calls_are_wrong_and_no_failed_measurement(scene: Scene, api: str, *, stream: bool) -> None:
    scene.mock.behave(MODEL, lost=[question.id for question in scene.mock.questions if question.area == "tools"])
    verdict, grades = scene.check(api, stream=stream)
    assert verdict.measurement_errors == ()
    assert grades == {("tools", False): 30, **{(area, True): count for area, count in AREAS.items() if area != "tools"}}


@pytest.mark.parametrize("api", [CHAT, GEMINI, OLLAMA])
def test_a_server_without_tools_is_a_failed_measurement_until_the_target_says_so(scene: Scene, api: str) -> None:
    scene.mock.behave(MODEL, tools=False)
    verdict, grades = scene.check(api)
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.UNSUPPORTED_PARAMETER)
    assert "model-1 does not support tools; set tool_calling: text" in describe(verdict).headline
    assert grades == {(area, None if area == "tools" else True): count for area, count in AREAS.items()}
    verdict, grades = scene.check(api, tool_calling="text")
    assert verdict.kind is VerdictKind.COLLECTING
    assert grades == {(area, True): count for area, count in AREAS.items()}


@pytest.mark.parametrize(("api", "stream"), [(CHAT, False), (MESSAGES, True), (RESPONSES, False)])
def test_a_refusal_in_a_field_of_its_own_answers_the_questions_about_refusing_alone(scene: Scene, api: str, *, stream: bool) -> None:
    scene.mock.behave(MODEL, faults={"refusal": 1.0})
    verdict, grades = scene.check(api, stream=stream)
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.REFUSAL)
    assert grades == {("refusal", True): 1, ("refusal", False): 12, ("tools", None): 5, ("json", None): 4, ("format", None): 3}
