"""Reading the fields that both chat APIs have in common, as strictly as their servers do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exporter.demo.exchange import BadAskError


def read_model(body: Mapping[str, Any]) -> str:
    """Return `model`; raises BadAskError."""
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise BadAskError("model", "you must provide a model parameter")
    return model


def read_messages(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return `messages`, at least one; raises BadAskError."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(message, dict) for message in messages):
        raise BadAskError("messages", "messages: at least one message is required")
    return messages


def read_limit(body: Mapping[str, Any], name: str) -> int | None:
    """Return a token limit, or None where it is not set; raises BadAskError."""
    limit = body.get(name)
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise BadAskError(name, f"{name}: must be an integer above 0")
    return limit


def read_flag(body: Mapping[str, Any], name: str) -> bool:
    """Return a switch, False where it is not set; raises BadAskError."""
    flag = body.get(name)
    if flag is None:
        return False
    if not isinstance(flag, bool):
        raise BadAskError(name, f"{name}: must be true or false")
    return flag


def text_of(message: Mapping[str, Any]) -> str:
    """Return a message's text, its text parts joined where it is a list of parts; raises BadAskError."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadAskError("messages", "messages: content must be a string or a list of parts")
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def system_text(messages: Sequence[Mapping[str, Any]], *roles: str) -> str:
    """Return the texts of the messages in these roles (none named: system), a line each; raises BadAskError."""
    return "\n".join(text_of(message) for message in messages if message.get("role") in (roles or ("system",)))


def last_user_text(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the last user message; raises BadAskError where there is none."""
    for message in reversed(messages):
        if message.get("role") == "user":
            return text_of(message)
    raise BadAskError("messages", "messages: no message with role user")
