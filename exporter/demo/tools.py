"""Tools as the APIs have them in common: what is offered, and what a call is made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from exporter.demo.exchange import BadAskError
from exporter.records import ToolCall


def read_tools(listed: object, parameters: str) -> tuple[str, ...]:
    """Return the names of the tools that are offered; raises BadAskError where one lacks its name, or its schema, in `parameters`."""
    if listed is None:
        return ()
    if not isinstance(listed, list) or not all(isinstance(tool, dict) for tool in listed):
        raise BadAskError("tools", "tools: must be a list of objects")
    for tool in listed:
        schema = tool.get(parameters)
        if not isinstance(tool.get("name"), str) or not isinstance(schema, dict) or schema.get("type") != "object":
            raise BadAskError("tools", f"tools: each needs a name, and in {parameters} a schema of type object")
    return tuple(tool["name"] for tool in listed)


def read_functions(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names where each tool is a `function` of its own, as chat completions and their kin have it; raises BadAskError."""
    listed = body.get("tools")
    if isinstance(listed, list):
        listed = [tool.get("function") if isinstance(tool, dict) and tool.get("type") == "function" else None for tool in listed]
    return read_tools(listed, "parameters")


def write_arguments(call: ToolCall) -> str:
    """Return the arguments of a call as text; the beginning of an object where there are none that could be read."""
    return "{" if call.arguments is None else json.dumps(call.arguments, ensure_ascii=False)


def as_functions(calls: Iterable[ToolCall]) -> list[dict[str, Any]]:
    """Return calls as chat completions write them."""
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": call.name, "arguments": write_arguments(call)}}
        for number, call in enumerate(calls)
    ]
