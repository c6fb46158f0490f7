"""A small suite for the mock: twenty questions with an ANSWER line, one graded whole."""

from __future__ import annotations

from exporter.records import Extract, Question


def made_question(number: int, extract: Extract = Extract.ANSWER_LINE) -> Question:
    return Question(
        key=f"key-{number}",
        id=f"q{number}",
        suite="small",
        area="sums",
        prompt=f"What is {number} + {number}?",
        extract=extract,
        grader={"kind": "number", "value": 2 * number},
        reference=f"ANSWER: {2 * number}" if extract is Extract.ANSWER_LINE else f"{2 * number}",
        wrong_reference=f"ANSWER: {2 * number + 1}" if extract is Extract.ANSWER_LINE else f"{2 * number + 1}",
        max_tokens=1024,
    )


SUITE = (*(made_question(number) for number in range(1, 21)), made_question(21, Extract.FULL))
