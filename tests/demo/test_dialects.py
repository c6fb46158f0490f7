"""What the newer dialects say over the wire, where a fault does not say it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.records import Extract
from tests.demo.asking import Asker, events_of, with_mock
from tests.demo.questions import SUITE

PROMPT = "What is 1 + 1?"
ASKS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai_responses": ("/v1/responses", {"model": "m", "input": PROMPT}),
    "azure_openai": ("/openai/v1/chat/completions", {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}),
    "gemini": ("/v1/models/m:generateContent", {"contents": [{"role": "user", "parts": [{"text": PROMPT}]}]}),
    "mistral": ("/mistral/v1/chat/completions", {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}),
    "ollama": ("/v1/api/chat", {"model": "m", "messages": [{"role": "user", "content": PROMPT}], "stream": False}),
    "cohere": ("/v1/chat", {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}),
}


@pytest.mark.parametrize("api", ASKS)
def test_a_question_is_known_in_every_dialect(api: str) -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS[api]
        response = await asker.client.post(path, json=body)
        assert "ANSWER: 2" in response.text
        (entry,) = await asker.log()
        assert (entry["api"], entry["model"], entry["status"], entry["right"]) == (api, "m", 200, True)

    with_mock(talk)


@pytest.mark.parametrize(
    ("api", "missing"),
    [
        ("openai_responses", "input"),
        ("azure_openai", "messages"),
        ("gemini", "contents"),
        ("mistral", "messages"),
        ("ollama", "messages"),
        ("cohere", "messages"),
    ],
)
def test_a_request_without_a_prompt_is_turned_away(api: str, missing: str) -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS[api]
        response = await asker.client.post(path, json={name: value for name, value in body.items() if name != missing})
        assert response.status_code == 400
        assert missing in response.text

    with_mock(talk)


HEADERS: list[tuple[str, dict[str, str]]] = [
    ("openai_responses", {"Authorization": "Bearer {}"}),
    ("azure_openai", {"api-key": "{}"}),
    ("azure_openai", {"Authorization": "Bearer {}"}),
    ("gemini", {"x-goog-api-key": "{}"}),
    ("mistral", {"Authorization": "Bearer {}"}),
    ("cohere", {"Authorization": "Bearer {}"}),
]


@pytest.mark.parametrize(("api", "header"), HEADERS, ids=str)
def test_the_key_is_let_in_in_the_header_of_its_api_and_in_no_other(api: str, header: dict[str, str]) -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS[api]
        headers = [{name: value.format(key) for name, value in header.items()} for key in ("k", "x")]
        statuses = [(await asker.client.post(path, json=body, headers=sent)).status_code for sent in (*headers, {"x-api-key": "k"})]
        assert statuses == [200, 401, 401]

    with_mock(talk, {"m": Behaviour(api_key="k")})


def test_the_dated_api_of_azure_is_below_each_deployment_and_wants_its_version() -> None:
    async def talk(asker: Asker) -> None:
        path, body = "/openai/deployments/m/chat/completions", {**ASKS["azure_openai"][1], "model": "never looked at"}
        dated = await asker.client.post(path, params={"api-version": "2024-10-21"}, json=body)
        assert dated.status_code == 200
        assert dated.json()["prompt_filter_results"][0]["content_filter_results"]["hate"]["filtered"] is False
        undated = await asker.client.post(path, json=body)
        assert (undated.status_code, undated.json()["error"]["message"]) == (404, "Missing required query parameter: api-version")

    with_mock(talk)


def test_a_stream_of_azure_begins_with_the_verdict_on_the_prompt() -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS["azure_openai"]
        (_, first), *_ = events_of((await asker.client.post(path, json={**body, "stream": True})).text)
        assert (first["choices"], first["prompt_filter_results"][0]["prompt_index"]) == ([], 0)

    with_mock(talk)


def test_mistral_refuses_a_field_that_it_does_not_know() -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS["mistral"]
        response = await asker.client.post(path, json={**body, "max_completion_tokens": 5})
        assert response.status_code == 422
        assert response.json()["message"]["detail"][0]["loc"] == ["body", "max_completion_tokens"]

    with_mock(talk)


@pytest.mark.parametrize("stream", [False, True])
def test_mistral_puts_its_thinking_into_the_content(stream: bool) -> None:
    """Only an answer that shows no working has some that it does not show."""
    silent = replace(SUITE[0], extract=Extract.FULL)

    async def talk(asker: Asker) -> None:
        path, body = ASKS["mistral"]
        response = await asker.client.post(path, json={**body, "stream": stream})
        if not stream:
            thinking, text = response.json()["choices"][0]["message"]["content"]
            assert (thinking["type"], text) == ("thinking", {"type": "text", "text": "ANSWER: 2"})
            return
        *chunks, (_, last), (_, done) = events_of(response.text)
        contents = [chunk["choices"][0]["delta"]["content"] for _, chunk in chunks]
        assert (contents[1][0]["type"], "".join(contents[2:])) == ("thinking", "ANSWER: 2")
        assert (last["choices"][0]["finish_reason"], last["usage"]["prompt_tokens"], done) == ("stop", 14, "[DONE]")

    with_mock(talk, suite=(silent,))


def test_ollama_streams_lines_unless_it_is_told_not_to() -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS["ollama"]
        response = await asker.client.post(path, json={name: value for name, value in body.items() if name != "stream"})
        lines = [json.loads(line) for line in response.text.splitlines()]
        assert response.headers["content-type"] == "application/x-ndjson"
        assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]

    with_mock(talk)


def test_another_model_behind_a_tag_has_another_digest() -> None:
    async def talk(asker: Asker) -> None:
        first, second, third = (await asker.client.get("/v1/api/tags")).json()["models"]
        assert [tag["name"] for tag in (first, second, third)] == ["m:latest", "n:8b", "o:latest"]
        assert first["digest"] == third["digest"] != second["digest"]

    with_mock(talk, {"m": Behaviour(), "n:8b": Behaviour(), "o": Behaviour(served_model="m")})
