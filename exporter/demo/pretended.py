"""The pretended models: what each of them says the n-th time it is asked a question, whatever else is asked meanwhile."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.demo.behaviour import PROFILES, Behaviour
from exporter.demo.dice import lowest, pick, uniform
from exporter.demo.exchange import Ask, Finish, Reply, Tokens
from exporter.demo.faults import FAULTS, Fault
from exporter.demo.tokens import count_tokens, cut_to_tokens
from exporter.records import Extract, Question
from exporter.suites import add_tools, read_text_calls

_WORKING = ("first", "then", "so", "here", "the", "next", "step", "is", "to", "look", "at", "this", "part", "again", "and", "count", "it")
_UNKNOWN_PROMPT = "I only know the questions of my suite."
_NO_IDEA = "ANSWER: I have no idea."
_WORKING_TOKENS = (30.0, 120.0)
"""Bounds of a question's usual length of working, uniform in the logarithm."""
_LENGTH_SWING = 0.15
"""How far one answer's working may be from the question's usual length, either way, as a share."""
_TOKENS_AROUND_PROMPT = 8


@dataclass(frozen=True, slots=True)
class Turn:
    """One ask, decided: its number `attempt` (from 1) among the asks of this question to this model, and what comes back.

    `question_id` and `right` are None for a prompt that is in no suite. `fault` takes the place of the reply where it is set.
    """

    attempt: int
    question_id: str | None
    right: bool | None
    reply: Reply
    fault: Fault | None


class PretendedModels:
    """Counts the asks of each question to each model; all else follows from the seed."""

    def __init__(self, questions: Sequence[Question], seed: int) -> None:
        self._questions: Mapping[str, Question] = {
            **{question.prompt.strip(): question for question in questions},
            **{add_tools(question.prompt, question.tools): question for question in questions if question.tools},
        }
        self._seed = seed
        self._asks: Counter[tuple[str, str]] = Counter()

    def forget(self) -> None:
        """Start counting anew."""
        self._asks.clear()

    def answer(self, ask: Ask, behaviour: Behaviour, api: str) -> Turn:
        """Return what the model asked for says now."""
        question = self._questions.get(ask.prompt.strip())
        key = question.key if question else ask.prompt
        self._asks[ask.model, key] += 1
        attempt = self._asks[ask.model, key]
        words = (self._seed, ask.model, key)
        right = self._is_right(question, behaviour, words, attempt) if question else None
        text, working = self._compose(question, right, ask, behaviour, (*words, attempt))
        calls = read_text_calls(text) if ask.tools and question and question.extract is Extract.TOOL_CALL else ()
        said = count_tokens(text)
        reply = Reply(
            id=hashlib.sha256(repr((*words, attempt)).encode()).hexdigest()[:24],
            model=_served(ask, behaviour, (*words, attempt)),
            text=text.partition("{")[0].strip() if calls else text,
            finish=Finish.STOP,
            tokens=Tokens(_count_input(ask), said + working, working) if behaviour.usage else None,
            fingerprint=behaviour.system_fingerprint,
            tool_calls=calls,
        )
        reply = _cut(reply, ask, said, working)
        return Turn(attempt, question.id if question else None, right, reply, _draw_fault(behaviour, api, ask, (*words, attempt)))

    def _is_right(self, question: Question, behaviour: Behaviour, words: tuple[object, ...], attempt: int) -> bool:
        if question.id in behaviour.lost or question.id in self._lost_by_share(behaviour.lost_ratio, words[:2]):
            return False
        low, high = PROFILES[behaviour.profile]
        chance = low + (high - low) * uniform(*words, "skill")
        return uniform(*words, attempt, "right") < chance

    def _lost_by_share(self, share: float, words: tuple[object, ...]) -> frozenset[str]:
        return (
            lowest([*dict.fromkeys(question.id for question in self._questions.values())], share, *words, "lost") if share else frozenset()
        )

    def _compose(
        self, question: Question | None, right: bool | None, ask: Ask, behaviour: Behaviour, words: tuple[object, ...]
    ) -> tuple[str, int]:
        """Return the text and the tokens of working that it does not show: only an ANSWER line lets text stand before it."""
        if question is None:
            return _UNKNOWN_PROMPT, 0
        answer = question.reference if right else question.wrong_reference or _NO_IDEA
        low, high = (math.log(bound) for bound in _WORKING_TOKENS)
        usual = math.exp(low + (high - low) * uniform(*words[:-1], "length"))
        if ask.max_tokens is not None:
            usual = min(usual, ask.max_tokens / 2)
        length = round(usual * behaviour.length_factor * (1 + _LENGTH_SWING * (2 * uniform(*words, "length") - 1)))
        if question.extract is not Extract.ANSWER_LINE:
            return answer, length
        return " ".join([*(pick(_WORKING, *words, "word", number) for number in range(length)), f"\n{answer}"]), 0


def _cut(reply: Reply, ask: Ask, said: int, working: int) -> Reply:
    """Return `reply` as far as its token limit lets it come; a call that is cut off is none."""
    if ask.max_tokens is None or working + said <= ask.max_tokens:
        return reply
    tokens = reply.tokens and Tokens(reply.tokens.input_tokens, ask.max_tokens, min(working, ask.max_tokens))
    text = cut_to_tokens(reply.text, max(0, ask.max_tokens - working))
    return Reply(reply.id, reply.model, text, Finish.LENGTH, tokens, reply.fingerprint)


def _served(ask: Ask, behaviour: Behaviour, words: tuple[object, ...]) -> str:
    if behaviour.minority_model is not None and uniform(*words, "minority") < behaviour.minority_ratio:
        return behaviour.minority_model
    return behaviour.served_model or ask.model


def _count_input(ask: Ask) -> int:
    return count_tokens(ask.system) + count_tokens(ask.prompt) + _TOKENS_AROUND_PROMPT


def _draw_fault(behaviour: Behaviour, api: str, ask: Ask, words: tuple[object, ...]) -> Fault | None:
    """Return the fault that this ask meets; one that this API or a stream cannot have is none."""
    thrown, reached = uniform(*words, "fault"), 0.0
    for name, share in behaviour.faults.items():
        reached += share
        if thrown < reached:
            drawn = FAULTS[name]
            return drawn if api in drawn.apis and not (drawn.plain_only and ask.stream) else None
    return None
