"""Streams are made of well-formed server-sent events, in the order that each API promises."""

from __future__ import annotations

from exporter.demo.behaviour import Behaviour
from tests.demo.asking import Asker, events_of, text_of, with_mock
from tests.demo.questions import SUITE


def test_chat_chunks_join_to_the_plain_answer_and_end_with_done() -> None:
    async def talk(asker: Asker) -> None:
        plain = text_of((await asker.ask(SUITE[0].prompt)).json())
        await asker.client.post("/control/reset")
        response = await asker.ask(SUITE[0].prompt, stream=True)
        assert response.headers["content-type"] == "text/event-stream"
        *chunks, (_, last) = events_of(response.text)
        assert last == "[DONE]"
        assert {chunk["object"] for _, chunk in chunks} == {"chat.completion.chunk"}
        choices = [chunk["choices"][0] for _, chunk in chunks]
        assert "".join(choice["delta"].get("content") or "" for choice in choices) == plain
        assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
        assert all("usage" not in chunk for _, chunk in chunks)

    with_mock(talk)


def test_chat_usage_comes_in_a_last_chunk_without_choices_where_it_was_asked_for() -> None:
    async def talk(asker: Asker) -> None:
        response = await asker.ask(SUITE[0].prompt, stream=True, stream_options={"include_usage": True})
        *chunks, (_, usage), _ = events_of(response.text)
        assert [chunk["usage"] for _, chunk in chunks] == [None] * len(chunks)
        (entry,) = await asker.log()
        assert (usage["choices"], usage["usage"]["prompt_tokens"]) == ([], entry["input_tokens"])
        assert usage["usage"]["completion_tokens"] == entry["output_tokens"]

    with_mock(talk)


def test_message_events_come_in_their_order_and_join_to_the_plain_answer() -> None:
    async def talk(asker: Asker) -> None:
        plain = (await asker.ask(SUITE[0].prompt, api="anthropic")).json()
        await asker.client.post("/control/reset")
        events = events_of((await asker.ask(SUITE[0].prompt, api="anthropic", stream=True)).text)
        assert [name for name, data in events] == [data["type"] for name, data in events]
        names = [name for name, _ in events if name != "content_block_delta"]
        assert names == ["message_start", "ping", "content_block_start", "content_block_stop", "message_delta", "message_stop"]
        said = dict(events)
        text = "".join(data["delta"]["text"] for name, data in events if name == "content_block_delta")
        assert text == text_of(plain)
        assert said["message_start"]["message"]["usage"]["input_tokens"] == plain["usage"]["input_tokens"]
        assert said["message_delta"]["usage"]["output_tokens"] == plain["usage"]["output_tokens"]
        assert said["message_delta"]["delta"]["stop_reason"] == "end_turn"

    with_mock(talk)


def test_a_streamed_refusal_has_its_own_field_in_chat_and_no_content_in_messages() -> None:
    async def talk(asker: Asker) -> None:
        chunks = events_of((await asker.ask("x", stream=True)).text)[:-1]
        assert "".join(chunk["choices"][0]["delta"].get("refusal") or "" for _, chunk in chunks) == "I can't help with that."
        events = events_of((await asker.ask("x", api="anthropic", stream=True)).text)
        assert [name for name, _ in events] == ["message_start", "ping", "message_delta", "message_stop"]
        assert events[2][1]["delta"]["stop_reason"] == "refusal"

    with_mock(talk, {"m": Behaviour(faults={"refusal": 1})})
