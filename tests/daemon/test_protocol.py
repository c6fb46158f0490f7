from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import Target
from exporter.daemon.live import build_target
from exporter.daemon.protocol import protocol_hash


def target(**settings: object) -> Target:
    return Target.model_validate({"name": "t", "api": "openai_chat", "model": "m", **settings})


def hash_of(**settings: object) -> str:
    return protocol_hash(target(**settings))


def test_a_target_that_is_asked_as_ever_has_the_hash_that_it_always_had() -> None:
    assert hash_of(decision={"tries": 5, "samples": 1}) == "ff1519349561"


@pytest.mark.parametrize("setting", [{"stream": True}, {"system": "Be brief."}, {"model": "n"}])
def test_what_changes_the_asking_changes_the_hash(setting: dict[str, object]) -> None:
    assert hash_of(**setting) != hash_of()


@pytest.mark.parametrize(
    "setting", [{"tool_calling": "api"}, {"tool_calling": "text"}, {"concurrency": 9}, {"name": "u"}, {"headers": {"X-A": "b"}}]
)
def test_what_leaves_the_asking_as_it_is_leaves_the_hash(setting: dict[str, object]) -> None:
    assert hash_of(**setting) == hash_of()


def test_questions_with_tools_are_others_where_they_are_told_of_in_words_and_the_rest_stay_what_they_are(tmp_path: Path) -> None:
    told = [build_target(target(suites=["structure"], price="unknown", tool_calling=way), tmp_path) for way in ("api", "text")]
    by_api, in_words = told
    same = {one.id: one.key == other.key for one, other in zip(by_api.questions, in_words.questions, strict=True)}
    assert same == {question.id: not question.tools for question in by_api.questions}
    assert set(same.values()) == {True, False}
    assert by_api.protocol == in_words.protocol
    assert len({question.key for question in in_words.questions}) == len(in_words.questions)
