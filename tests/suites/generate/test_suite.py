from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import Phase, given, settings

from exporter.config import FEWEST_GENERATED, MOST_GENERATED
from exporter.records import Answer
from exporter.suites import grade
from exporter.suites.generate import generate_suite
from exporter.suites.generate.puzzle import Level
from exporter.suites.text import canonical_json, digest
from tests.suites.generate.made import LEVELS, SEEDS, questions_of, wrong_answers

SEED = b"a seed of a test, which everybody may know"


@settings(max_examples=4, phases=(Phase.explicit, Phase.generate))
@given(SEEDS)
def test_every_question_passes_its_reference_and_fails_plausible_wrong_answers(seed: bytes) -> None:
    for level in LEVELS:
        for question in questions_of(seed, level, 36):
            assert question.wrong_reference is not None
            wrong = {question.wrong_reference, *wrong_answers(question)}
            assert len(wrong) >= 5
            assert [answer for answer in wrong if grade(question, Answer(text=answer)).right] == []
            assert grade(question, Answer(text=question.reference)).right


def test_the_same_seed_gives_the_same_and_another_gives_others() -> None:
    one, same, other = (generate_suite(seed, "medium", 40) for seed in (SEED, bytes(SEED), SEED + b"!"))
    assert one == same
    shared = {block["prompt"] for block in one["questions"]} & {block["prompt"] for block in other["questions"]}
    assert shared == set()


@pytest.mark.parametrize("level", LEVELS)
def test_the_first_questions_stay_when_more_are_asked_for(level: Level) -> None:
    assert generate_suite(SEED, level, 60)["questions"][:20] == generate_suite(SEED, level, 20)["questions"]


@pytest.mark.parametrize("level", LEVELS)
def test_no_two_questions_are_the_same_however_many_are_asked_for(level: Level) -> None:
    assert len({block["prompt"] for block in generate_suite(SEED, level, MOST_GENERATED)["questions"]}) == MOST_GENERATED


def test_areas_share_the_questions_evenly() -> None:
    assert Counter(question.area for question in questions_of(SEED, "easy", 34)) == {
        "reasoning": 9,
        "language": 9,
        "data": 8,
        "japanese": 8,
    }
    assert set(Counter(question.area for question in questions_of(SEED, "hard", FEWEST_GENERATED)).values()) == {3}


def test_answers_are_hard_to_guess() -> None:
    """The one answer that is right most often, of a thousand questions: nobody scores by always giving it."""
    suites = [generate_suite(SEED + bytes([number]), "easy", 34) for number in range(30)]
    answers = Counter(block["reference"] for suite in suites for block in suite["questions"])
    assert answers.most_common(1)[0][1] / answers.total() < 0.02


def test_questions_get_longer_and_may_be_answered_at_greater_length_with_each_level() -> None:
    easy, medium, hard = (generate_suite(SEED, level, 100)["questions"] for level in LEVELS)
    lengths = [sum(len(block["prompt"]) for block in blocks) for blocks in (easy, medium, hard)]
    assert lengths[0] * 1.2 < lengths[1]
    assert lengths[1] * 1.2 < lengths[2]
    assert [blocks[0]["max_tokens"] for blocks in (easy, medium, hard)] == [1024, 2048, 4096]


def test_nothing_of_the_seed_is_in_the_suite() -> None:
    seed = b"correct-horse-battery"
    text = str(generate_suite(seed, "hard", 40))
    assert not any(word in text for word in ("correct", "horse", "battery", seed.hex()))


def test_the_questions_of_a_seed_are_these() -> None:
    """Literal, for the baseline of whoever has a seed: what fails here needs a new VERSION and a line in the changelog."""
    suites = {level: generate_suite(SEED, level, 48) for level in LEVELS}
    easy = suites["easy"]["questions"]
    assert [easy[3]["prompt"], easy[4]["prompt"]] == [
        "漢数字「三千三百七十九」を算用数字（0から9）だけで書いてください。",
        "Which date is 50 days after 8 December 2011? Write it as YYYY-MM-DD.",
    ]
    assert [block["reference"].removeprefix("ANSWER: ") for block in easy[:6]] == [
        "2730",
        "7",
        "83",
        "3379",
        "2012-01-27",
        "cherry, gravel, kettle, kitchen, pepper",
    ]
    assert {level: digest(canonical_json(suite)) for level, suite in suites.items()} == {
        "easy": "4547173606348532",
        "medium": "e073b30f63263c97",
        "hard": "f4f0f1a0e227fd3b",
    }
