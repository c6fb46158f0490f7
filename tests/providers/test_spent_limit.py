"""An answer that used its last token was cut off, where real servers were seen to call such an answer done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.records import Charge, Reason, Usage
from tests.providers.contract import Wording, ask, for_every_api
from tests.providers.loopback import says, sends
from tests.providers.replies import read, streamed
from tests.providers.wordings import WORDINGS, openai_chat

TOKENS = 3
WHERE_SEEN = [wording for wording in WORDINGS if wording.api in ("openai_responses", "anthropic")]
ELSEWHERE = [wording for wording in WORDINGS if wording not in WHERE_SEEN]


@for_every_api(WHERE_SEEN)
def test_an_answer_of_just_the_limit_was_cut_off_although_it_is_called_done(wording: Wording) -> None:
    plain = ask(wording, says(200, wording.answer("The capital")), max_tokens=TOKENS)
    streamed = ask(wording, sends(wording.stream_head, *wording.stream("The capital")), stream=True, max_tokens=TOKENS)
    assert (plain.reason, plain.message) == (Reason.TRUNCATED, "cut off at the token limit; raise max_tokens_scale")
    assert (plain.usage, plain.charge) == (Usage(12, TOKENS), Charge.REPORTED)
    assert streamed == plain


@for_every_api(WHERE_SEEN)
def test_an_answer_below_or_above_the_limit_is_as_done_as_it_says(wording: Wording) -> None:
    for max_tokens in (TOKENS - 1, TOKENS + 1):
        assert ask(wording, says(200, wording.answer("4")), max_tokens=max_tokens).reason is None


@for_every_api(ELSEWHERE)
def test_elsewhere_the_word_of_the_server_is_believed(wording: Wording) -> None:
    assert ask(wording, says(200, wording.answer("4")), max_tokens=TOKENS).reason is None


CUT_OFF = [
    {"index": 0, "id": "a", "function": {"name": "weather", "arguments": ""}},
    {"index": 0, "function": {"arguments": '{"city": "Os'}},
]


@pytest.mark.parametrize("pieces", [CUT_OFF, CUT_OFF[:1]], ids=["in its arguments", "before them"])
def test_a_call_that_used_the_last_token_was_cut_off_although_the_server_says_tool_calls(pieces: list[object]) -> None:
    said = streamed(*openai_chat.chunks([{"tool_calls": [piece]} for piece in pieces], "tool_calls"))
    used = read("openai_chat", said).usage
    assert used is not None
    answer = read("openai_chat", replace(said, max_tokens=used.output_tokens))
    assert (answer.reason, answer.tool_calls, answer.usage) == (Reason.TRUNCATED, (), used)
    assert read("openai_chat", replace(said, max_tokens=used.output_tokens + 1)).reason is None
