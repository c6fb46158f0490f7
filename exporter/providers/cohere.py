"""Cohere's own chat, version 2.

Pages read 2026-11: docs.cohere.com/v2/docs/streaming (events), docs.rs/rig-core/0.43.0 (response, usage, finish reasons),
docs.oracle.com/…/CohereChatResponseV2 (finish reasons). A response does not name the model that served: no identity is known here.
"""

from __future__ import annotations

import re
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.cohere_chat import fold_events, read_chat
from exporter.providers.failures import unusable
from exporter.providers.folded import read_plain_or_streamed
from exporter.providers.openai_chat import build_chat_body, build_headers
from exporter.providers.reply import Reply
from exporter.providers.sse import Event
from exporter.records import Answer, Evidence, Reason, Request

DEFAULT_BASE_URL = "https://api.cohere.com/v2"
KEY_ENV = "COHERE_API_KEY"
DENIED_TOKEN = 498
"""Status of a request or answer that holds a token on a list of denied ones; elsewhere the number means another thing."""
_LAST = re.compile(rb'\{[^{]*"type": ?"message-end"')


def build_path(_: Request) -> str:
    """Where every request goes."""
    return "/chat"


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request. `reasoning_effort` is sent as `thinking.type`: enabled or disabled."""
    chat = build_chat_body(request, target.max_tokens_field or "max_tokens")
    body = {name: value for name, value in chat.items() if name not in ("reasoning_effort", "stream_options")}
    if request.reasoning_effort is not None:
        body["thinking"] = {"type": request.reasoning_effort}
    return merge({**body, **request.sampling}, request.extra_body)


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    if reply.status == DENIED_TOKEN:
        return unusable(reply, Reason.CONTENT_FILTER, "HTTP 498: stopped by the provider's list of denied words")
    return read_plain_or_streamed(reply, read_chat, fold_events)


def is_last(event: Event) -> bool:
    """The event that ends a stream, or an error."""
    return event.name in ("message-end", "error") or _LAST.match(event.data) is not None


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
    evidence=Evidence.NONE,
)
