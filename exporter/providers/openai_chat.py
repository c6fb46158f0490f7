"""Chat completions, as OpenAI defined them and as any compatible server speaks them.

Pages read 2026-11: developers.openai.com/api/reference/resources/chat/subresources/completions (create, and the streaming
events), openrouter.ai/docs/api/reference/overview for `provider` and errors inside a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.chat_completion import read_completion
from exporter.providers.chat_stream import fold_chunks
from exporter.providers.folded import read_plain_or_streamed
from exporter.providers.presets import LITELLM, LLAMA_CPP, VLLM, find_preset
from exporter.providers.reply import Reply
from exporter.providers.sse import Event
from exporter.records import Answer, Request, ToolSpec

DEFAULT_BASE_URL = "https://api.openai.com/v1"
KEY_ENV = "OPENAI_API_KEY"


def build_path(_: Request) -> str:
    """Where every request goes."""
    return "/chat/completions"


def build_headers(key: str | None) -> Mapping[str, str]:
    """The key as a bearer token; nothing where there is no key, as local servers ask for none."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request."""
    return build_chat_body(request, max_tokens_field(target))


def build_chat_body(request: Request, limit_field: str) -> dict[str, Any]:
    """The body of one request, its token limit under the name that is wanted. `extra_body` is laid over it last."""
    messages = [{"role": "system", "content": request.system}] if request.system else []
    messages.append({"role": "user", "content": request.prompt})
    body: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        limit_field: request.max_tokens,
    }
    if request.reasoning_effort is not None:
        body["reasoning_effort"] = request.reasoning_effort
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return merge({**body, **request.sampling}, request.extra_body)


def max_tokens_field(target: Target) -> str:
    """The target's own setting, else what its host is known to want, else `max_tokens`."""
    preset = find_preset(target.base_url or DEFAULT_BASE_URL)
    return target.max_tokens_field or (preset.max_tokens_field if preset else "max_tokens")


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    return read_plain_or_streamed(reply, read_completion, fold_chunks)


def is_last(event: Event) -> bool:
    """The mark that ends a stream of chunks, or an error: some servers leave the connection open after one."""
    return event.data.strip() == b"[DONE]" or event.name == "error" or event.data.startswith(b'{"error"')


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}}


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
