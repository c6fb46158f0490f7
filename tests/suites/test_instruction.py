from __future__ import annotations

import pytest

from exporter.suites import INSTRUCTION_VERSION
from exporter.suites.answer_line import find_answer
from exporter.suites.instruction import INSTRUCTIONS, Language, add_instruction
from exporter.suites.text import canonical_json, digest


def test_every_wording_has_its_version() -> None:
    """A changed wording changes what models answer: raise INSTRUCTION_VERSION and write the new pair here."""
    assert (INSTRUCTION_VERSION, digest(canonical_json(INSTRUCTIONS))) == (1, "4d52421274a9661a")


@pytest.mark.parametrize("language", Language)
def test_an_echoed_instruction_is_no_answer(language: Language) -> None:
    assert find_answer(INSTRUCTIONS[language]) is None


def test_the_instruction_follows_an_empty_line() -> None:
    assert add_instruction("Why?\n\n", Language.EN) == f"Why?\n\n{INSTRUCTIONS[Language.EN]}"
