from __future__ import annotations

import pytest

from exporter.config import Target
from exporter.daemon.protocol import protocol_hash


def hash_of(**settings: object) -> str:
    return protocol_hash(Target.model_validate({"name": "t", "api": "openai_chat", "model": "m", **settings}))


def test_a_target_that_is_asked_as_ever_has_the_hash_that_it_always_had() -> None:
    assert hash_of(decision={"tries": 5, "samples": 1}) == "ff1519349561"


@pytest.mark.parametrize("setting", [{"tool_calling": "text"}, {"stream": True}, {"system": "Be brief."}, {"model": "n"}])
def test_what_changes_the_asking_changes_the_hash(setting: dict[str, object]) -> None:
    assert hash_of(**setting) != hash_of()


@pytest.mark.parametrize("setting", [{"tool_calling": "api"}, {"concurrency": 9}, {"name": "u"}, {"headers": {"X-A": "b"}}])
def test_what_leaves_the_asking_as_it_is_leaves_the_hash(setting: dict[str, object]) -> None:
    assert hash_of(**setting) == hash_of()
