"""Questions and suite files for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporter.errors import SuiteError
from exporter.records import Extract, Question
from exporter.suites import load_suites


def make_question(
    grader: dict[str, Any], extract: Extract = Extract.ANSWER_LINE, reference: str = "ANSWER: no", wrong_reference: str | None = None
) -> Question:
    return Question("0" * 16, "q1", "mine", "support", "May I?", extract, grader, reference, wrong_reference, 512)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(folder: Path, *refs: str, areas: list[str] | None = None) -> list[str]:
    """What load_suites complains about, one line a problem; empty where it does not."""
    try:
        load_suites(refs, folder, areas)
    except SuiteError as error:
        return [str(problem) for problem in error.problems]
    return []


QUESTION = """\
  - id: {id}
    area: support
    prompt: May I return a {id} after 40 days?
    grader: {{kind: exact, answers: [no]}}
    reference: "ANSWER: no"
"""


def suite_of(*ids: str, name: str = "mine") -> str:
    return f"suite: {name}\nquestions:\n" + "".join(QUESTION.format(id=one) for one in ids)
