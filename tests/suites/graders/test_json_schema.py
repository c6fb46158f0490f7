from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from exporter.suites.graders import read_grader
from exporter.suites.graders.json_schema import JsonSchema

ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["name", "count"],
    "additionalProperties": False,
    "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}, "count": {"type": "integer", "minimum": 1}},
}
ITEMS = {"type": "array", "items": ITEM, "minItems": 1, "uniqueItems": True}
SOUND = '{"name": "lamp", "count": 3}'


def accepts(answer: str, schema: dict[str, Any] = ITEM, find: str = "anywhere") -> bool:
    return JsonSchema.model_validate({"kind": "json_schema", "schema": schema, "find": find}).accepts(answer)


@pytest.mark.parametrize("answer", [SOUND, f" {SOUND}\n", '{"count": 3.0, "name": "lamp"}', '{\n  "name": "lamp",\n  "count": 3\n}'])
@pytest.mark.parametrize("find", ["whole", "anywhere"])
def test_an_answer_that_is_json_and_fits_is_right(answer: str, find: str) -> None:
    assert accepts(answer, find=find)


@pytest.mark.parametrize(
    "answer",
    [
        f"Here you are: {SOUND}",
        f"{SOUND} is the order.",
        f"```json\n{SOUND}\n```",
        f"The order:\n\n```\n{SOUND}\n```\nAnything else?",
        f"First {{this}} and [that], then {SOUND}. [1]",
        f'First try: {{"name": "lamp"}}. Better: {SOUND}',
        f"```json\n{{}}\n```\nNo:\n```json\n{SOUND}\n```",
        f"```python\nprint(1)\n```\n```json\n{SOUND}\n```\n(the [1] is a footnote)",
    ],
)
def test_json_is_found_in_prose_and_fences_only_where_the_question_allows_it(answer: str) -> None:
    assert accepts(answer)
    assert not accepts(answer, find="whole")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "null",
        "lamp, 3",
        '{"name": "lamp"}',
        '{"name": "lamp", "count": "3"}',
        '{"name": "lamp", "count": 0}',
        '{"name": "lamp", "count": 2.5}',
        '{"name": "lamp", "count": true}',
        '{"name": "Lamp", "count": 3}',
        '{"name": "lamp", "count": 3, "colour": "red"}',
        '{"name": "lamp", "count": 3, "count": 3}',
        '{"name": "lamp", "count": NaN}',
        '{"name": "lamp", "count": 1e999}',
        '{"name": "lamp", "count": Infinity}',
        "{'name': 'lamp', 'count': 3}",
        '{"name": "lamp", "count": 3',
        '{"name": "lamp", "count": 3,}',
        f"[{SOUND}]",
        f"{SOUND}\n\nNo, wait: " + '{"name": "lamp", "count": 0}',
        '{"name": "lamp", "count": ' + "9" * 5000 + "}",
        '{"name": "\\ud800", "count": 3}',
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
@pytest.mark.parametrize("find", ["whole", "anywhere"])
def test_anything_else_is_wrong(answer: str, find: str) -> None:
    assert not accepts(answer, find=find)


def test_an_array_is_found_whole_and_not_by_its_objects() -> None:
    assert accepts(f"The list: [{SOUND}] (see {{note}})", ITEMS)
    assert not accepts(f"The list: {SOUND}", ITEMS)
    assert not accepts("The list: []", ITEMS)


def test_where_the_schema_names_no_type_the_last_value_counts() -> None:
    schema = {"anyOf": [ITEM, ITEMS]}
    assert accepts(f"One: {SOUND}", schema)
    assert accepts(f"Many: [{SOUND}]", schema)
    assert not accepts(f"One: {SOUND}, as said in [2]", schema)


def test_items_that_are_there_twice_are_told_apart_as_json_values() -> None:
    assert not accepts('[{"name": "lamp", "count": 3}, {"count": 3.0, "name": "lamp"}]', ITEMS)
    assert accepts("[1, true]", {"type": "array", "uniqueItems": True})
    assert accepts("[1, 1.0]", {"type": "array"})


