"""docs/suites.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent
from typing import get_args

import pytest

from exporter.suites import load_suites
from exporter.suites.graders import GRADERS
from exporter.suites.instruction import INSTRUCTIONS, Language
from exporter.suites.model import QuestionBlock, SuiteBlock
from exporter.suites.number_forms import read_number
from tests.suites.examples import write

DOCS = (Path(__file__).parents[2] / "docs" / "suites.md").read_text(encoding="utf-8")


def table(head: str) -> list[list[str]]:
    """The rows of the table whose head begins so, cell by cell."""
    lines = DOCS.split(f"\n| {head} |", maxsplit=1)[1].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def words(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


def test_every_grader_and_every_setting_has_its_place() -> None:
    assert {words(row[0])[0]: words(row[1]) for row in table("`kind`")} == {
        kind: [field.alias or name for name, field in grader.model_fields.items() if name != "kind"] for kind, grader in GRADERS.items()
    }


def test_every_grader_has_its_section() -> None:
    assert set(re.findall(r"^### (\w+)$", DOCS, re.MULTILINE)) == set(GRADERS)


def test_every_key_is_explained() -> None:
    assert [words(row[0])[0] for row in table("key of the file")] == list(SuiteBlock.model_fields)
    assert [words(row[0])[0] for row in table("key of a question")] == list(QuestionBlock.model_fields)


def test_every_extraction_is_explained() -> None:
    assert tuple(words(row[0])[0] for row in table("`extract` | the graded part")) == get_args(
        QuestionBlock.model_fields["extract"].annotation
    )


def test_the_instruction_is_quoted_as_it_is() -> None:
    quoted = "> " + INSTRUCTIONS[Language.EN].replace("<", "&lt;").replace(">", "&gt;").replace("\n", "\n> ")
    assert quoted in DOCS


def test_the_example_loads_and_its_references_hold(tmp_path: Path) -> None:
    (example,) = [block for block in re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL) if block.startswith("suite:")]
    write(tmp_path, "our-questions.yml", example)
    assert [question.id for question in load_suites(["our-questions.yml"], tmp_path)] == ["refund-after-40-days", "order-as-json"]


def test_the_examples_of_single_questions_and_graders_load(tmp_path: Path) -> None:
    examples = [block for block in re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL) if block.startswith(("- id:", "grader:"))]
    question = '- id: order\n  area: a\n  prompt: Which?\n  extract: full\n  reference: \'{"item": "lamps", "count": 3}\'\n'
    whole = [block if block.startswith("-") else question + indent(block, "  ") for block in examples]
    write(tmp_path, "ours.yml", "suite: ours\nquestions:\n" + "".join(whole))
    assert [question.id for question in load_suites(["ours.yml"], tmp_path)] == ["order", "order-status"]


@pytest.mark.parametrize("form", [form for row in table("written") for form in words(row[0])])
def test_every_number_form_is_read(form: str) -> None:
    assert read_number(form, fractions="/" in form or form in ("¾", r"\frac{3}{4}")) is not None
