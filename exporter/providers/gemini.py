"""generateContent, as Google documents it for the Gemini API; Vertex AI speaks the same below its own URL.

Pages read 2026-11: ai.google.dev/gemini-api/docs/troubleshooting (errors), googleapis.github.io/js-genai (UsageMetadata),
docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/GenerateContentResponse (candidates, promptFeedback,
modelVersion). The key goes into a header: in the URL, where it may stand too, it would end up in logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from exporter.config.model import Target
from exporter.providers.base import Adapter, merge
from exporter.providers.folded import read_plain_or_streamed
from exporter.providers.generation import fold_generation, read_generation
from exporter.providers.presets import LITELLM
from exporter.providers.reply import Reply
from exporter.providers.sse import Event
from exporter.records import Answer, Request

DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com/v1beta"
KEY_ENV = "GEMINI_API_KEY"


def build_path(request: Request) -> str:
    """The model is part of the path: `gemini-…` below models/, anything with a slash as it stands."""
    model = quote(request.model, safe="/@:-._~")
    method = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
    return f"/{model}:{method}" if "/" in model else f"/models/{model}:{method}"


def build_headers(key: str | None) -> Mapping[str, str]:
    """The key, where there is one."""
    return {"x-goog-api-key": key} if key else {}


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request. Sampling goes into `generationConfig`, the effort into its `thinkingConfig.thinkingLevel`."""
    generation: dict[str, Any] = {target.max_tokens_field or "maxOutputTokens": request.max_tokens}
    if request.reasoning_effort is not None:
        generation["thinkingConfig"] = {"thinkingLevel": request.reasoning_effort}
    body: dict[str, Any] = {
        "contents": [{"role": "user", "parts": [{"text": request.prompt}]}],
        "generationConfig": merge(generation, request.sampling),
    }
    if request.system:
        body["systemInstruction"] = {"parts": [{"text": request.system}]}
    if request.tools:
        declarations = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.parameters)} for tool in request.tools
        ]
        body["tools"] = [{"functionDeclarations": declarations}]
    return merge(body, request.extra_body)


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    return read_plain_or_streamed(reply, read_generation, fold_generation)


def is_last(event: Event) -> bool:
    """An error; nothing else marks the end of a stream but its end."""
    return event.name == "error" or event.data.startswith((b'{"error"', b'[{"error"'))


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
    real_servers=(LITELLM,),
)
