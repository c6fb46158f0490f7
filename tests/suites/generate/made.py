"""Generated questions for tests: as a suite's questions, and wrong answers to them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies

from exporter.records import Question
from exporter.suites.document import Document
from exporter.suites.generate import generate_suite
from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Family, Level, Puzzle
from exporter.suites.reading import read_document

LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
SEEDS = strategies.binary(min_size=16, max_size=40)


def questions_of(seed: bytes, level: Level, count: int) -> list[Question]:
    """The questions as they are loaded. Fails where the loading of a suite finds anything wrong, references included."""
    placed, problems = read_document(Document("generated", generate_suite(seed, level, count), {}))
    assert problems == []
    return [one.question for one in placed]


def puzzles_of(family: Family, level: Level, count: int) -> list[Puzzle]:
    """So many of one family, from as many seeds."""
    return [family(Draw(f"seed {number}".encode(), "test"), level) for number in range(count)]


def wrong_answers(question: Question) -> list[str]:
    """At least five plausible answers that are none: near numbers, slips of the pen, parts, another order."""
    mark = "" if question.extract == "full" else "ANSWER: "
    right = question.reference.removeprefix(mark)
    settings = dict(question.grader)
    if settings["kind"] == "json":
        wrong = [json.dumps(other) for other in _other_values(settings["equals"])]
    elif settings["kind"] == "number":
        value = int(right)
        wrong = [str(value + 1), str(value - 1), str(10 * value + 7), str(-value - 1), f"{value} or {value + 1}", f"{value}.5"]
    elif settings["kind"] == "regex":
        items = right.split(", ")
        others = [items[1:], items[:-1], [*items, items[0]], [items[-1], *items[:-1]], [items[0], *items[:-1]], [*items[1:], "Xenia"]]
        wrong = [", ".join(other) for other in others]
    else:
        wrong = [right[:-1], right[1:], right * 2, f"{right}{right[-1]}", f"{right[0]}{right}", "nothing"]
    return [f"{mark}{answer}" for answer in wrong]


def _other_values(value: Any) -> list[Any]:
    whole = json.dumps(value)
    if isinstance(value, list):
        return [
            value[1:],
            value + value[:1],
            {"orders": value},
            [list(one.values()) for one in value],
            [{**one, "count": 1} for one in value],
        ]
    key, inner = next(iter(value.items()))
    others: list[Any] = [{**value, key: {**inner, "total": inner["total"] + 1}}, {**value, key: {**inner, "names": []}}]
    return [*others, {**value, key: {**inner, "largest": key}}, list(value.values()), {"rooms": json.loads(whole)}]
