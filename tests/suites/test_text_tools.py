from __future__ import annotations

import hashlib

import pytest

from exporter.records import ToolCall, ToolSpec
from exporter.suites import TEXT_TOOLS_VERSION, add_tools, read_text_calls

TOOLS = (
    ToolSpec("find", "Finds «it»", {"type": "object", "properties": {"id": {"type": "integer"}}}),
    ToolSpec("stop", "Stops", {"type": "object"}),
)
CALL = '{"name": "find", "arguments": {"id": 7}}'
FOUND = (ToolCall("find", {"id": 7}),)


def test_the_tools_are_told_below_the_question() -> None:
    assert add_tools("Find it.\n", TOOLS) == (
        "Find it.\n\n"
        "You can use these tools. Each line describes one: its name, what it does, and the JSON Schema of its arguments.\n"
        '{"description":"Finds «it»","name":"find","parameters":{"properties":{"id":{"type":"integer"}},"type":"object"}}\n'
        '{"description":"Stops","name":"stop","parameters":{"type":"object"}}\n'
        "\n"
        "To use a tool, reply with its call alone, as a JSON object in exactly this form:\n"
        '{"name": "<name of the tool>", "arguments": {<its arguments>}}\n'
        "For several calls reply with a JSON array of such objects."
    )


def test_another_wording_is_another_version() -> None:
    """Where this fails: raise TEXT_TOOLS_VERSION, so that no answer to the old words is compared with one to the new."""
    wording = hashlib.sha256(add_tools("", ()).encode()).hexdigest()[:12]
    assert (TEXT_TOOLS_VERSION, wording) == (1, "1133556d83bd")


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"  {CALL}\n",
        f"[{CALL}]",
        f"```json\n{CALL}\n```",
        f"I will look it up.\n\n{CALL}",
        f"I will look it up: {CALL}. Just a moment (see [1]).",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<think>{CALL} or not?</think>\n{CALL}",
        CALL.replace(" ", "\n"),
        '{"arguments": {"id": 7}, "name": "find", "id": "call_1"}',
    ],
)
def test_a_call_is_found_wherever_it_stands(text: str) -> None:
    assert read_text_calls(text) == FOUND


@pytest.mark.parametrize(
    "text",
    [
        "",
        "find(7)",
        "I would call find with 7.",
        '{"name": "find", "parameters": {"id": 7}}',
        '{"tool": "find", "arguments": {"id": 7}}',
        '{"name": 7, "arguments": {}}',
        '{"name": "find", "arguments": {"id": 7}',
        '{"name": "find", "name": "stop", "arguments": {}}',
        add_tools("", TOOLS),
        "[1, null, [{}]]",
        "{" * 100_000,
    ],
)
def test_anything_else_is_no_call(text: str) -> None:
    assert read_text_calls(text) == ()


@pytest.mark.parametrize("arguments", ["null", '"{\\"id\\": 7}"', "[7]", "7"])
def test_a_call_whose_arguments_are_no_object_has_none(arguments: str) -> None:
    assert read_text_calls(f'{{"name": "find", "arguments": {arguments}}}') == (ToolCall("find", None),)


@pytest.mark.parametrize(
    "text", ["[{0}, {1}]", "{0}\n{1}", "First {0}, then {1}.", "```\n{0}\n```\nand\n```\n{1}\n```", "```json\n[{0},{1}]\n```"]
)
def test_every_call_counts_in_its_order(text: str) -> None:
    stop = '{"name": "stop", "arguments": {}}'
    assert read_text_calls(text.replace("{0}", CALL).replace("{1}", stop)) == (*FOUND, ToolCall("stop", {}))
