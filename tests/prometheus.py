"""What a running Prometheus says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


def ask_prometheus(url: str, what: str, parameters: Mapping[str, str]) -> Any:
    """The result of a call to its API, such as `query`, `query_range` or `series`."""
    answer = httpx.get(f"{url}/api/v1/{what}", params=parameters, trust_env=False, timeout=60).json()
    assert (answer["status"], answer.get("warnings", [])) == ("success", []), (parameters, answer)
    data = answer["data"]
    return data["result"] if isinstance(data, dict) else data
