"""The Messages API, as Anthropic documents it.

Pages read 2026-11: platform.claude.com/docs/en/api/messages/create, /api/versioning, /api/migration-2026-10-21,
/build-with-claude/streaming, /build-with-claude/effort. Version 2026-10-21 knows no temperature, top_p or top_k: a target that
must send them sets `headers: {anthropic-version: "2023-06-01"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.folded import read_plain_or_streamed
from exporter.providers.message import read_identity, read_message
from exporter.providers.message_stream import fold_message
from exporter.providers.presets import LITELLM, LLAMA_CPP, VLLM
from exporter.providers.reply import Reply
from exporter.providers.sse import Event
from exporter.records import Answer, Request

DEFAULT_BASE_URL = "https://api.anthropic.com/v1"
KEY_ENV = "ANTHROPIC_API_KEY"
VERSION = "2026-10-21"


def build_path(_: Request) -> str:
    """Where every request goes."""
    return "/messages"


def build_headers(key: str | None) -> Mapping[str, str]:
    """The API version, and the key where there is one."""
    return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request. `reasoning_effort` is sent as `output_config.effort`; `extra_body` is laid over it last."""
    body: dict[str, Any] = {
        "model": request.model,
        target.max_tokens_field or "max_tokens": request.max_tokens,
        "messages": [{"role": "user", "content": request.prompt}],
    }
    if request.system:
        body["system"] = request.system
    if request.reasoning_effort is not None:
        body["output_config"] = {"effort": request.reasoning_effort}
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)} for tool in request.tools
        ]
    if request.stream:
        body["stream"] = True
    return merge({**body, **request.sampling}, request.extra_body)


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    return read_plain_or_streamed(reply, read_message, fold_message, read_identity)


def is_last(event: Event) -> bool:
    """The event that ends a stream. Every event of this API is named."""
    return event.name in ("message_stop", "error")


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
    bearer_elsewhere=True,
    real_servers=(LLAMA_CPP, VLLM, LITELLM),
)
