"""What does not fit together in a question with tools, or one that asks for code: each of its keys may be sound by itself."""

from __future__ import annotations

from exporter.records import Extract, Question
from exporter.suites.schemas import is_valid
from exporter.suites.wording import did_you_mean

Fault = tuple[tuple[str, ...], str, str]


def find_tool_faults(question: Question) -> list[Fault]:
    """The key at fault, what is wrong and how to mend it."""
    if question.grader["kind"] == "python" and question.extract is not Extract.CODE:
        return [(("extract",), "does not fit the grader python", "set extract: code")]
    called = question.extract is Extract.TOOL_CALL
    if question.grader["kind"] != "tool_call":
        return [(("tools",), "missing", "name the tools that may be called, or set extract: full")] if called and not question.tools else []
    if not called:
        return [(("extract",), "does not fit the grader tool_call", "set extract: tool_call")]
    if not question.tools:
        return [(("tools",), "missing", "name the tools that may be called")]
    tools = {tool.name: tool for tool in question.tools}
    name = question.grader["name"]
    if name not in tools:
        return [(("grader", "name"), f'"{name}" is none of the tools', did_you_mean(name, tools) or f"use one of {', '.join(tools)}")]
    if not is_valid(tools[name].parameters, question.grader.get("arguments", {})):
        return [(("grader", "arguments"), f"do not fit the parameters of {name}", "correct one of the two")]
    return []
