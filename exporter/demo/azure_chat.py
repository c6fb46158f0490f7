"""Chat completions as Azure OpenAI speaks them: below the v1 API, and dated below each deployment.

Page read 2026-11: learn.microsoft.com/azure/foundry/openai/api-version-lifecycle and /how-to/content-filter (the filters' verdicts on
prompt and answer; a stream begins with a chunk that holds nothing else).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.chat import ChatCompletions, chat_event
from exporter.demo.exchange import Ask, BadAskError, Finish, Reply

_SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
_FILTERED = {**_SAFE, "violence": {"filtered": True, "severity": "high"}}
_PROMPT_VERDICT = [{"prompt_index": 0, "content_filter_results": _SAFE}]


class AzureChat(ChatCompletions):
    """Dialect of azure_openai. A key comes in a header of its own, a token of Entra ID as a bearer."""

    api = "azure_openai"
    root = "/openai/v1"
    paths: tuple[str, ...] = ("/openai/v1/chat/completions", "/openai/deployments/{deployment}/chat/completions")
    key_headers: tuple[str, ...] = ("api-key", "authorization")

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError. The name of a deployment in the path is the model."""
        if "deployment" not in body:
            return super().read(body)
        if not body.get("api-version"):
            raise BadAskError("api-version", "Missing required query parameter: api-version", 404)
        return super().read({**body, "model": body["deployment"]})

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a chat.completion with the filters' verdicts."""
        body = super().whole(reply)
        body["choices"][0]["content_filter_results"] = _FILTERED if reply.finish is Finish.CONTENT_FILTER else _SAFE
        return {**body, "prompt_filter_results": _PROMPT_VERDICT}

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield the verdict on the prompt, then the chunks."""
        nobody = {"id": "", "object": "", "created": 0, "model": "", "choices": []}
        yield chat_event({**nobody, "prompt_filter_results": _PROMPT_VERDICT})
        yield from super().events(reply, usage=usage)

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body: it always has a code, and no type."""
        return {"error": {"message": message, "type": None, "param": param, "code": code or kind}}
