"""Does a response say that it was stored before? A replay measures the cache, not the model.

Pages read 2026-11: developers.cloudflare.com/ai-gateway/features/caching, docs.helicone.ai/features/advanced-usage/caching,
docs.litellm.ai/docs/proxy/caching, portkey.ai/docs (response schema), openrouter.ai/docs/guides/features/response-caching,
RFC 9111 section 5.1 (Age). A provider's prompt cache is another thing: the answer is generated anew, and only
`cached_tokens` tells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_STATUS_HEADERS = (
    "x-cache",
    "x-cache-status",
    "cf-cache-status",
    "cf-aig-cache-status",
    "helicone-cache",
    "x-portkey-cache-status",
    "x-openrouter-cache-status",
)
_YES_HEADERS = ("x-litellm-cache-hit",)
_HIT = re.compile(r"(?:^|[^a-z])hit(?:$|[^a-z])", re.IGNORECASE)


def is_replayed(headers: Mapping[str, str]) -> bool:
    """Whether any header says so. Names are lower-case."""
    if any(name in headers and _HIT.search(headers[name]) for name in _STATUS_HEADERS):
        return True
    if any(headers.get(name, "").strip().lower() in {"true", "1", "yes"} for name in _YES_HEADERS):
        return True
    age = headers.get("age", "").strip()
    return age.isascii() and age.isdigit() and int(age[:18]) > 0
