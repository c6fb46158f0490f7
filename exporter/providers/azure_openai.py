"""Chat completions at Azure OpenAI (Microsoft Foundry), where every resource has a host of its own.

Page read 2026-11: learn.microsoft.com/azure/foundry/openai/api-version-lifecycle (the v1 API needs no api-version; a key goes into
`api-key`, a token of Microsoft Entra ID into `Authorization`). The dated API is asked with a base URL that ends in
`/openai/deployments/<name>?api-version=…`. The words are those of openai_chat; filters and errors are in `failures`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter
from exporter.providers.openai_chat import build_chat_body, build_path, is_last, read_reply
from exporter.providers.presets import LITELLM
from exporter.records import Request

DEFAULT_BASE_URL = "https://<resource>.openai.azure.com/openai/v1"
KEY_ENV = "AZURE_OPENAI_API_KEY"
_TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]*", re.ASCII)


def build_headers(key: str | None) -> Mapping[str, str]:
    """A key, or a token of Entra ID: that is a JSON web token, which no key looks like."""
    if key is None:
        return {}
    return {"Authorization": f"Bearer {key}"} if _TOKEN.fullmatch(key.strip()) else {"api-key": key}


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request; `model` is the name of the deployment."""
    return build_chat_body(request, target.max_tokens_field or "max_completion_tokens")


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
