"""docs/api.md tells of every path, parameter and field of the API, and of no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exporter.reports import as_dict
from exporter.store import Store, open_store
from exporter.web.api import ACTIONS, RESOURCES, Resource
from exporter.web.api_envelope import STATUS
from exporter.web.api_reading import MOST_CHECKS, MOST_DAYS
from tests.metrics.snapshots import NOW, drifted
from tests.store.facts import reserve, start_run
from tests.web.api_world import BOT, check_with_tries, data, refusal
from tests.web.fake_state import FakeState, request

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
SECTIONS = {
    head.replace("&lt;", "<").replace("&gt;", ">"): text
    for head, text in re.findall(r"^##+ ([^\n]+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
}
BY_OWNER = {"labels", "store_errors", "reasons", "measurement_errors", "checks", "request_failures"}
"""Maps whose keys are no names of fields."""

BESIDE = {
    "GET /api/v1/targets/<target>": "GET /api/v1/targets",
    "GET /api/v1/targets/<target>/checks/<id>": "GET /api/v1/targets/<target>/checks",
    "GET /api/v1/spend": "GET /api/v1/targets/<target>/spend",
}
"""Sections that tell only of what there is beside another one's fields."""


def first_column(head: str, section: str) -> list[str]:
    """What the first column of the table with that head names."""
    found = re.search(rf"^\| {re.escape(head)} \|.*\n\|[ -|]+\n((?:\|.*\n?)+)", SECTIONS[section], re.MULTILINE)
    return [] if found is None else [name for row in found[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def fields(section: str) -> set[str]:
    return set(first_column("field", section))


def words(*sections: str) -> set[str]:
    return {word for section in sections for word in re.findall(r"`([a-z_]+)`", SECTIONS[section])}


@pytest.fixture
def state(tmp_path: Path) -> Iterator[FakeState]:
    """A target with enough of a history for something to stand in every list."""
    store: Store = open_store(f"sqlite:///{tmp_path}/history.db")
    check_with_tries(store, NOW - 100)
    reserve(store, start_run(store, "support-bot", NOW - 10), now=NOW - 10)
    yield FakeState(store=store, lifecycle=True)
    store.close()


def answer(state: FakeState, resource: Resource) -> dict[str, Any]:
    found: dict[str, Any] = data(state, resource.path.replace("<target>", "support-bot").replace("<id>", "1"))
    return found


def nested(value: object) -> Iterator[str]:
    """Names of fields at any depth, but for a verdict's and for maps by something else."""
    if isinstance(value, list):
        for item in value:
            yield from nested(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            if name != "verdict" and not (name in BY_OWNER and isinstance(item, dict)):
                yield from nested(item)


def test_every_path_has_its_section_and_no_section_is_of_another() -> None:
    told = [section for section in SECTIONS if section.startswith(("GET ", "POST "))]
    assert sorted(told) == sorted([f"GET {one.path}" for one in RESOURCES] + [f"POST {one.path}" for one in ACTIONS])


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_every_parameter_is_told_and_no_other(resource: Resource) -> None:
    assert tuple(first_column("parameter", f"GET {resource.path}")) == resource.parameters


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_every_field_of_an_answer_is_told(state: FakeState, resource: Resource) -> None:
    section = f"GET {resource.path}"
    told_by = [section, "A run", *([BESIDE[section]] if section in BESIDE else [])]
    known = {name.rpartition(".")[2].removesuffix("[]") for other in told_by for name in fields(other)} | words(*told_by)
    assert sorted(set(nested(answer(state, resource))) - known) == []


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.path)
def test_no_field_is_told_that_an_answer_does_not_have(state: FakeState, resource: Resource) -> None:
    def has(value: Any, names: list[str]) -> bool:
        if not names:
            return True
        name = names[0].removesuffix("[]")
        if not isinstance(value, dict) or name not in value:
            return False
        return has(value[name][0] if names[0].endswith("[]") else value[name], names[1:])

    found = answer(state, resource)
    assert [name for name in fields(f"GET {resource.path}") if not has(found, name.split("."))] == []


def test_lists_are_told_entry_by_entry(state: FakeState) -> None:
    for resource in RESOURCES:
        documented = fields(f"GET {resource.path}")
        for name, value in answer(state, resource).items():
            if f"{name}[]" in " ".join(documented):
                assert {f"{name}[].{entry}" for entry in value[0]} <= documented


def test_a_run_and_a_verdict_are_told_field_by_field(state: FakeState) -> None:
    verdict = drifted().verdict
    assert verdict is not None
    _, closed = data(state, f"{BOT}/checks")["checks"]
    assert fields("A run") == set(closed["runs"][0])
    assert fields("A verdict in short") == set(closed["verdict"])
    assert fields("A verdict in full") == set(as_dict(verdict))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.path)
def test_what_comes_of_an_action_is_told(state: FakeState, action: Any) -> None:
    response = request(state, "POST", action.path.replace("<target>", "support-bot"))
    assert set(response.json()["data"]) == fields("Do")
    assert str(response.status_code) in SECTIONS[f"POST {action.path}"]


def test_every_error_is_told_with_its_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", SECTIONS["What holds everywhere"], re.MULTILINE)
    assert {kind: int(status) for kind, status in rows} == {kind.value: status for kind, status in STATUS.items()}


def test_limits_are_those_that_hold() -> None:
    assert f"{MOST_CHECKS} at the most" in SECTIONS["GET /api/v1/targets/<target>/checks"]
    assert f"{MOST_DAYS} at the most" in SECTIONS["GET /api/v1/targets/<target>/spend"]


def test_the_examples_are_of_paths_that_there_are() -> None:
    state = FakeState(lifecycle=True)
    asked = re.findall(r"^\$ curl -s (-X POST )?'?localhost:10201([^'\s]+)", PAGE, re.MULTILINE)
    assert len(asked) > 12
    for post, path in asked:
        response = request(state, "POST" if post else "GET", path.replace("translator", "support-bot"))
        assert response.status_code != 405
        assert "no such path" not in response.text


def test_what_is_said_of_a_bad_request_is_what_is_said() -> None:
    said = re.search(r"limit=x&colour=red'\n(.*)\n", PAGE)
    assert said is not None
    response = request(FakeState(), "GET", f"{BOT}/checks?limit=x&colour=red")
    assert response.text == said[1]
    assert refusal(FakeState(), f"{BOT}/checks?limit=x&colour=red")[0] == 400
