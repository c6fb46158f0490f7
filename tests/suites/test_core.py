"""The core suite keeps its promises, and its graders take a right answer in any plausible form."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from exporter.records import Answer, Extract, Question
from exporter.suites import grade, load_suites
from exporter.suites.extraction import extract

QUESTIONS = load_suites(["core"], Path())
ON_A_LINE = [question for question in QUESTIONS if question.extract is Extract.ANSWER_LINE]
WHOLE = [question for question in QUESTIONS if question.extract is not Extract.ANSWER_LINE]

DRESSES = [
    "ANSWER: {}",
    "**ANSWER:** {}",
    "**ANSWER: {}**",
    "answer: {}.",
    "ANSWER：{}。",
    "- ANSWER: **{}**",
    "ANSWER:\n{}",
    "ANSWER: `{}`",
    'ANSWER: "{}"',
    "ANSWER: 「{}」",
    "### Final Answer: {}",
    r"ANSWER: \boxed{{{}}}",
    r"ANSWER: $\boxed{{\text{{{}}}}}$",
    "<think>\nIt might be seven.\nANSWER: seven\n</think>\n\nANSWER: {}",
    "ANSWER: <your answer>\n\nANSWER: {}\n\nLet me know if you need more.",
]

OTHER_FORMS = {
    "reasoning-multiply": ["4510855233", "4 510 855 233", "$4{,}510{,}855{,}233$", "4.510.855.233", "48,179 × 93,627 = 4,510,855,233"],
    "reasoning-count-letters": ["33 times", "33 (thirty-three)"],
    "reasoning-sort-letters": ["DEHMNORRSSTTU", "d e h m n o r r s s t t u", "d, e, h, m, n, o, r, r, s, s, t, t, u"],
    "reasoning-days-after": ["4 June 2024", "June 4, 2024", "2024‑06‑04"],
    "reasoning-weekday": ["thursday", "THURSDAY.", "Thu"],
    "reasoning-minutes": ["448 minutes", "448 min", "448 minutes (7 hours and 28 minutes)"],
    "reasoning-change": ["30.9", "30,90", "€30.90", "30.90 €", "30.90 euros", "EUR 30.90"],
    "reasoning-binary": ["1011 1010 1101", "0b101110101101", "101110101101₂", "$101110101101_2$", "$101110101101_{2}$", "(101110101101)₂"],
    "japanese-count-kana": ["１１", "11回", "11回です。"],
    "japanese-count-kanji": ["24文字", "２４字"],
    "japanese-sort": ["かえる,かに,かめ,からす,きつね", "かえる → かに → かめ → からす → きつね", "かえる かに かめ からす きつね"],
    "japanese-particle": ["「に」"],
    "japanese-days-after": ["２０２８年３月４日", "2028 年 3 月 4 日", "2028-03-04", "2028年 3月 4日"],
    "japanese-weekday": ["金曜", "Friday"],
    "japanese-numeral": ["730,050,408", "７３００５０４０８"],
    "japanese-height": ["花子さん"],
    "japanese-katakana": ["ｼｮｳｶﾞｯｺｳﾉﾄｼｮｼﾂ"],
    "instruction-json-object": ['```json\n{"breakfast": false, "city": "Porto", "nights": 3}\n```'],
    "instruction-json-words": ['```json\n[\n  "small", "brown", "otter", "while", "gulls",\n  "cried", "above", "seven", "boats"\n]\n```'],
    "instruction-countdown": ["```\nseven\nsix\nfive\nfour\nthree\ntwo\none\n```", "seven  \nsix  \nfive  \nfour  \nthree  \ntwo  \none"],
    "instruction-capitals": ['"AT NOON THE FERRY LEFT THE HARBOUR TURNED WEST AND SOUNDED ITS HORN TWICE."'],
    "instruction-lipogram": [
        "A small ship sails north, far from its warm harbor.",
        '"That ship ran into fog, still it found a far-off island."',
        "**With half of its staff ill, our ship still got to Morocco!**",
    ],
    "instruction-seven-words": ["Big brown bears bravely built bamboo boats"],
    "instruction-csv": ["name;year;city\nTomas;1979;Brno\nLena;1984;Graz\nIris;1991;Lyon\n"],
    "instruction-first-and-last": [
        "Because frozen water is lighter. It therefore floats, and that is all",
        "**Because** ice is light, it floats and that is all!",
    ],
    "instruction-every-third-word": [
        "The old CLOCK in the STATION tower stopped AT ten while TWO sleepy porters CARRIED a heavy TRUNK through the RAIN"
    ],
    "instruction-numbered": ["(1) alder; (2) elm; (3) hazel; (4) maple; (5) rowan."],
}

OTHER_MISTAKES = {
    "reasoning-multiply": ["4510855234", "4510855.233"],
    "reasoning-sort-letters": ["dehmnorrssttuu"],
    "reasoning-reverse": ["YSSOM-7QX9-TU0RT-KN4LP", "yssom7Qx9tu0rTkn4lp"],
    "reasoning-binary": ["2989", "0xbad", "10111010110"],
    "reasoning-order": ["Ada or Ben", "Ben and Cleo"],
    "japanese-numeral": ["7億3005万408", "七億三千五万四百八"],
    "japanese-sort": ["かえる、かに、かめ、からす", "からす、きつね、かめ、かえる、かに"],
    "japanese-katakana": ["しょうがっこうのとしょしつ"],
    "instruction-json-object": [
        'Here you are: {"city": "Porto", "nights": 3, "breakfast": false}',
        '{"city": "Porto", "nights": 3, "breakfast": null}',
        '{"city": "Porto", "nights": 3, "breakfast": false, "guests": 1}',
    ],
    "instruction-json-words": ['["otter", "small", "brown", "while", "gulls", "cried", "above", "seven", "boats"]'],
    "instruction-countdown": ["Seven\nSix\nFive\nFour\nThree\nTwo\nOne", "seven six five four three two one", "7\n6\n5\n4\n3\n2\n1"],
    "instruction-capitals": ["At noon the ferry left the harbour turned west and sounded its horn twice."],
    "instruction-lipogram": [
        "A small ship sails north.",
        "A small boat sails north, far from its warm harbor.",
        "A small ship sails north, far from its warm harbor and along many rocky coasts.",
    ],
    "instruction-seven-words": [
        "big brown bears build boats",
        "big brown bears bravely build bamboo boats by bays",
        "big, brown, bears, build, bamboo, boats, boldly",
    ],
    "instruction-csv": [
        "name; year; city\nTomas; 1979; Brno\nLena; 1984; Graz\nIris; 1991; Lyon",
        "name;year;city\nTomas;1979;Brno\nLena;1984;Graz",
    ],
    "instruction-first-and-last": ["Because of water, and that is all. Any questions?", "Because I said so, and that is all."],
    "instruction-every-third-word": [
        "The old clock in the station tower stopped at ten while two sleepy porters carried a heavy trunk through the rain."
    ],
    "instruction-numbered": ["(1) alder, (2) elm, (3) hazel, (4) maple, (5) rowan", "(1) alder\n(2) elm\n(3) hazel\n(4) maple\n(5) rowan"],
}


def right(question: Question, text: str) -> bool:
    return grade(question, Answer(text=text)).right


def dressed(question: Question, answer: str) -> str:
    return f"Let me think.\n\nANSWER: {answer}" if question.extract is Extract.ANSWER_LINE else answer


def by_id(forms: dict[str, list[str]]) -> list[tuple[Question, str]]:
    questions = {question.id: question for question in QUESTIONS}
    return [(questions[question_id], form) for question_id, listed in forms.items() for form in listed]


def test_there_are_34_questions_in_three_areas() -> None:
    assert Counter(question.area for question in QUESTIONS) == {"reasoning": 13, "instruction": 10, "japanese": 11}
    assert {question.suite for question in QUESTIONS} == {"core"}


def test_about_a_third_may_think_for_long_and_the_whole_stays_below_the_default_cap() -> None:
    assert max(question.max_tokens for question in QUESTIONS) == 4096
    assert sum(question.max_tokens == 4096 for question in QUESTIONS) == 13
    assert sum(question.max_tokens for question in QUESTIONS) < 100_000


def test_every_question_has_a_wrong_reference_beside_the_right_one() -> None:
    """Whether they hold is found out by loading them."""
    assert all(question.wrong_reference for question in QUESTIONS)


def test_every_japanese_question_is_asked_in_japanese() -> None:
    assert all(question.prompt.endswith("ANSWER: <答え>") for question in QUESTIONS if question.area == "japanese")


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("question", ON_A_LINE, ids=lambda question: question.id)
def test_a_right_answer_is_right_in_any_dress(question: Question, dress: str) -> None:
    answer = extract(question.extract, Answer(text=question.reference)).text
    assert right(question, f"First some words about it.\n\n{dress.format(answer)}")


@pytest.mark.parametrize("question", WHOLE, ids=lambda question: question.id)
def test_a_right_reply_is_right_behind_thoughts_and_with_space_around(question: Question) -> None:
    assert right(question, f"<think>Hm: e, 1, 2.</think>\r\n\r\n{question.reference}\r\n")


@pytest.mark.parametrize(("question", "form"), by_id(OTHER_FORMS), ids=lambda value: getattr(value, "id", repr(value)))
def test_a_right_answer_is_right_in_other_plausible_forms(question: Question, form: str) -> None:
    assert right(question, dressed(question, form))


@pytest.mark.parametrize(("question", "form"), by_id(OTHER_MISTAKES), ids=lambda value: getattr(value, "id", repr(value)))
def test_a_near_miss_is_wrong(question: Question, form: str) -> None:
    assert not right(question, dressed(question, form))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_no_answer_at_all_is_wrong(question: Question) -> None:
    for text in ("", "I don't know.", "わかりません。", question.prompt, f"You asked:\n> {question.prompt}\nI cannot say.", "ANSWER:"):
        assert not right(question, text)
        assert not right(question, dressed(question, text))


@pytest.mark.parametrize("question", ON_A_LINE, ids=lambda question: question.id)
def test_a_right_answer_taken_back_is_wrong(question: Question) -> None:
    assert not right(question, f"{question.reference}\nNo, wait.\n{question.wrong_reference}")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_the_answer_to_another_question_is_wrong(question: Question) -> None:
    others = [other for other in QUESTIONS if other is not question]
    assert [other.id for other in others if right(question, other.reference)] == []
