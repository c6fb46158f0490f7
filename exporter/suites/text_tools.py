"""Tools for servers that know of none: told in the prompt, called by JSON in the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from exporter.records import ToolCall, ToolSpec
from exporter.suites.json_text import find_json, parse_json
from exporter.suites.text import canonical_json, clean, drop_thoughts

TEXT_TOOLS_VERSION = 1
"""Part of the keys of questions whose tools are told of so: raise it whenever the wording below changes."""

_WORDING = """\
You can use these tools. Each line describes one: its name, what it does, and the JSON Schema of its arguments.
{tools}

To use a tool, reply with its call alone, as a JSON object in exactly this form:
{{"name": "<name of the tool>", "arguments": {{<its arguments>}}}}
For several calls reply with a JSON array of such objects."""


def add_tools(prompt: str, tools: Sequence[ToolSpec]) -> str:
    """The prompt as it is sent to a server without tools: the question, an empty line, what there is to call and how."""
    told = "\n".join(canonical_json(asdict(tool)) for tool in tools)
    return f"{prompt.rstrip()}\n\n{_WORDING.format(tools=told)}"


def read_text_calls(text: str) -> tuple[ToolCall, ...]:
    """The calls in an answer, in order, wherever they stand: objects with the keys `name` and `arguments`, alone or in a list."""
    text = drop_thoughts(clean(text)).strip()
    try:
        values = [parse_json(text)]
    except ValueError:
        values = find_json(text)
    return tuple(call for value in values for call in _read_calls(value))


def _read_calls(value: Any) -> list[ToolCall]:
    listed = value if isinstance(value, list) else [value]
    objects = [item for item in listed if isinstance(item, dict) and isinstance(item.get("name"), str) and "arguments" in item]
    return [ToolCall(item["name"], item["arguments"] if isinstance(item["arguments"], dict) else None) for item in objects]
