from __future__ import annotations

import pytest

from exporter.providers import identity_key
from exporter.records import Identity

WHOLE = Identity("gpt-x-2026-10-01", fingerprint="fp_1", facets={"host": "Azure", "tier": "default"})
PULLED = Identity("llama3:8b", digest="sha256:ab12")


@pytest.mark.parametrize(
    ("identity", "counted", "key"),
    [
        (WHOLE, ["model"], "gpt-x-2026-10-01"),
        (WHOLE, ["model", "host"], "gpt-x-2026-10-01 host=Azure"),
        (WHOLE, ["host", "model"], "gpt-x-2026-10-01 host=Azure"),
        (WHOLE, ["tier", "fingerprint", "model"], "gpt-x-2026-10-01 fingerprint=fp_1 tier=default"),
        (WHOLE, ["host"], "host=Azure"),
        (WHOLE, ["model", "region"], None),
        (WHOLE, [], None),
        (PULLED, ["model"], "llama3:8b@sha256:ab12"),
        (PULLED, ["model", "fingerprint"], None),
        (Identity(), ["model"], None),
        (Identity(facets={"host": "Azure"}), ["model", "host"], None),
    ],
)
def test_a_key_holds_what_is_counted_and_is_unknown_where_any_of_it_is(identity: Identity, counted: list[str], key: str | None) -> None:
    assert identity_key(identity, counted) == key
