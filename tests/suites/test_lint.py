from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import GeneratedLevel
from exporter.suites import BUILTIN, find_warnings, generate_suite, place_suites
from tests.suites.examples import suite_of, write
from tests.suites.generate.made import LEVELS


def warnings_of(folder: Path, *refs: str) -> list[str]:
    return [str(problem) for problem in find_warnings(place_suites(refs, folder))]


def suite_with(extract: str, grader: str) -> str:
    """One question, its grader on line 7."""
    reference = "ANSWER: no" if extract == "answer_line" else "no"
    head = f"suite: mine\nquestions:\n- id: a\n  area: x\n  prompt: May I?\n  extract: {extract}\n"
    return f"{head}  grader: {grader}\n  reference: '{reference}'\n"


PATTERN = "matches every answer; write what a right one must hold, or leave it out"
EMPTY = "our.yml:7: questions[0].grader: accepts an empty answer; say what a right one must hold"
NEARLY = "our.yml:7: questions[0].grader: accepts nearly every answer; say what a right one must hold"

LENIENT = [
    ("answer_line", "{kind: regex, patterns: ['.*']}", [f"our.yml:7: questions[0].grader.patterns[0]: {PATTERN}"]),
    ("full", "{kind: regex, patterns: [no, '\\S']}", [f"our.yml:7: questions[0].grader.patterns[1]: {PATTERN}"]),
    ("full", "{kind: regex, patterns: ['(?i)[a-z]*', no], forbid: ['yes']}", [f"our.yml:7: questions[0].grader.patterns[0]: {PATTERN}"]),
    ("full", "{kind: regex, patterns: ['^(no|)$']}", [EMPTY]),
    ("full", "{kind: regex, forbid: ['yes']}", [EMPTY]),
    ("full", "{kind: regex, forbid: ['yes', '^$']}", [NEARLY]),
    ("answer_line", "{kind: regex, forbid: ['yes']}", [NEARLY]),
    ("full", "{kind: regex, patterns: ['^no$']}", []),
    ("answer_line", "{kind: exact, answers: [no]}", []),
    ("full", "{kind: refusal, expected: comply}", []),
]


@pytest.mark.parametrize(("extract", "grader", "warnings"), LENIENT)
def test_a_grader_that_lets_too_much_pass_is_told(tmp_path: Path, extract: str, grader: str, warnings: list[str]) -> None:
    write(tmp_path, "our.yml", suite_with(extract, grader))
    assert warnings_of(tmp_path, "our.yml") == warnings


def test_two_questions_in_nearly_the_same_words_with_one_answer_are_told(tmp_path: Path) -> None:
    text = suite_of("lamp", "chair", "lamps").replace("chair after 40 days?", "chair that was on sale, without its receipt?")
    write(tmp_path, "our.yml", text)
    assert warnings_of(tmp_path, "our.yml") == [
        'our.yml:15: questions[2].prompt: asks nearly the same as "lamp", with the same answer; drop one of them, as both are lost together'
    ]


def test_the_same_words_with_another_answer_are_another_question(tmp_path: Path) -> None:
    later = suite_of("lamps").split("questions:\n")[1].replace("[no]", "[yes]").replace("ANSWER: no", "ANSWER: yes")
    write(tmp_path, "our.yml", suite_of("lamp") + later)
    assert warnings_of(tmp_path, "our.yml") == []


def test_the_words_that_are_added_to_every_prompt_make_no_two_alike(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp").replace("May I return a lamp after 40 days?", "Lamp?"))
    write(tmp_path, "two.yml", suite_of("chair").replace("May I return a chair after 40 days?", "Chair?"))
    assert warnings_of(tmp_path, "our.yml", "two.yml") == []


def test_nothing_is_said_of_the_builtin_suites(tmp_path: Path) -> None:
    assert warnings_of(tmp_path, *BUILTIN) == []


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_said_of_a_generated_suite(tmp_path: Path, level: GeneratedLevel) -> None:
    generated = generate_suite(b"a seed of a test", level, 34)
    assert find_warnings(place_suites(["generated"], tmp_path, None, generated)) == []
