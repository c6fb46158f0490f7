"""Every question of the suite code: plain answers that are right pass, plausible mistakes do not, and the sandbox lacks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.records import Answer, Extract, Question
from exporter.suites import BUILTIN, grade, load_suites
from tests.suites.code_rights import RIGHTS
from tests.suites.code_wrongs import WRONGS

QUESTIONS = {question.id: question for question in load_suites(["code"], Path())}
CODE = {question.id: question.reference.split("```python\n")[1].split("```")[0] for question in QUESTIONS.values()}


def ruling(question_id: str, text: str) -> tuple[bool, str]:
    """Whether it is right, and why it cannot be graded (empty where it can)."""
    found = grade(QUESTIONS[question_id], Answer(text=text))
    return found.right, found.message


def test_there_are_ten_questions_in_one_area() -> None:
    assert [(question.suite, question.area) for question in QUESTIONS.values()] == [("code", "code")] * 10
    assert all(question.extract is Extract.CODE and question.grader["kind"] == "python" for question in QUESTIONS.values())
    assert "code" in BUILTIN


def test_every_question_has_a_wrong_reference_beside_the_right_one() -> None:
    """Whether they hold is found out by loading them."""
    assert all(question.wrong_reference for question in QUESTIONS.values())


def test_the_whole_takes_less_than_a_third_of_the_default_cap() -> None:
    assert max(question.max_tokens for question in QUESTIONS.values()) == 4096
    assert sum(question.max_tokens for question in QUESTIONS.values()) < 40_000


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_the_prompt_names_the_function_and_what_may_be_used(question: Question) -> None:
    words = " ".join(question.prompt.split())
    assert f"Python function {question.grader['function']}(" in words
    assert "no classes, no yield, and no imports except math, re, itertools, functools, collections and datetime." in words


@pytest.mark.parametrize(("question_id", "code"), [(one, code) for one, codes in RIGHTS.items() for code in codes])
def test_other_right_answers_are_right(question_id: str, code: str) -> None:
    assert ruling(question_id, f"Here it is:\n\n```python\n{code}\n```") == (True, "")


@pytest.mark.parametrize(("question_id", "what", "instead"), [(one, *edit) for one, edits in WRONGS.items() for edit in edits])
def test_plausible_mistakes_are_wrong(question_id: str, what: str, instead: str) -> None:
    assert what in CODE[question_id]
    assert ruling(question_id, f"```python\n{CODE[question_id].replace(what, instead)}\n```") == (False, "")


@pytest.mark.parametrize("question_id", QUESTIONS)
def test_each_question_has_its_answers_here(question_id: str) -> None:
    assert len(RIGHTS[question_id]) == 2
    assert len(WRONGS[question_id]) == 5


DRESSES = [
    "{code}",
    "```\n{code}```",
    "```py\n{code}```",
    "~~~python\n{code}~~~",
    "Sure!\n\n```python\n{code}\n```\n\nIt works as follows: …",
    "```python\n{code}\n```\n\nFor example:\n\n```python\nprint({function})\n```\n\nOutput:\n\n```\n<function>\n```",
    "First an idea:\n\n```python\ndef {function}(*args):\n    ...\n```\n\nBetter:\n\n```python\n{code}```",
    "```python\n{code}\nif __name__ == '__main__':\n    print({function}(input()))\n```",
    "```python\nfrom __future__ import annotations\nfrom typing import Any, Dict, List, Optional, Tuple\n\n{code}\nprint('done')\n```",
    "<think>```python\ndef {function}(): pass\n```</think>\n```python\n{code}```",
    "```python\n{code}",
]


@pytest.mark.parametrize("dress", DRESSES)
def test_a_right_answer_is_right_in_any_dress(dress: str) -> None:
    question_id = "code-share-out"
    assert ruling(question_id, dress.format(code=CODE[question_id], function="share_out")) == (True, "")


def test_a_block_in_a_list_may_be_indented_and_have_dos_line_ends() -> None:
    lines = "".join(f"   {line}\r\n" for line in CODE["code-pack-runs"].splitlines())
    assert ruling("code-pack-runs", f"1. Do this:\r\n\r\n   ```python\r\n{lines}   ```\r\n") == (True, "")


@pytest.mark.parametrize("question_id", QUESTIONS)
def test_no_answer_at_all_is_wrong(question_id: str) -> None:
    function = QUESTIONS[question_id].grader["function"]
    for text in (
        "",
        "I cannot do that.",
        QUESTIONS[question_id].prompt,
        f"def {function}(*args):\n    pass",
        f"def {function}(x):\n    return x",
    ):
        assert ruling(question_id, text) == (False, "")


def test_the_answer_to_another_question_is_wrong() -> None:
    for question_id in QUESTIONS:
        other = next(one for one in QUESTIONS if one != question_id)
        assert ruling(question_id, QUESTIONS[other].reference) == (False, "")
