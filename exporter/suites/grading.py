"""An answer to a question becomes a ruling; references are held to the same rules."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.errors import Problem
from exporter.records import Answer, Extract, Question, Ruling
from exporter.suites.extraction import extract
from exporter.suites.graders import GRADERS, read_grader
from exporter.suites.text import answer_hash
from exporter.suites.text_tools import read_text_calls


def grade(question: Question, answer: Answer) -> Ruling:
    """What the question's grader says of a usable answer. Pure; never raises, whatever the text."""
    if answer.refused:
        return Ruling(right=read_grader(question.grader).accepts_refusal(), answer_hash=answer_hash(answer.text))
    extracted = extract(question.extract, answer)
    right = not extracted.answer_line_missing and read_grader(question.grader).accepts(extracted.text)
    return Ruling(right=right, answer_hash=answer_hash(extracted.text), answer_line_missing=extracted.answer_line_missing)


def grades_refusals(question: Question) -> bool:
    """Whether a refusal that a provider tells of in a field of its own is an answer to this question, and not unusable."""
    grader = GRADERS.get(str(question.grader.get("kind")))
    return grader is not None and grader.grades_refusals


def answer_of(question: Question, reference: str) -> Answer:
    """The answer that a reference stands for. Tool calls are written as they are for servers without tools."""
    calls = read_text_calls(reference) if question.extract is Extract.TOOL_CALL else ()
    return Answer(text=reference, tool_calls=calls)


def check_references(questions: Sequence[Question]) -> list[Problem]:
    """Every reference that its own grader refuses, and every wrong_reference that it accepts."""
    return [
        Problem(f"{question.suite}: {question.id}.{key}", what, fix)
        for question in questions
        for key, what, fix in find_reference_faults(question)
    ]


def find_reference_faults(question: Question) -> list[tuple[str, str, str]]:
    """The key at fault, what is wrong and how to mend it, for one question."""
    faults = []
    expected = answer_of(question, question.reference)
    ruling = grade(question, expected)
    if question.extract is Extract.TOOL_CALL and not expected.tool_calls:
        faults.append(("reference", "holds no call", 'write one as {"name": "…", "arguments": {…}}, several in a list'))
    elif ruling.answer_line_missing:
        faults.append(("reference", "has no ANSWER line", "end it with a line ANSWER: and the answer, or set extract: full"))
    elif not ruling.right:
        faults.append(("reference", "fails its own grader", "correct the reference or the grader"))
    if question.wrong_reference is not None and grade(question, answer_of(question, question.wrong_reference)).right:
        faults.append(("wrong_reference", "passes the grader", "make the grader stricter, or the wrong reference wrong"))
    return faults
