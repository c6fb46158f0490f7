"""Chat completions as Mistral speaks them: near to openai_chat, but fields that it does not know are refused.

Looked up 2026-11: docs.rs/mistral-openapi-client and docs.rs/mistral-rouille (generated from Mistral's API description: request,
finish reasons), reference.langchain.com (random_seed), npm @ai-sdk/mistral 4 (reasoning_effort, thinking parts in the content).
Streams carry their usage in the last chunk unasked.
"""

from __future__ import annotations

import re
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.openai_chat import build_chat_body, build_headers, build_path, read_reply
from exporter.providers.openai_chat import is_last as ends_chat
from exporter.providers.sse import Event
from exporter.records import Request

DEFAULT_BASE_URL = "https://api.mistral.ai/v1"
KEY_ENV = "MISTRAL_API_KEY"
_ERROR = re.compile(rb'\{"object": ?"error"')


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request; a stream is not asked for its usage, which comes anyway."""
    body = build_chat_body(request, target.max_tokens_field or "max_tokens")
    if "stream_options" not in request.extra_body:
        body = merge(body, {"stream_options": None})
    return body


def is_last(event: Event) -> bool:
    """The mark that ends a stream, or an error, which has a form of its own here."""
    return ends_chat(event) or _ERROR.match(event.data) is not None


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
)
