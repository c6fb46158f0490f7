"""What the pretended models say, over real HTTP."""

from __future__ import annotations

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.demo.tokens import count_tokens
from tests.demo.asking import Asker, text_of, with_mock
from tests.demo.questions import SUITE, made_question

APIS = ("openai_chat", "anthropic")


@pytest.mark.parametrize("api", APIS)
def test_a_perfect_model_ends_with_the_reference_every_time(api: str) -> None:
    async def talk(asker: Asker) -> None:
        for question in SUITE:
            assert (await asker.answer(question, api=api)).endswith(question.reference)

    with_mock(talk)


def test_a_question_graded_whole_is_answered_with_the_reference_alone() -> None:
    async def talk(asker: Asker) -> None:
        body = (await asker.ask(SUITE[20].prompt)).json()
        assert text_of(body) == "42"
        assert body["usage"]["completion_tokens"] == 1 + body["usage"]["completion_tokens_details"]["reasoning_tokens"]

    with_mock(talk)


def test_the_prompt_may_come_as_a_list_of_parts_after_other_messages() -> None:
    async def talk(asker: Asker) -> None:
        messages = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": [{"type": "text", "text": "What is 3 + 3?"}]},
        ]
        assert text_of((await asker.ask("", messages=messages)).json()).endswith("ANSWER: 6")

    with_mock(talk)


def test_a_prompt_of_no_suite_is_answered_without_an_answer() -> None:
    async def talk(asker: Asker) -> None:
        assert text_of((await asker.ask("Who are you?")).json()) == "I only know the questions of my suite."
        (entry,) = await asker.log()
        assert (entry["question"], entry["right"]) == (None, None)

    with_mock(talk)


def test_lost_questions_are_always_wrong_and_the_others_are_not() -> None:
    async def talk(asker: Asker) -> None:
        for _ in range(3):
            assert (await asker.answer(SUITE[1])).endswith("ANSWER: 5")
            assert (await asker.answer(SUITE[2])).endswith("ANSWER: 6")

    with_mock(talk, {"m": Behaviour(lost=("q2",))})


@pytest.mark.parametrize(("ratio", "lost"), [(0.0, 0), (0.1, 2), (0.2, 4), (1.0, 21)])
def test_a_lost_share_is_exact(ratio: float, lost: int) -> None:
    async def talk(asker: Asker) -> None:
        for question in SUITE:
            await asker.ask(question.prompt)
        assert sum(not entry["right"] for entry in await asker.log()) == lost

    with_mock(talk, {"m": Behaviour(lost_ratio=ratio)})


def test_a_larger_lost_share_holds_every_smaller_one() -> None:
    async def talk(asker: Asker) -> None:
        wrong: list[set[str]] = []
        for ratio in (0.2, 0.5):
            await asker.client.patch("/control", json={"models": {"m": {"lost_ratio": ratio}}})
            for question in SUITE:
                await asker.ask(question.prompt)
            wrong.append({entry["question"] for entry in (await asker.log())[-len(SUITE) :] if not entry["right"]})
        assert len(wrong[0]) == 4
        assert wrong[0] < wrong[1]

    with_mock(talk)


def test_a_strong_model_misses_some_questions_now_and_then() -> None:
    async def talk(asker: Asker) -> None:
        for question in SUITE * 5:
            await asker.ask(question.prompt)
        assert sum(not entry["right"] for entry in await asker.log()) == 8

    with_mock(talk, {"m": Behaviour(profile="strong")})


def test_a_question_without_a_wrong_reference_still_has_a_wrong_answer() -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.answer(SUITE[0])).endswith("ANSWER: I have no idea.")

    question = made_question(1)
    bare = type(question)(**{**{name: getattr(question, name) for name in question.__slots__}, "wrong_reference": None})
    with_mock(talk, {"m": Behaviour(lost=("q1",))}, suite=(bare,))


def test_several_models_behave_each_in_their_own_way() -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.answer(SUITE[1], model="good")).endswith("ANSWER: 4")
        assert (await asker.answer(SUITE[1], model="bad")).endswith("ANSWER: 5")
        assert [entry["model"] for entry in await asker.log("bad")] == ["bad"]

    with_mock(talk, {"good": Behaviour(), "bad": Behaviour(lost_ratio=1.0)})


@pytest.mark.parametrize("api", APIS)
def test_the_response_names_the_model_asked_for_unless_told_otherwise(api: str) -> None:
    async def talk(asker: Asker) -> None:
        assert (await asker.ask("x", api=api, model="alias")).json()["model"] == "alias"
        assert (await asker.ask("x", api=api, model="moved")).json()["model"] == "moved-2026-11-01"

    with_mock(talk, {"alias": Behaviour(), "moved": Behaviour(served_model="moved-2026-11-01")})


