from __future__ import annotations

import pytest

from exporter.suites.patterns import compile_pattern


def test_a_pattern_is_compiled_once() -> None:
    assert compile_pattern("a+b") is compile_pattern("a+b")


def test_spans_count_characters_not_bytes() -> None:
    assert compile_pattern("い").spans("あい😀い") == [(1, 2), (3, 4)]


def test_replace_puts_groups_in() -> None:
    assert compile_pattern("<(.)>").replace("<a><b>", r"[\1]") == "[a][b]"


def test_a_pattern_that_does_not_compile_says_why() -> None:
    with pytest.raises(ValueError, match=r"^missing \]: \[a$"):
        compile_pattern("[a")
