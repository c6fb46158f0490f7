"""Every way in which a suite can be wrong, with the exact words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suites.examples import problems_of, suite_of, write

KINDS = "exact, json, json_schema, number, python, refusal, regex, tool_call"

QUESTION = {
    "  area: overall": 'our.yml:4: questions[0].area: "overall" is the name of the whole set; choose another area',
    "  area: ''": "our.yml:4: questions[0].area: must be one line of printable characters, with no space around it",
    "  id: ' a'": "our.yml:4: questions[0].id: must be one line of printable characters, with no space around it",
    '  id: "a\\nb"': "our.yml:4: questions[0].id: must be one line of printable characters, with no space around it",
    "  prompt: ' '": "our.yml:4: questions[0].prompt: is empty; write something that can be seen",
    "  prompt: 5": "our.yml:4: questions[0].prompt: must be a text, not a number; put it in quotes",
    "  prompt:": "our.yml:4: questions[0].prompt: must be a text, not nothing; write a text",
    "  prompt: [a]": "our.yml:4: questions[0].prompt: must be a text, not a list; write a text",
    '  prompt: "\\ud800"': "our.yml:4: questions[0].prompt: must be a text with whole characters, not a text; write the character itself",
    "  promt: hi": 'our.yml:4: questions[0].promt: unknown key; did you mean "prompt"?',
    "  colour: red": (
        "our.yml:4: questions[0].colour: unknown key; "
        "known keys: id, area, prompt, language, tools, extract, grader, reference, wrong_reference, max_tokens"
    ),
    "  language: jp": 'our.yml:4: questions[0].language: "jp" is unknown; use one of en, ja',
    "  extract: answerline": 'our.yml:4: questions[0].extract: "answerline" is unknown; did you mean "answer_line"?',
    "  extract: line": 'our.yml:4: questions[0].extract: "line" is unknown; use one of answer_line, full, code, tool_call',
    "  max_tokens: 15": ("our.yml:4: questions[0].max_tokens: leaves no room for an ANSWER line; allow 16 or more, or set extract: full"),
    "  max_tokens: 0": "our.yml:4: questions[0].max_tokens: must be greater than or equal to 1",
    "  max_tokens: many": "our.yml:4: questions[0].max_tokens: must be a whole number, not a text; write it in digits",
    "  reference: 'ANSWER: yes'": "our.yml:4: questions[0].reference: fails its own grader; correct the reference or the grader",
    "  reference: 'no'": (
        "our.yml:4: questions[0].reference: has no ANSWER line; end it with a line ANSWER: and the answer, or set extract: full"
    ),
    "  wrong_reference: 'ANSWER: No.'": (
        "our.yml:4: questions[0].wrong_reference: passes the grader; make the grader stricter, or the wrong reference wrong"
    ),
    "  grader: exact": "our.yml:4: questions[0].grader: must be a mapping of keys to values, not a text; write key: value",
    "  grader: {answers: [no]}": f"our.yml:4: questions[0].grader: has no kind; add kind: one of {KINDS}",
    "  grader: {kind: exakt, answers: [no]}": 'our.yml:4: questions[0].grader.kind: "exakt" is unknown; did you mean "exact"?',
    "  grader: {kind: poem}": f'our.yml:4: questions[0].grader.kind: "poem" is unknown; use one of {KINDS}',
    "  grader: {kind: 5}": f'our.yml:4: questions[0].grader.kind: "5" is unknown; use one of {KINDS}',
    "  grader: {kind: exact}": "our.yml:4: questions[0].grader.answers: missing; add answers",
    "  grader: {kind: exact, answers: []}": "our.yml:4: questions[0].grader.answers: is empty; give at least one",
    "  grader: {kind: exact, answers: no}": (
        "our.yml:4: questions[0].grader.answers: must be a list, not a text; write its items in [ ], or each on a line with a dash"
    ),
    "  grader: {kind: exact, answers: [true]}": (
        "our.yml:4: questions[0].grader.answers[0]: must be a text, not true or false; put it in quotes"
    ),
    "  grader: {kind: exact, answers: [no], strikt: true}": 'our.yml:4: questions[0].grader.strikt: unknown key; did you mean "strict"?',
    "  grader: {kind: exact, answers: [no], strict: maybe}": (
        "our.yml:4: questions[0].grader.strict: must be true or false, not a text; write one of the two"
    ),
    "  grader: {kind: number, value: many}": (
        'our.yml:4: questions[0].grader.value: is not a number; write it as 42, 1.5, "1.34e5" or, for a fraction, "3/4"'
    ),
    "  grader: {kind: number, value: 1, tolerance: -1}": "our.yml:4: questions[0].grader.tolerance: must be greater than or equal to 0",
    "  grader: {kind: number, value: 1, tolerance: x}": (
        "our.yml:4: questions[0].grader.tolerance: must be a number, not a text; write it in digits"
    ),
    "  grader: {kind: regex}": "our.yml:4: questions[0].grader: has no pattern; add patterns, forbid, or both",
    "  grader: {kind: regex, forbid: ['a(']}": (
        "our.yml:4: questions[0].grader.forbid[0]: does not compile: missing ): a(; "
        "write it in RE2's syntax (no look-around, no back-references)"
    ),
    "  grader: {kind: json}": "our.yml:4: questions[0].grader.equals: missing; add equals",
}

FILES = {
    ("our.yml", ""): "our.yml: must be a mapping of keys to values; its keys are suite, language, questions",
    ("our.yml", "- 1"): "our.yml:1: must be a mapping of keys to values; its keys are suite, language, questions",
    ("our.yml", "suite: x\nquestions: []"): "our.yml:2: questions: is empty; give at least one",
    ("our.yml", "suite: x"): "our.yml:1: questions: missing; add questions",
    ("our.yml", "suite: x\nquestions: 5"): (
        "our.yml:2: questions: must be a list, not a number; write its items in [ ], or each on a line with a dash"
    ),
    ("our.yml", "suite: x\nquestions:\n  - only words"): (
        "our.yml:3: questions[0]: must be a mapping of keys to values; "
        "its keys are id, area, prompt, language, tools, extract, grader, reference, wrong_reference, max_tokens"
    ),
    ("our.yml", "suite: x\nquestions: [1\n"): (
        "our.yml:2: not valid YAML: a bracket or brace that is never closed; close it, and put commas between its items"
    ),
    ("our.yml", "suite: x: y"): (
        "our.yml:1: not valid YAML: a wrong indentation, or a second ': ' in a plain value; align the keys, or put the value in quotes"
    ),
    ("our.yml", "a: 1\n---\nb: 2"): (
        "our.yml:2: not valid YAML: a second YAML document; keep one, and remove the --- line before the other"
    ),
    ("our.yml", "a: \x00"): "our.yml:1: holds the control character U+0000; remove it",
    ("our.yml", "a: !!int foo"): "our.yml:1: has a tag (a word with ! in front) that does not fit; remove the tag",
    ("our.yml", "a: &a [*a]"): "our.yml: is nested too deeply; write it flatter",
    ("our.yml", "[" * 9000): "our.yml: is nested too deeply; write it flatter",
    ("our.json", '{"suite": "x",\n "questions": [}'): (
        "our.json:2: is not JSON: Expecting value at column 16; write a value; texts in double quotes, with no comma after the last item"
    ),
    ("our.json", "[" * 90_000): "our.json:1: is not JSON that can be read; nest it less, and write shorter numbers",
    ("our.jsonl", "\n\n{"): (
        "our.jsonl:3: is not JSON: Expecting property name enclosed in double quotes at column 2; "
        "put each key in double quotes, with no comma after the last"
    ),
    ("our.jsonl", '{"id": 1, "id": 2}'): 'our.jsonl:1: holds "id" twice in one object; keep one of them',
    ("our.jsonl", '{"a": NaN}'): "our.jsonl:1: holds NaN, which is not JSON; write a number, or a text in double quotes",
    ("our.jsonl", "{} {}"): (
        "our.jsonl:1: is not JSON: Extra data at column 4; keep one value a file; one question a line is a file ending in .jsonl"
    ),
    ("our.yml", "suite: !name x"): "our.yml:1: has a tag (a word with ! in front) that does not fit; remove the tag",
    ("our.jsonl", "\n"): "our.jsonl:1: questions: is empty; give at least one",
}

REFS = {
    "cor": 'cor: is neither a builtin suite nor a file; did you mean "core"?',
    "gone.yml": (
        "gone.yml: is neither a builtin suite nor a file; "
        "name a builtin suite (core, code, structure), or a file or folder relative to the config file"
    ),
    "notes.txt": "notes.txt: has an ending that no suite file has; rename it to one of .yml, .yaml, .json, .jsonl",
    "bare/": ("bare/: holds no suite file; put files ending in .yml, .yaml, .json, .jsonl there; folders in it are not looked into"),
    "binary.yml": "binary.yml:1: is not UTF-8; save it as UTF-8",
    "a\0b": "a\0b: cannot be read: embedded null byte; check that it exists and may be read",
    "x" * 5000: f"{'x' * 5000}: cannot be read: File name too long; check that it exists and may be read",
}


def change(line: str) -> str:
    """A sound suite whose question has this line as its first, at line 4, in place of its own line with that key."""
    key = line.split(":", maxsplit=1)[0].strip()
    head, questions = suite_of("lamp").split("  - id: lamp\n")
    rest = [old for old in questions.splitlines() if old.split(":", maxsplit=1)[0].strip() != key]
    return f"{head}  -\n  {line}\n" + ("" if key == "id" else "    id: lamp\n") + "\n".join(rest) + "\n"


@pytest.mark.parametrize(("line", "problem"), QUESTION.items(), ids=repr)
def test_a_question_that_is_wrong_is_told_so(tmp_path: Path, line: str, problem: str) -> None:
    write(tmp_path, "our.yml", change(line))
    assert problems_of(tmp_path, "our.yml") == [problem]


@pytest.mark.parametrize(("file", "problem"), FILES.items(), ids=lambda value: repr(value)[:60])
def test_a_file_that_is_wrong_is_told_so(tmp_path: Path, file: tuple[str, str], problem: str) -> None:
    write(tmp_path, *file)
    assert problems_of(tmp_path, file[0]) == [problem]


@pytest.mark.parametrize(("ref", "problem"), REFS.items(), ids=lambda value: repr(value)[:60])
def test_a_reference_to_no_suite_is_told_so(tmp_path: Path, ref: str, problem: str) -> None:
    write(tmp_path, "notes.txt", "nothing")
    (tmp_path / "bare").mkdir()
    (tmp_path / "binary.yml").write_bytes(b"\xff\xfe")
    assert problems_of(tmp_path, ref) == [problem]


def test_everything_wrong_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    broken = (
        "suite: mine\nlangage: en\nquestions:\n  - id: a\n    area: x\n    prompt: hi\n    grader:\n      kind: regex\n      patterns:\n"
    )
    broken += "        - 'a('\n        - 5\n  - id: b\n    area: x\n    prompt: hi\n    grader: {kind: exact, answers: [no]}\n"
    broken += "    reference: 'ANSWER: yes'\n    wrong_reference: 'ANSWER: no'\n"
    write(tmp_path, "our.yml", broken)
    assert problems_of(tmp_path, "our.yml", "cor") == [
        'cor: is neither a builtin suite nor a file; did you mean "core"?',
        'our.yml:2: langage: unknown key; did you mean "language"?',
        "our.yml:4: questions[0].reference: missing; add reference",
        (
            "our.yml:10: questions[0].grader.patterns[0]: does not compile: missing ): a(; "
            "write it in RE2's syntax (no look-around, no back-references)"
        ),
        "our.yml:11: questions[0].grader.patterns[1]: must be a text, not a number; put it in quotes",
        "our.yml:16: questions[1].reference: fails its own grader; correct the reference or the grader",
        "our.yml:17: questions[1].wrong_reference: passes the grader; make the grader stricter, or the wrong reference wrong",
    ]


def test_a_key_that_stands_twice_hides_no_other_problem(tmp_path: Path) -> None:
    broken = suite_of("lamp") + '    area: desks\n    ? [a]\n    : b\n    prompt: ""\n    colour: red\n'
    write(tmp_path, "our.yml", broken)
    write(tmp_path, "our.json", '{"suite": "x",\n"suite": "y",\n"questions": []}')
    assert problems_of(tmp_path, "our.yml", "our.json") == [
        'our.yml:8: "area" stands here twice; keep one of them',
        "our.yml:9: has a key that is no word; put quotes around it",
        'our.yml:11: "prompt" stands here twice; keep one of them',
        (
            "our.yml:12: questions[0].colour: unknown key; "
            "known keys: id, area, prompt, language, tools, extract, grader, reference, wrong_reference, max_tokens"
        ),
        'our.json:2: "suite" stands here twice; keep one of them',
        "our.json:3: questions: is empty; give at least one",
    ]


def test_a_line_that_is_no_json_hides_no_other_problem(tmp_path: Path) -> None:
    write(tmp_path, "our.jsonl", '{"id": "a", "area": "x", "prompt": "A?", "grader": 5, "reference": "r"}\n{\n')
    assert [problem.partition(": ")[0] for problem in problems_of(tmp_path, "our.jsonl")] == ["our.jsonl:1", "our.jsonl:2"]


def test_json_that_no_yaml_reader_takes_is_read_all_the_same(tmp_path: Path) -> None:
    question = '{"id": "a", "area": "x", "prompt": "A\x7f?", "grader": {"kind": "number", "value": 1}, "reference": "ANSWER: 1"}'
    write(tmp_path, "our.json", '{"suite": "x", "questions": [' + question + "]}")
    assert problems_of(tmp_path, "our.json") == []


def test_json_and_json_lines_have_lines_too(tmp_path: Path) -> None:
    question = '{"id": "a", "area": "x", "prompt": "A?", "grader": {"kind": "number", "value": 1}, "reference": "ANSWER: 2"}'
    write(tmp_path, "our.json", '{"suite": "x", "questions": [\n' + question.replace('"reference"', '\n"reference"') + "]}")
    write(tmp_path, "our.jsonl", "\n\n" + question.replace('"a"', '"b"').replace("A?", "B?"))
    assert problems_of(tmp_path, "our.json", "our.jsonl") == [
        "our.json:3: questions[0].reference: fails its own grader; correct the reference or the grader",
        "our.jsonl:3: questions[0].reference: fails its own grader; correct the reference or the grader",
    ]


def test_an_id_stands_once_over_all_suites_of_a_target(tmp_path: Path) -> None:
    write(tmp_path, "one.yml", suite_of("lamp"))
    write(tmp_path, "two.yml", suite_of("chair", "lamp").replace("a lamp", "one lamp"))
    assert problems_of(tmp_path, "one.yml", "two.yml") == [
        'two.yml:8: questions[1].id: "lamp" is the id of one.yml:3: questions[0] too; give each question its own id'
    ]


def test_the_same_question_under_two_ids_is_told(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp", "chair").replace("a chair", "a lamp"))
    assert problems_of(tmp_path, "our.yml") == ['our.yml:8: questions[1]: asks the very same as "lamp"; drop one of them']


def test_a_suite_listed_twice_is_told(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp"))
    assert problems_of(tmp_path, "core", "our.yml", "core", "./our.yml") == [
        "core (builtin): is listed twice; name each suite file once",
        "./our.yml: is listed twice; name each suite file once",
    ]


def test_no_suite_at_all_is_told(tmp_path: Path) -> None:
    assert problems_of(tmp_path) == ["suites: is empty; name a builtin suite (core, code, structure) or a suite file"]


def test_an_unknown_area_is_told(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "core", areas=["japanes", "sums"]) == [
        'areas: "japanes" is in none of the suites; did you mean "japanese"?',
        'areas: "sums" is in none of the suites; use some of instruction, japanese, reasoning',
    ]
    assert problems_of(tmp_path, "core", areas=[]) == ["areas: is empty; leave it out, or name some of instruction, japanese, reasoning"]


def test_aliases_that_multiply_are_refused(tmp_path: Path) -> None:
    doubled = "".join(f"{name}: &{name} [{', '.join(['*' + before] * 10)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True))
    write(tmp_path, "our.yml", "a: &a [1]\n" + doubled)
    assert problems_of(tmp_path, "our.yml") == ["our.yml: is too large, or repeats itself by aliases; split it into several files"]
