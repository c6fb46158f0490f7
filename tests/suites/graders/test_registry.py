from __future__ import annotations

import pytest

from exporter.suites.graders import GRADERS, read_grader


@pytest.mark.parametrize("kind", GRADERS)
def test_a_grader_is_listed_under_its_own_kind(kind: str) -> None:
    assert GRADERS[kind].model_fields["kind"].annotation.__args__ == (kind,)  # type: ignore[union-attr] # a Literal has them


def test_equal_settings_are_read_once() -> None:
    assert read_grader({"kind": "exact", "answers": ["a"]}) is read_grader({"answers": ["a"], "kind": "exact"})
