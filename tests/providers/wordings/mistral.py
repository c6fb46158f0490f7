"""How Mistral says things."""

from __future__ import annotations

from dataclasses import replace

from tests.providers.contract import Json
from tests.providers.wordings.openai_chat import OPENAI_CHAT, completion, event

THINKING: Json = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}


def error(status: int, code: str, message: str) -> Json:
    return {"object": "error", "message": message, "type": code, "param": None, "code": None, "raw_status_code": status}


MISTRAL = replace(
    OPENAI_CHAT,
    api="mistral",
    answer=lambda text: completion({"content": [THINKING, {"type": "text", "text": text}]}),
    refusal=None,
    error=error,
    stream_error=lambda status, code, message: event(error(status, code, message)),
)
