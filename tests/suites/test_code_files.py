"""What is wrong with questions of one's own that ask for code is told with its line and the way to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.records import Answer
from exporter.suites import find_warnings, grade, load_suites, place_suites, sandbox
from tests.suites.examples import problems_of, write

QUESTION = """\
suite: mine
questions:
  - id: double
    area: code
    prompt: Write a Python function double(x).
    extract: {extract}
    grader: {grader}
    reference: "{reference}"
    wrong_reference: "{wrong}"
"""
SOUND = {
    "extract": "code",
    "grader": "{kind: python, function: double, cases: [{args: [2], returns: 4}, {args: ['a'], returns: aa}]}",
    "reference": "def double(x):\\n    return x + x",
    "wrong": "def double(x):\\n    return x * x",
}
OTHERWISE = "write it otherwise: docs/suites.md says what the sandbox understands"


def problems(folder: Path, **changes: str) -> list[str]:
    write(folder, "mine.yml", QUESTION.format(**SOUND | changes))
    return problems_of(folder, "mine.yml")


def test_a_question_of_ones_own_is_loaded_and_graded(tmp_path: Path) -> None:
    assert problems(tmp_path) == []
    (question,) = load_suites(["mine.yml"], tmp_path)
    assert question.prompt == "Write a Python function double(x)."
    assert grade(question, Answer(text="```python\ndef double(x):\n    return 2 * x\n```")).right
    assert not grade(question, Answer(text="```python\ndef double(x):\n    return 2 + x\n```")).right


@pytest.mark.parametrize(
    ("binary", "said"),
    [
        ("none", "the sandbox itself failed"),
        ("silent", "the sandbox got too little processor time: not done after 30 seconds"),
    ],
)
def test_a_sandbox_that_fails_keeps_no_question_from_being_used_and_is_told_as_a_warning(
    binary: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Path(tmp_path, "silent").write_text("#!/bin/sh\nexec sleep 600\n")
    Path(tmp_path, "silent").chmod(0o755)
    monkeypatch.setattr(sandbox, "GUARD_SECONDS", 0.1)
    monkeypatch.setenv("MONTY_BIN", str(tmp_path / binary))
    assert problems(tmp_path) == []
    (warning,) = find_warnings(place_suites(["mine.yml"], tmp_path))
    assert str(warning) == (
        f"mine.yml:8: questions[0].reference: could not be run: {said}; "
        "try again; if it stays so, no answer can be graded here, and the question is better left out"
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"extract": "answer_line"}, "6: questions[0].extract: does not fit the grader python; set extract: code"),
        ({"extract": "full"}, "6: questions[0].extract: does not fit the grader python; set extract: code"),
        (
            {"reference": "import heapq\\ndef double(x):\\n    return x + x"},
            f"8: questions[0].reference: cannot be run: the sandbox lacks the module heapq; {OTHERWISE}",
        ),
        (
            {"wrong": "def double(x):\\n    yield x"},
            f"9: questions[0].wrong_reference: cannot be run: the sandbox lacks yield expressions; {OTHERWISE}",
        ),
        (
            {"reference": "def double(x):\\n    return 2"},
            "8: questions[0].reference: fails its own grader; correct the reference or the grader",
        ),
        (
            {"reference": "while True:\\n    pass"},
            "8: questions[0].reference: fails its own grader; correct the reference or the grader",
        ),
        (
            {"wrong": "def double(x):\\n    return 2 * x"},
            "9: questions[0].wrong_reference: passes the grader; make the grader stricter, or the wrong reference wrong",
        ),
        (
            {"grader": "{kind: python, function: double(x), cases: [{args: [2], returns: 4}]}"},
            '7: questions[0].grader.function: "double(x)" is no name of a function; write it as in the prompt, without brackets',
        ),
        (
            {"grader": "{kind: python, function: double, cases: [{args: 2, returns: 4}]}"},
            "7: questions[0].grader.cases[0].args: must be a list, not a number; write its items in [ ], or each on a line with a dash",
        ),
        (
            {"grader": "{kind: python, function: double, cases: [{args: [x], raises: Oops}]}"},
            '7: questions[0].grader.cases[0].raises: "Oops" is no exception of plain Python; write one such as ValueError',
        ),
        (
            {"grader": "{kind: python, function: double, cases: [{args: [x], return: 2}]}"},
            '7: questions[0].grader.cases[0]: "return" is unknown; did you mean "returns"?',
        ),
        (
            {"grader": "{kind: python, function: double, cases: [{args: [x], 2: 2}]}"},
            '7: questions[0].grader.cases[0]: "2" is unknown; use some of args, kwargs, returns, raises',
        ),
        (
            {"grader": "{kind: python, function: double, cases: [{returns: 4, raises: ValueError}]}"},
            "7: questions[0].grader.cases[0]: both returns and raises; keep one of them",
        ),
        ({"grader": "{kind: python, function: double, cases: []}"}, "7: questions[0].grader.cases: is empty; give at least one"),
        ({"grader": "{kind: python, cases: [{returns: 4}]}"}, "7: questions[0].grader.function: missing; add function"),
        (
            {"grader": "{kind: python, function: double, tests: 'assert True', cases: [{returns: 4}]}"},
            "7: questions[0].grader.tests: unknown key; known keys: kind, function, cases, tolerance",
        ),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    assert problems(tmp_path, **changes) == [f"mine.yml:{message}"]