@pytest.mark.parametrize(
    ("asked", "value", "fits"),
    [
        ("date", "2031-02-28", True),
        ("date", "2031-02-30", False),
        ("date", "28.2.2031", False),
        ("email", "jo@example.com", True),
        ("email", "jo", False),
        ("ipv4", "192.0.2.300", False),
        ("ipv6", "2001:db8::1", True),
        ("uuid", "12345678-1234-5678-1234-567812345678", True),
        ("uuid", "12345678", False),
    ],
)
def test_a_format_is_held_to(asked: str, value: str, *, fits: bool) -> None:
    assert accepts(json.dumps(value), {"type": "string", "format": asked}) is fits


def test_schemas_may_refer_to_their_own_parts_and_to_themselves() -> None:
    tree = {"$defs": {"node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}}, "additionalProperties": False}}}
    schema = {**tree, "$ref": "#/$defs/node"}
    assert accepts('{"child": {"child": {}}}', schema)
    assert not accepts('{"child": {"other": {}}}', schema)
    deep = '{"child":' * 99 + "{}" + "}" * 99
    assert accepts(deep, schema)
    assert not accepts('{"child":' + deep + "}", schema)


def test_a_schema_that_goes_in_circles_accepts_nothing_and_ends() -> None:
    assert not accepts("{}", {"$ref": "#"})


@pytest.mark.parametrize(
    "answer",
    ["[" * (1 << 20), '{"a' * 300_000, "{" + " " * (1 << 20), "[1,2] " * 100_000, '["' + "a" * (1 << 20), "[" + '"a",1,' * 200_000 + "1]"],
    ids=range(6),
)
def test_a_mebibyte_of_malice_is_wrong(answer: str) -> None:
    assert not accepts(answer, {"type": "array", "minItems": 3, "uniqueItems": True})


PROBLEMS: dict[str, tuple[dict[str, Any], str]] = {
    "a type that is none": ({"type": "strnig"}, "is no JSON Schema: type: 'strnig' is not valid under any of the given schemas"),
    "a place inside": (
        {"properties": {"age": {"minimum": "1"}}},
        "is no JSON Schema: properties.age.minimum: '1' is not of type 'number'; see json-schema.org",
    ),
    "another draft": (
        {"$schema": "http://json-schema.org/draft-07/schema#"},
        "is of another draft; write it in draft 2020-12 and leave out $schema, or set it to https://json-schema.org/draft/2020-12/schema",
    ),
    "a reference to elsewhere": (
        {"items": {"$ref": "https://example.com/item.json"}},
        'refers to "https://example.com/item.json", which would have to be fetched; put it under $defs and refer to "#/$defs/…"',
    ),
    "a reference to nothing": ({"$ref": "#/$defs/item"}, 'refers to "#/$defs/item", which is not in it; put it there'),
    "a pattern with look-ahead": ({"pattern": "(?=a)"}, "has a pattern that does not compile: invalid perl operator: (?="),
    "a format that nobody checks": (
        {"items": [{"format": "date-time"}][0]},
        'asks for the format "date-time", which is not checked here; did you mean "date"?',
    ),
    "patternProperties": (
        {"patternProperties": {"^a": {}}},
        "uses patternProperties, which is not held to here; use propertyNames with a pattern",
    ),
}


@pytest.mark.parametrize(("schema", "problem"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_schema_that_cannot_be_held_to_is_refused(schema: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as raised:
        JsonSchema.model_validate({"kind": "json_schema", "schema": schema})
    assert problem in str(raised.value)


def test_values_that_only_look_like_references_are_values() -> None:
    schema = {"const": {"$ref": "https://example.com", "format": "date-time", "pattern": "("}}
    assert accepts(json.dumps(schema["const"]), schema)
    assert accepts('{"$ref": 1}', {"properties": {"$ref": {"type": "integer"}, "pattern": {}}, "type": "object"})


def test_the_settings_survive_being_written_down() -> None:
    grader = JsonSchema.model_validate({"kind": "json_schema", "schema": ITEM})
    settings = grader.model_dump(mode="json", exclude_defaults=True)
    assert settings == {"kind": "json_schema", "schema": ITEM}
    assert read_grader(settings) == grader
