"""What the newer dialects say over the wire, where a fault does not say it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.demo.behaviour import Behaviour
from tests.demo.asking import Asker, with_mock

PROMPT = "What is 1 + 1?"
ASKS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai_responses": ("/v1/responses", {"model": "m", "input": PROMPT}),
    "gemini": ("/v1/models/m:generateContent", {"contents": [{"role": "user", "parts": [{"text": PROMPT}]}]}),
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
    ("api", "missing"), [("openai_responses", "input"), ("gemini", "contents"), ("ollama", "messages"), ("cohere", "messages")]
)
def test_a_request_without_a_prompt_is_turned_away(api: str, missing: str) -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS[api]
        response = await asker.client.post(path, json={name: value for name, value in body.items() if name != missing})
        assert response.status_code == 400
        assert missing in response.text

    with_mock(talk)


def test_a_key_of_google_is_let_in_and_no_other() -> None:
    async def talk(asker: Asker) -> None:
        path, body = ASKS["gemini"]
        statuses = [(await asker.client.post(path, json=body, headers={"x-goog-api-key": key})).status_code for key in ("k", "x")]
        assert statuses == [200, 401]

    with_mock(talk, {"m": Behaviour(api_key="k")})


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
