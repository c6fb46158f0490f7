"""Every answer of the core suite that can be computed, computed from first principles out of the question's own words."""

from __future__ import annotations

import datetime
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.records import Answer, Extract, Question
from exporter.suites import grade, load_suites

QUESTIONS = {question.id: question for question in load_suites(["core"], Path())}
NOT_COMPUTED = {"japanese-particle", "japanese-honorific"}
FREE = {"instruction-lipogram", "instruction-seven-words", "instruction-first-and-last"}


def paragraph(number: int) -> Callable[[Question], str]:
    """The text that a question is about: its n-th paragraph."""
    return lambda question: question.prompt.split("\n\n")[number].strip()


given_text = paragraph(1)


def multiply(question: Question) -> str:
    left, right = (int(number.replace(",", "")) for number in re.findall(r"\d[\d,]+\d", question.prompt))
    return str(sum(left * int(digit) * 10**place for place, digit in enumerate(reversed(str(right)))))


def remainder(question: Question) -> str:
    base, power, divisor = map(int, re.findall(r"\d+", question.prompt))
    return str(base**power - base**power // divisor * divisor)


def count_letters(question: Question) -> str:
    return str(sum(letter in "eE" for letter in given_text(question)))


def sort_letters(question: Question) -> str:
    (word,) = re.findall(r'"(\w+)"', question.prompt)
    return "".join(sorted(word))


def reverse(question: Question) -> str:
    return "".join(reversed(given_text(question)))


def days_after(question: Question) -> str:
    assert "200 days after 17 November 2023" in question.prompt
    day = datetime.date(2023, 11, 17)
    for _ in range(200):
        day += datetime.timedelta(days=1)
    return day.isoformat()


def weekday(question: Question) -> str:
    assert "1 March 2027 is a Monday" in question.prompt
    assert datetime.date(2027, 3, 1).strftime("%A") == "Monday"
    assert "does 1 March 2029 fall" in question.prompt
    return datetime.date(2029, 3, 1).strftime("%A")


def minutes(question: Question) -> str:
    (leaves, arrives) = [int(hour) * 60 + int(minute) for hour, minute in re.findall(r"(\d\d):(\d\d)", question.prompt)]
    return str(24 * 60 - leaves + arrives)


def third_of_the_race(question: Question) -> str:
    thirds = {
        order[2]
        for order in itertools.permutations(["Ada", "Ben", "Cleo", "Dan", "Eve"])
        if order[0] == "Dan"
        and order.index("Ada") < order.index("Ben")
        and order.index("Cleo") == order.index("Ben") + 1
        and order.index("Eve") > order.index("Cleo")
    }
    (third,) = thirds
    return third


def the_knight(question: Question) -> str:
    worlds = [
        (mira, noor, otis)
        for mira, noor, otis in itertools.product([True, False], repeat=3)
        if mira == (not noor) and noor == (mira == otis) and otis == (not mira)
    ]
    assert worlds == [(True, False, False)]
    return "Mira"


def change(question: Question) -> str:
    notebook, pen = (round(float(price) * 100) for price in re.findall(r"\d\.\d\d", question.prompt))
    cents = 5000 - 4 * notebook - 6 * pen
    return f"{cents // 100}.{cents % 100:02}"


def binary(question: Question) -> str:
    (number,) = map(int, re.findall(r"\d+", question.prompt))
    digits = ""
    while number:
        number, bit = divmod(number, 2)
        digits = str(bit) + digits
    return digits


def ways_to_pay(question: Question) -> str:
    return str(sum(5 * a + 10 * b + 25 * c == 60 for a in range(13) for b in range(7) for c in range(3)))


def booking(question: Question) -> str:
    city, nights = re.findall(r"in (\w+) for (\d) nights", question.prompt)[0]
    return json.dumps({"city": city, "nights": int(nights), "breakfast": "without breakfast" not in question.prompt})


def five_letter_words(question: Question) -> str:
    words = given_text(question).rstrip(".").lower().split()
    return json.dumps([word for word in words if len(word) == 5])


def countdown(question: Question) -> str:
    return "\n".join(["seven", "six", "five", "four", "three", "two", "one"])


def in_capitals(question: Question) -> str:
    return given_text(question).upper().replace(",", "")


def csv(question: Question) -> str:
    people = re.findall(r"(\w+) was born in (\d{4}) and lives in (\w+)\.", question.prompt)
    return "\n".join(["name;year;city", *(";".join(person) for person in sorted(people, key=lambda person: person[1]))])


def every_third_word(question: Question) -> str:
    words = given_text(question).split()
    return " ".join(word.upper() if place % 3 == 0 else word for place, word in enumerate(words, start=1))


def numbered(question: Question) -> str:
    trees = sorted(given_text(question).split(", "))
    return "; ".join(f"({place}) {tree}" for place, tree in enumerate(trees, start=1))


def count_no(question: Question) -> str:
    return str(sum(character == "の" for character in given_text(question)))


def count_kanji(question: Question) -> str:
    return str(sum("\u4e00" <= character <= "\u9fff" for character in given_text(question)))


def in_kana_order(question: Question) -> str:
    order = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    return "、".join(sorted(given_text(question).split("、"), key=lambda word: [order.index(kana) for kana in word]))


def days_after_in_japanese(question: Question) -> str:
    year, month, day, days = map(int, re.findall(r"\d+", question.prompt)[:4])
    date = datetime.date(year, month, day) + datetime.timedelta(days)
    return f"{date.year}年{date.month}月{date.day}日"


def weekday_in_japanese(question: Question) -> str:
    days = "月火水木金土日"
    (today,) = re.findall(r"今日が(.)曜日", question.prompt)
    (later,) = re.findall(r"(\d+)日後", question.prompt)
    return f"{days[(days.index(today) + int(later)) % 7]}曜日"


def numeral(question: Question) -> str:
    (written,) = re.findall("「(.+?)」", question.prompt)
    total = section = digit = 0
    for character in written:
        if character in "一二三四五六七八九":
            digit = "一二三四五六七八九".index(character) + 1
        elif character in "十百千":
            section += (digit or 1) * 10 ** ("十百千".index(character) + 1)
            digit = 0
        else:
            total += (section + digit) * {"万": 10**4, "億": 10**8}[character]
            section = digit = 0
    return str(total + section + digit)


def second_smallest(question: Question) -> str:
    seconds = {
        order[1]
        for order in itertools.permutations(["太郎", "花子", "次郎", "三郎"])
        if order.index("太郎") > order.index("花子")
        and order.index("次郎") > order.index("太郎")
        and order.index("花子") > order.index("三郎")
    }
    (second,) = seconds
    return second


def to_katakana(question: Question) -> str:
    return "".join(chr(ord(kana) + ord("ア") - ord("あ")) for kana in given_text(question))


COMPUTED: dict[str, Callable[[Question], str]] = {
    "reasoning-multiply": multiply,
    "reasoning-remainder": remainder,
    "reasoning-count-letters": count_letters,
    "reasoning-sort-letters": sort_letters,
    "reasoning-reverse": reverse,
    "reasoning-days-after": days_after,
    "reasoning-weekday": weekday,
    "reasoning-minutes": minutes,
    "reasoning-order": third_of_the_race,
    "reasoning-knights": the_knight,
    "reasoning-change": change,
    "reasoning-binary": binary,
    "reasoning-ways": ways_to_pay,
    "instruction-json-object": booking,
    "instruction-json-words": five_letter_words,
    "instruction-countdown": countdown,
    "instruction-capitals": in_capitals,
    "instruction-csv": csv,
    "instruction-every-third-word": every_third_word,
    "instruction-numbered": numbered,
    "japanese-count-kana": count_no,
    "japanese-reverse": reverse,
    "japanese-count-kanji": count_kanji,
    "japanese-sort": in_kana_order,
    "japanese-days-after": days_after_in_japanese,
    "japanese-weekday": weekday_in_japanese,
    "japanese-numeral": numeral,
    "japanese-height": second_smallest,
    "japanese-katakana": to_katakana,
}


@pytest.mark.parametrize("question_id", COMPUTED)
def test_the_computed_answer_is_the_right_one(question_id: str) -> None:
    question = QUESTIONS[question_id]
    computed = COMPUTED[question_id](question)
    text = f"ANSWER: {computed}" if question.extract is Extract.ANSWER_LINE else computed
    ruling = grade(question, Answer(text=text))
    assert ruling.right, computed


def test_every_question_is_computed_or_known_not_to_be() -> None:
    assert set(COMPUTED) | NOT_COMPUTED | FREE == set(QUESTIONS)


def test_the_free_references_keep_their_rules_by_plain_counting() -> None:
    lipogram = QUESTIONS["instruction-lipogram"].reference
    assert "e" not in lipogram.lower()
    assert "ship" in lipogram.split()
    assert 8 <= len(lipogram.split()) <= 12
    seven = QUESTIONS["instruction-seven-words"].reference.split(" ")
    assert [word[0] for word in seven] == ["b"] * 7
    framed = QUESTIONS["instruction-first-and-last"].reference
    assert framed.split()[0] == "Because"
    assert framed.rstrip(".").split()[-4:] == ["and", "that", "is", "all"]
