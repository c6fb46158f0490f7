"""Every way in which a question with tools can be wrong, with the exact words."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.records import Extract, ToolSpec
from exporter.suites import load_suites
from tests.suites.examples import problems_of, write

SOUND = """\
suite: mine
questions:
  - id: find
    area: tools
    prompt: Find number 7.
    tools:
      - name: find
        description: Finds it
        parameters: {type: object, properties: {id: {type: integer}}, required: [id]}
    extract: tool_call
    grader: {kind: tool_call, name: find, arguments: {id: 7}}
    reference: '{"name": "find", "arguments": {"id": 7}}'
    wrong_reference: '{"name": "find", "arguments": {"id": 8}}'
"""
PARAMETERS = "parameters: {type: object, properties: {id: {type: integer}}, required: [id]}"

PROBLEMS = {
    ("name: find\n        desc", "name: find it\n        desc"): (
        "our.yml:7: questions[0].tools[0].name: is no name that every API takes for a tool; "
        "use letters, digits, _ and -, at most 64 of them"
    ),
    ("        description: Finds it\n", ""): "our.yml:7: questions[0].tools[0].description: missing; add description",
    ("description: Finds it", "descripton: Finds it\n        description: x"): (
        'our.yml:8: questions[0].tools[0].descripton: unknown key; did you mean "description"?'
    ),
    (PARAMETERS, "parameters: [id]"): (
        "our.yml:9: questions[0].tools[0].parameters: must be a mapping of keys to values, not a list; write key: value"
    ),
    ("    tools:\n", "    tools:\n      - find\n"): (
        "our.yml:7: questions[0].tools[0]: must be a mapping of keys to values; its keys are name, description, parameters"
    ),
    (PARAMETERS, "parameters: {type: array}"): (
        "our.yml:9: questions[0].tools[0].parameters: does not describe an object; add type: object"
    ),
    (PARAMETERS, "parameters: {type: objekt}"): (
        "our.yml:9: questions[0].tools[0].parameters: is no JSON Schema: type: 'objekt' is not valid under any of the given schemas; "
        "see json-schema.org"
    ),
    (PARAMETERS, "parameters: {type: object, $ref: 'https://example.com/x'}"): (
        'our.yml:9: questions[0].tools[0].parameters: refers to "https://example.com/x", which would have to be fetched; '
        'put it under $defs and refer to "#/$defs/…"'
    ),
    ("    extract: tool_call\n", ""): "our.yml:3: questions[0].extract: does not fit the grader tool_call; set extract: tool_call",
    ("name: find, arguments", "name: fnd, arguments"): (
        'our.yml:11: questions[0].grader.name: "fnd" is none of the tools; did you mean "find"?'
    ),
    ("arguments: {id: 7}}", 'arguments: {id: "7"}}'): (
        "our.yml:11: questions[0].grader.arguments: do not fit the parameters of find; correct one of the two"
    ),
    ("arguments: {id: 7}}", "arguments: {id: 7}, position: 0}"): (
        "our.yml:11: questions[0].grader.position: must be greater than or equal to 1"
    ),
    ("{kind: tool_call, name: find, arguments: {id: 7}}", "{kind: json_schema, schema: {type: strnig}}"): (
        "our.yml:11: questions[0].grader.schema: is no JSON Schema: type: 'strnig' is not valid under any of the given schemas; "
        "see json-schema.org"
    ),
    ("{kind: tool_call, name: find, arguments: {id: 7}}", "{kind: json_schema, shema: {}, schema: {}}"): (
        'our.yml:11: questions[0].grader.shema: unknown key; did you mean "schema"?'
    ),
    ("{kind: tool_call, name: find, arguments: {id: 7}}", "{kind: refusal, expected: refused}"): (
        'our.yml:11: questions[0].grader.expected: "refused" is unknown; did you mean "refuse"?'
    ),
    ('reference: \'{"name": "find", "arguments": {"id": 7}}\'', "reference: I call find."): (
        'our.yml:12: questions[0].reference: holds no call; write one as {"name": "…", "arguments": {…}}, several in a list'
    ),
    ('reference: \'{"name": "find", "arguments": {"id": 7}}\'', 'reference: \'{"name": "find", "arguments": {"id": 9}}\''): (
        "our.yml:12: questions[0].reference: fails its own grader; correct the reference or the grader"
    ),
    ('{"id": 8}', '{"id": 7.0}'): (
        "our.yml:13: questions[0].wrong_reference: passes the grader; make the grader stricter, or the wrong reference wrong"
    ),
}


@pytest.mark.parametrize(("change", "problem"), PROBLEMS.items(), ids=lambda value: repr(value)[-60:])
def test_a_question_with_tools_that_is_wrong_is_told_so(tmp_path: Path, change: tuple[str, str], problem: str) -> None:
    before, after = change
    assert before in SOUND
    write(tmp_path, "our.yml", SOUND.replace(before, after, 1))
    assert problems_of(tmp_path, "our.yml") == [problem]


def test_two_tools_of_one_name_are_told(tmp_path: Path) -> None:
    tool = SOUND[SOUND.index("      - name") : SOUND.index("    extract")]
    write(tmp_path, "our.yml", SOUND.replace(tool, tool * 2))
    assert problems_of(tmp_path, "our.yml") == ['our.yml:6: questions[0].tools: has two tools called "find"; give each its own name']


@pytest.mark.parametrize("grader", ["{kind: tool_call, name: find}", "{kind: json, equals: []}"])
def test_a_question_about_calls_needs_tools(tmp_path: Path, grader: str) -> None:
    head, rest = SOUND.split("    tools:\n")
    write(
        tmp_path, "our.yml", head + rest[rest.index("    extract") :].replace("{kind: tool_call, name: find, arguments: {id: 7}}", grader)
    )
    (problem,) = problems_of(tmp_path, "our.yml")
    assert problem.startswith("our.yml:3: questions[0].tools: missing; name the tools that may be called")


def test_a_sound_question_has_its_tools_and_another_key_than_one_with_others(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", SOUND)
    write(tmp_path, "other.yml", SOUND.replace("Finds it", "Finds them"))
    (question,), (other,) = load_suites(["our.yml"], tmp_path), load_suites(["other.yml"], tmp_path)
    parameters = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    assert question.tools == (ToolSpec("find", "Finds it", parameters),)
    assert question.extract is Extract.TOOL_CALL
    assert question.key != other.key
