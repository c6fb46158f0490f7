"""Tools at the mock: offered rightly they are called, offered wrongly they are turned away, in every dialect."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from exporter.config.model import Target
from exporter.demo.app import DIALECTS
from exporter.demo.behaviour import Behaviour
from exporter.demo.exchange import Ask, BadAskError, Dialect
from exporter.demo.mock import running_mock
from exporter.providers.registry import ADAPTERS
from exporter.records import Extract, Question, ToolSpec
from tests.demo.questions import made_question
from tests.providers.contract import request

SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}}
TOOLS = (ToolSpec("find", "Finds it", SCHEMA), ToolSpec("stop", "Stops", {"type": "object"}))
in_every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.api)


def body_of(dialect: Dialect, tools: tuple[ToolSpec, ...] = TOOLS) -> dict[str, Any]:
    """What our own adapter sends, with what the mock's route takes from the path."""
    target = Target.model_validate({"name": "t", "api": dialect.api, "model": "m"})
    return {**ADAPTERS[dialect.api].build_body(request(tools=tools), target), "model": "m", "method": "generateContent"}


def read(dialect: Dialect, body: dict[str, Any]) -> Ask:
    return dialect.read({name: value for name, value in body.items() if dialect.api == "gemini" or name != "method"})


@in_every_dialect
def test_the_tools_that_an_adapter_offers_are_read(dialect: Dialect) -> None:
    assert read(dialect, body_of(dialect)).tools == ("find", "stop")
    assert read(dialect, body_of(dialect, ())).tools == ()


@in_every_dialect
@pytest.mark.parametrize(
    "bad",
    [ToolSpec("find", "no schema", {}), ToolSpec("find", "no object", {"type": "array"}), ToolSpec(7, "no name", SCHEMA)],  # type: ignore[arg-type]  # wrong on purpose
)
def test_a_tool_without_a_name_or_a_schema_is_turned_away(dialect: Dialect, bad: ToolSpec) -> None:
    with pytest.raises(BadAskError, match="tools: each needs a name, and in"):
        read(dialect, body_of(dialect, (bad,)))


@in_every_dialect
def test_tools_that_are_no_list_of_objects_are_turned_away(dialect: Dialect) -> None:
    body = body_of(dialect)
    body["tools"] = [{"functionDeclarations": [7]}] if dialect.api == "gemini" else [7]
    with pytest.raises(BadAskError, match="tools: must be a list of objects"):
        read(dialect, body)


def find_question() -> Question:
    reference = 'I will look.\n{"name": "find", "arguments": {"id": 1}}'
    return replace(made_question(1, Extract.TOOL_CALL), reference=reference, tools=TOOLS)


def choice_of(behaviour: Behaviour, *, tools: tuple[ToolSpec, ...] = TOOLS, max_tokens: int = 1024) -> dict[str, Any]:
    """The first choice of a chat completion to the question of `find_question`."""

    async def run() -> dict[str, Any]:
        async with running_mock((find_question(),), {"m": behaviour}) as mock, httpx.AsyncClient(trust_env=False, timeout=60) as client:
            target = Target.model_validate({"name": "t", "api": "openai_chat", "model": "m"})
            asked = request(model="m", prompt=find_question().prompt, tools=tools, max_tokens=max_tokens)
            body = ADAPTERS["openai_chat"].build_body(asked, target)
            response = await client.post(f"{mock.base_url}/chat/completions", json=body)
            choice: dict[str, Any] = response.json()["choices"][0]
            return choice

    return asyncio.run(run())


def test_a_call_comes_with_the_words_beside_it() -> None:
    choice = choice_of(Behaviour())
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "I will look."
    (call,) = choice["message"]["tool_calls"]
    assert call == {"id": "call_0", "type": "function", "function": {"name": "find", "arguments": '{"id": 1}'}}


def test_without_tools_the_call_is_written_down() -> None:
    choice = choice_of(Behaviour(), tools=())
    assert choice["message"] == {"role": "assistant", "content": find_question().reference, "refusal": None}
    assert choice["finish_reason"] == "stop"


def test_a_call_that_the_limit_cuts_off_is_none() -> None:
    choice = choice_of(Behaviour(), max_tokens=4)
    assert (choice["finish_reason"], choice["message"].get("tool_calls")) == ("length", None)