def test_a_minority_of_answers_may_come_from_another_model() -> None:
    async def talk(asker: Asker) -> None:
        served = [(await asker.ask(question.prompt)).json()["model"] for question in SUITE]
        assert (served.count("m"), served.count("other")) == (12, 9)

    with_mock(talk, {"m": Behaviour(minority_model="other", minority_ratio=0.3)})


def test_fingerprint_and_cache_headers_are_sent_when_set() -> None:
    async def talk(asker: Asker) -> None:
        plain, set_up = await asker.ask("x"), await asker.ask("x", model="n")
        assert (plain.json()["system_fingerprint"], set_up.json()["system_fingerprint"]) == (None, "fp_1")
        assert ("x-cache" in plain.headers, set_up.headers["x-cache"]) == (False, "HIT")

    with_mock(talk, {"m": Behaviour(), "n": Behaviour(system_fingerprint="fp_1", cached=True)})


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
def test_usage_can_be_missing(api: str, stream: bool) -> None:
    async def talk(asker: Asker) -> None:
        fields = {"stream": stream, "stream_options": {"include_usage": True}} if stream else {}
        said = (await asker.ask("x", api=api, **fields)).text.replace('"usage": null', "")
        assert '"usage"' not in said

    with_mock(talk, {"m": Behaviour(usage=False)})


def test_reported_output_tokens_are_those_of_the_text() -> None:
    async def talk(asker: Asker) -> None:
        body = (await asker.ask(SUITE[0].prompt)).json()
        assert body["usage"]["completion_tokens"] == count_tokens(text_of(body))

    with_mock(talk)


def test_answers_of_a_wordier_model_are_longer_by_that_factor() -> None:
    async def talk(asker: Asker) -> None:
        lengths = []
        for factor in (1.0, 2.0):
            await asker.client.post("/control/reset")
            await asker.client.patch("/control", json={"models": {"m": {"length_factor": factor}}})
            for question in SUITE[:20]:
                await asker.ask(question.prompt)
            lengths.append(sum(entry["output_tokens"] for entry in await asker.log()))
        assert lengths == [1110, 2164]

    with_mock(talk)


def test_an_answer_that_passes_its_token_limit_is_cut() -> None:
    async def talk(asker: Asker) -> None:
        choice = (await asker.ask(SUITE[0].prompt, max_tokens=20)).json()["choices"][0]
        assert choice["finish_reason"] == "length"
        assert count_tokens(choice["message"]["content"]) == 20

    with_mock(talk, {"m": Behaviour(length_factor=10.0)})


def test_a_slow_model_takes_its_time() -> None:
    async def talk(asker: Asker) -> None:
        await asker.ask("x")
        assert asker.clock.slept == [2.5]

    with_mock(talk, {"m": Behaviour(latency_seconds=2.5)})


def test_only_the_right_key_is_let_in() -> None:
    async def talk(asker: Asker) -> None:
        statuses = [
            (await asker.ask(SUITE[0].prompt, headers=headers)).status_code
            for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer right"}, {"x-api-key": "right"})
        ]
        assert statuses == [401, 401, 200, 401]
        assert [entry["attempt"] for entry in await asker.log()] == [0, 0, 1, 0]

    with_mock(talk, {"m": Behaviour(api_key="right")})


@pytest.mark.parametrize("api", APIS)
def test_a_model_that_is_not_there_is_not_found(api: str) -> None:
    async def talk(asker: Asker) -> None:
        response = await asker.ask("x", api=api, model="gone")
        assert response.status_code == 404
        assert "gone" in response.json()["error"]["message"]

    with_mock(talk)


@pytest.mark.parametrize(
    ("api", "fields", "message"),
    [
        ("openai_chat", {"model": None}, "you must provide a model parameter"),
        ("openai_chat", {"messages": []}, "messages: at least one message is required"),
        ("openai_chat", {"messages": [{"role": "system", "content": "x"}]}, "messages: no message with role user"),
        ("openai_chat", {"messages": [{"role": "user", "content": 7}]}, "messages: content must be a string or a list of parts"),
        ("openai_chat", {"max_tokens": 0}, "max_tokens: must be an integer above 0"),
        ("openai_chat", {"stream": "yes"}, "stream: must be true or false"),
        ("openai_chat", {"stream_options": 1}, "Invalid type for 'stream_options': expected an object."),
        ("anthropic", {"max_tokens": None}, "max_tokens: Field required"),
    ],
)
def test_a_bad_request_is_turned_away_and_written_down(api: str, fields: dict[str, object], message: str) -> None:
    async def talk(asker: Asker) -> None:
        response = await asker.ask("x", api=api, **fields)
        assert (response.status_code, response.json()["error"]["message"]) == (400, message)
        assert [entry["status"] for entry in await asker.log()] == [400]

    with_mock(talk)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff"])
def test_a_body_that_is_no_json_object_is_turned_away(content: bytes) -> None:
    async def talk(asker: Asker) -> None:
        response = await asker.client.post("/v1/messages", content=content)
        assert response.json()["error"]["message"] == "We could not parse the JSON body of your request."

    with_mock(talk)
