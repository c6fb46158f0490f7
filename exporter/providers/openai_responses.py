"""The Responses API, as OpenAI documents it and as compatible servers speak it.

Pages read 2026-11: openai.github.io/openai-agents-js (response, its items and streaming events),
docs.rs/openai-client-base (generated from OpenAI's API description: incomplete_details), community.openai.com/t/1355725 (a response
as it came). A response would be kept at the provider for weeks unless `store` is false; `extra_body: {store: null}` takes it away.
"""

from __future__ import annotations

import re
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.folded import read_plain_or_streamed
from exporter.providers.openai_chat import DEFAULT_BASE_URL, KEY_ENV, build_headers
from exporter.providers.presets import LITELLM, LLAMA_CPP, VLLM
from exporter.providers.reply import Reply
from exporter.providers.response import fold_response, read_response
from exporter.providers.sse import Event
from exporter.records import Answer, Request

_ENDS = ("response.completed", "response.incomplete", "response.failed", "error")
_ENDS_UNNAMED = re.compile(rb'\{"type": ?"(?:response\.(?:completed|incomplete|failed)|error)"')


def build_path(_: Request) -> str:
    """Where every request goes."""
    return "/responses"


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request. `reasoning_effort` is sent as `reasoning.effort`; `extra_body` is laid over it last."""
    body: dict[str, Any] = {
        "model": request.model,
        "input": [{"role": "user", "content": request.prompt}],
        target.max_tokens_field or "max_output_tokens": request.max_tokens,
        "store": False,
    }
    if request.system:
        body["instructions"] = request.system
    if request.reasoning_effort is not None:
        body["reasoning"] = {"effort": request.reasoning_effort}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "strict": False,
            }
            for tool in request.tools
        ]
    if request.stream:
        body["stream"] = True
    return merge({**body, **request.sampling}, request.extra_body)


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    return read_plain_or_streamed(reply, read_response, fold_response)


def is_last(event: Event) -> bool:
    """The event that ends a stream, by its name or, where a server names none, by its type."""
    return event.name in _ENDS or _ENDS_UNNAMED.match(event.data) is not None


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
    real_servers=(LLAMA_CPP, VLLM, LITELLM),
)
