from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.suites.graders.json_equals import Json


def accepts(equals: Any, answer: str, **settings: Any) -> bool:
    return Json.model_validate({"kind": "json", "equals": equals, **settings}).accepts(answer)


@pytest.mark.parametrize(
    "answer",
    [
        '{"a": [1, 2], "b": null}',
        '{"b":null,"a":[1.0,2]}',
        ' {\n "a": [1, 2],\n "b": null\n}\n',
        '```json\n{"a": [1, 2], "b": null}\n```',
        'Here it is:\n\n```\n{"a": [1, 2], "b": null}\n```\nDone.',
        'First try:\n```\n{}\n```\nBetter:\n```json\n{"a": [1, 2], "b": null}\n```',
        '```json\n{"a": [1, 2], "b": null}\n```\n\n```python\nprint(1)\n```',
    ],
)
def test_the_value_is_found_whole_or_in_the_last_fence_that_holds_json(answer: str) -> None:
    assert accepts({"a": [1, 2], "b": None}, answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        'Here it is: {"a": [1, 2], "b": null}',
        '{"a": [2, 1], "b": null}',
        '{"a": [1, 2]}',
        '{"a": [1, 2], "b": null, "c": 3}',
        '{"a": [1, 2], "b": false}',
        '{"a": [true, 2], "b": null}',
        '{"a": ["1", 2], "b": null}',
        "{'a': [1, 2], 'b': null}",
        '{"a": [1, 2], "b": null',
        "NaN",
        "[" * 100_000,
        "9" * 5_000,
        "1e999",
    ],
)
def test_anything_else_is_wrong(answer: str) -> None:
    assert not accepts({"a": [1, 2], "b": None}, answer)


@pytest.mark.parametrize(("equals", "answer"), [(True, "1"), (1, "true"), (0, "false"), ("1", "1"), (None, '""')])
def test_kinds_are_not_mixed_up(equals: Any, answer: str) -> None:
    assert not accepts(equals, answer)


@pytest.mark.parametrize("value", [True, 1, 1.5, "é", None, [], {}])
def test_any_json_value_may_be_asked_for(value: Any) -> None:
    assert accepts(value, json.dumps(value))


def test_order_in_lists_counts_unless_it_is_said_not_to() -> None:
    assert not accepts([1, [2, 3]], "[[3, 2], 1]")
    assert accepts([1, [2, 3]], "[[3, 2], 1]", unordered=True)
    assert not accepts([1, 1, 2], "[1, 2, 2]", unordered=True)
    assert not accepts([1, 1], "[1]", unordered=True)
