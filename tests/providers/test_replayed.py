from __future__ import annotations

import pytest

from exporter.providers.replayed import is_replayed


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, False),
        ({"x-cache": "HIT"}, True),
        ({"x-cache": "Hit from cloudfront"}, True),
        ({"x-cache": "TCP_HIT"}, True),
        ({"x-cache": "MISS, HIT"}, True),
        ({"x-cache": "Miss from cloudfront"}, False),
        ({"x-cache": "WHITELISTED"}, False),
        ({"x-cache-status": "Hit"}, True),
        ({"cf-cache-status": "DYNAMIC"}, False),
        ({"cf-cache-status": "HIT"}, True),
        ({"cf-aig-cache-status": "HIT"}, True),
        ({"cf-aig-cache-status": "MISS"}, False),
        ({"helicone-cache": "HIT"}, True),
        ({"x-portkey-cache-status": "SEMANTIC HIT"}, True),
        ({"x-portkey-cache-status": "DISABLED"}, False),
        ({"x-openrouter-cache-status": "HIT"}, True),
        ({"x-litellm-cache-hit": "True"}, True),
        ({"x-litellm-cache-hit": "False"}, False),
        ({"x-litellm-cache-key": "0a1b"}, False),
        ({"age": "12"}, True),
        ({"age": "0"}, False),
        ({"age": "old"}, False),
        ({"age": "9" * 5000}, True),
    ],
)
def test_only_a_header_that_says_so_makes_a_replay(headers: dict[str, str], expected: bool) -> None:
    assert is_replayed(headers) is expected
