"""How Azure OpenAI says things: as OpenAI does, with the verdicts of its filters beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.providers.contract import KEY, Json, asked_in_messages
from tests.providers.wordings.openai_chat import OPENAI_CHAT, completion, event

FILTERS: Json = {"hate": {"filtered": False, "severity": "safe"}}
FIRST = event({"id": "", "object": "", "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]})


def error(status: int, code: str, message: str) -> Json:
    return {"error": {"message": message, "type": None, "param": None, "code": code or str(status), "status": status}}


AZURE_OPENAI = replace(
    OPENAI_CHAT,
    api="azure_openai",
    key_header=("api-key", KEY),
    answer=lambda text: completion({"content": text, "refusal": None}, prompt_filter_results=[{"content_filter_results": FILTERS}]),
    stream=lambda text: [FIRST, *OPENAI_CHAT.stream(text)],
    error=error,
    asked=partial(asked_in_messages, limit="max_completion_tokens"),
    plain_fields=frozenset({"model", "max_completion_tokens", "messages"}),
)
