from __future__ import annotations

from pathlib import Path

from exporter.records import Extract
from exporter.suites import load_suites
from tests.suites.examples import suite_of, write

SUM = '{"id": "c", "area": "x", "prompt": "C?", "grader": {"kind": "number", "value": 1}, "reference": "ANSWER: 1"}'


def test_a_suite_file_becomes_questions_in_its_order(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp", "chair"))
    lamp, chair = load_suites(["our.yml"], tmp_path)
    assert (lamp.id, chair.id) == ("lamp", "chair")
    assert (lamp.suite, lamp.area, lamp.extract, lamp.max_tokens, lamp.tools) == ("mine", "support", Extract.ANSWER_LINE, 1024, ())
    assert lamp.grader == {"kind": "exact", "answers": ["no"]}
    assert (lamp.reference, lamp.wrong_reference) == ("ANSWER: no", None)


def test_the_prompt_is_the_whole_text_sent(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp"))
    (question,) = load_suites(["our.yml"], tmp_path)
    assert question.prompt == (
        "May I return a lamp after 40 days?\n\n"
        "You may reason first. Finish your reply with a line of its own that gives only your answer, in exactly this form:\n"
        "ANSWER: <your answer>"
    )


def test_the_instruction_is_in_the_language_of_the_question_or_else_of_the_file(tmp_path: Path) -> None:
    text = suite_of("lamp", "chair").replace("questions:", "language: ja\nquestions:")
    write(tmp_path, "our.yml", text + "    language: en\n")
    japanese, english = load_suites(["our.yml"], tmp_path)
    assert japanese.prompt.endswith("返答の最後の行には、次の形式で答えだけを書いてください。\nANSWER: <答え>")
    assert english.prompt.endswith("in exactly this form:\nANSWER: <your answer>")


def test_nothing_is_added_to_a_prompt_whose_whole_answer_is_graded(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp").replace('"ANSWER: no"', "no") + "    extract: full\n")
    (question,) = load_suites(["our.yml"], tmp_path)
    assert question.prompt == "May I return a lamp after 40 days?"


def test_refs_may_be_names_files_and_folders(tmp_path: Path) -> None:
    write(tmp_path, "one.yaml", suite_of("a", name="one"))
    write(tmp_path, "more/b.yml", suite_of("b", name="two"))
    write(tmp_path, "more/a.jsonl", SUM + "\n")
    write(tmp_path, "more/readme.txt", "no suite")
    questions = load_suites(["core", "./one.yaml", "more/"], tmp_path)
    assert len(questions) == 37
    assert [(question.suite, question.id) for question in questions[34:]] == [("one", "a"), ("a", "c"), ("two", "b")]


def test_an_absolute_path_is_taken_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path, "our.yml", suite_of("lamp"))
    assert len(load_suites([str(path)], tmp_path / "elsewhere")) == 1


def test_json_with_tabs_and_surrogate_pairs_is_read_as_json_reads_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        "our.json",
        '{\n\t"suite": "mine",\n\t"questions": [\n\t\t{"id": "a", "area": "x", "prompt": "\\ud83d\\ude00?", "extract": "full",'
        ' "grader": {"kind": "exact", "answers": ["no"]}, "reference": "no"}\n\t]\n}\n',
    )
    (question,) = load_suites(["our.json"], tmp_path)
    assert question.prompt == "😀?"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", "\ufeff" + suite_of("lamp"))
    write(tmp_path, "our.json", '\ufeff{"suite": "x", "questions": [' + SUM + "]}")
    assert len(load_suites(["our.yml", "our.json"], tmp_path)) == 2


def test_words_that_older_yaml_would_turn_into_something_else_stay_texts(tmp_path: Path) -> None:
    words = ["no", "on", "12:30", "2024-02-29", "012", "0x1F", "1_000"]
    write(tmp_path, "our.yml", suite_of("lamp").replace("[no]", f"[{', '.join(words)}]"))
    (question,) = load_suites(["our.yml"], tmp_path)
    assert question.grader["answers"] == words


def test_areas_choose_questions(tmp_path: Path) -> None:
    assert len(load_suites(["core"], tmp_path, areas=["japanese"])) == 11
    assert {question.area for question in load_suites(["core"], tmp_path, ["reasoning", "japanese"])} == {"reasoning", "japanese"}


def test_the_key_is_that_of_what_makes_the_question(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp"))
    (before,) = load_suites(["our.yml"], tmp_path)
    same = {
        "id": suite_of("lamp").replace("id: lamp", "id: other"),
        "area": suite_of("lamp").replace("area: support", "area: other"),
        "suite": suite_of("lamp", name="other"),
        "reference": suite_of("lamp").replace('"ANSWER: no"', '"ANSWER: No."'),
        "a default spelled out": suite_of("lamp").replace("[no]}", "[no], strict: false}")
        + "    extract: answer_line\n    max_tokens: 1024\n",
    }
    other = {
        "prompt": suite_of("lamp").replace("40", "41"),
        "grader": suite_of("lamp").replace("[no]}", "[no], case_sensitive: true}"),
        "answers": suite_of("lamp").replace("[no]", "[no, nope]"),
        "extract": suite_of("lamp").replace('"ANSWER: no"', "no") + "    extract: full\n",
        "max_tokens": suite_of("lamp") + "    max_tokens: 1025\n",
        "language": suite_of("lamp") + "    language: ja\n",
    }
    for change, text in {**same, **other}.items():
        write(tmp_path, "our.yml", text)
        (after,) = load_suites(["our.yml"], tmp_path)
        assert (after.key == before.key) == (change in same), change


def test_a_key_is_16_hex_digits_and_stays_the_same_from_version_to_version(tmp_path: Path) -> None:
    write(tmp_path, "our.yml", suite_of("lamp"))
    (question,) = load_suites(["our.yml"], tmp_path)
    assert question.key == "3dc1bda97bf82312"
