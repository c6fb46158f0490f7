from __future__ import annotations

from exporter.probing.estimate import Estimate, RequestCost
from exporter.probing.plan import plan_run, request_of
from exporter.probing.use import PastUse, past_use
from exporter.records import Grade, Question, Reason, Run, RunState, ToolSpec
from tests.probing.builders import PRICE, plan, question, target


def test_all_questions_of_a_sample_come_before_those_of_the_next() -> None:
    asks = plan(3, decision={"samples": 2}).asks
    assert [(ask.question.id, ask.sample) for ask in asks] == [("q1", 0), ("q2", 0), ("q3", 0), ("q1", 1), ("q2", 1), ("q3", 1)]


def cost_of(asked: Question, past: PastUse | None = None, **settings: object) -> RequestCost:
    return plan_run(target(**settings), [asked], PRICE, past).costs[asked.key]


def test_a_question_never_asked_before_is_expected_to_use_an_eighth_of_max_tokens() -> None:
    cost = cost_of(question("x" * 40, max_tokens=4096))
    assert cost == RequestCost(tokens=26 + 512, usd=0.005146, worst_tokens=296 + 4096, worst_usd=0.041256)


def test_a_short_answer_is_expected_to_use_64_tokens_where_it_may() -> None:
    assert cost_of(question("x" * 40, max_tokens=256)).tokens == 26 + 64
    assert cost_of(question("x" * 40, max_tokens=30)).tokens == 26 + 30


def test_the_system_prompt_and_the_tools_are_part_of_what_is_sent() -> None:
    plain = cost_of(question("x"))
    tools = (ToolSpec("search", "Find things", {"type": "object"}),)
    with_both = cost_of(question("x", tools=tools), system="Be brief.")
    assert with_both.tokens - plain.tokens == 23
    assert with_both.worst_tokens - plain.worst_tokens == 9 + 84 + 1024


def test_a_target_without_tools_is_told_of_them_in_the_prompt_alone() -> None:
    asked = question("x", tools=(ToolSpec("search", "Find things", {"type": "object"}),))
    in_words, by_api = (request_of(target(tool_calling=way), asked, 1.0) for way in ("text", "api"))
    assert (by_api.prompt, by_api.tools) == ("x", asked.tools)
    assert in_words.tools == ()
    assert in_words.prompt.startswith("x\n\nYou can use these tools.")
    assert '{"description":"Find things","name":"search","parameters":{"type":"object"}}' in in_words.prompt
    assert request_of(target(tool_calling="text"), question("x"), 1.0) == request_of(target(), question("x"), 1.0)


def test_max_tokens_scale_widens_the_reservation() -> None:
    assert cost_of(question("x", max_tokens=100), max_tokens_scale=3).worst_tokens == 257 + 300


def test_what_past_runs_used_is_expected_again() -> None:
    past = PastUse(input_tokens={"key of q": 41.2}, output_tokens={"key of q": 19.5}, longest_output_tokens={"key of q": 40})
    assert cost_of(question("q"), past).tokens == 42 + 20
    assert cost_of(question("q"), past).worst_tokens == 257 + 100


def test_a_provider_that_was_seen_to_pass_max_tokens_is_reserved_for() -> None:
    past = PastUse(input_tokens={"key of q": 900.0}, output_tokens={"key of q": 150.0}, longest_output_tokens={"key of q": 180})
    assert cost_of(question("q"), past).worst_tokens == 900 + 180


def test_a_run_is_estimated_from_its_requests_and_the_tries_they_are_expected_to_take() -> None:
    past = PastUse(
        input_tokens={"key of q1": 20.0, "key of q2": 30.0},
        output_tokens={"key of q1": 10.0, "key of q2": 50.0},
        tries={"key of q1": 1.0, "key of q2": 3.5},
    )
    planned = plan_run(target(decision={"tries": 3, "samples": 2}), [question("q1"), question("q2")], PRICE, past)
    assert planned.estimate == Estimate(
        requests=2 * (1 + 3),
        tokens=2 * (30 + 3 * 80),
        usd=2 * (0.00012 + 3 * 0.00053),
        worst_tokens=2 * 3 * (358 + 358),
        worst_usd=2 * 3 * (0.001258 + 0.001258),
        headroom_tokens=358 - 30,
        headroom_usd=0.001258 - 0.00012,
    )


def test_questions_never_asked_before_are_expected_to_take_a_try_and_a_quarter() -> None:
    assert plan(8).estimate.requests == 10
    assert plan(8, decision={"tries": 1}).estimate.requests == 8


def test_a_price_not_known_leaves_the_dollars_unknown() -> None:
    unpriced = plan(2, price=None)
    assert unpriced.costs["key of q1"].usd is None
    assert unpriced.costs["key of q1"].worst_usd is None
    assert (unpriced.estimate.usd, unpriced.estimate.worst_usd, unpriced.estimate.headroom_usd) == (None, None, None)
    assert unpriced.estimate.tokens > 0


def test_past_use_is_the_mean_over_usable_answers() -> None:
    def grade(key: str, attempt: int, right: bool | None, tokens_in: int | None, tokens_out: int | None, sample: int = 0) -> Grade:
        reason = None if right is not None else Reason.NETWORK
        return Grade(key, key, "core", "a", sample, attempt, right, 0.0, reason, input_tokens=tokens_in, output_tokens=tokens_out)

    def run(number: int, *grades: Grade) -> Run:
        return Run(number, number, "bot", 1, "p", 0.0, 1.0, RunState.MEASURED, grades=grades)

    runs = [
        run(1, grade("k1", 1, False, 20, 10), grade("k1", 2, True, 20, 40), grade("k2", 1, None, 99, 99)),
        run(2, grade("k1", 1, True, 23, 10), grade("k3", 1, True, None, None), grade("k1", 1, True, 21, 20, sample=1)),
    ]
    assert past_use(runs) == PastUse(
        input_tokens={"k1": 21.0},
        output_tokens={"k1": 20.0},
        longest_output_tokens={"k1": 40},
        tries={"k1": 4 / 3, "k3": 1.0},
    )
