"""What a run asks, in which order, and what that should cost. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from exporter.config import Price, Target
from exporter.prices import estimate_usd
from exporter.probing.estimate import Estimate, RequestCost, sum_costs
from exporter.probing.tokens import expected_tokens, most_tokens
from exporter.probing.use import PastUse
from exporter.records import Question, Request
from exporter.suites import add_tools

DEFAULT_OUTPUT_SHARE = 1 / 8
"""Share of max_tokens that an answer is expected to use, of a question never asked before."""

DEFAULT_OUTPUT_TOKENS = 64
"""The least that such an answer is expected to use, where max_tokens allows it."""

DEFAULT_TRIES = 1.25
"""Tries that such a question is expected to take."""

TEMPLATE_TOKENS = 16
"""What the chat template adds to a prompt, as a rule."""

WORST_TEMPLATE_TOKENS = 256
"""The same at worst: some servers put a preamble of their own before every prompt."""

WORST_TOOLS_TOKENS = 1024
"""What some servers add, beyond the tools themselves, to a request that offers any."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question in one sample of a run. `sample` counts from 0."""

    question: Question
    sample: int

    @property
    def key(self) -> tuple[str, int]:
        """What grades of it have in common: question key and sample."""
        return self.question.key, self.sample


@dataclass(frozen=True, slots=True)
class Plan:
    """One run of a target: what is asked, in this order; what one request costs by question key; what all of it should cost.

    All questions of one sample come before those of the next. `price` is None where it is not known.
    """

    target: Target
    price: Price | None
    asks: tuple[Ask, ...]
    costs: Mapping[str, RequestCost]
    estimate: Estimate


def plan_run(target: Target, questions: Sequence[Question], price: Price | None, past: PastUse | None = None) -> Plan:
    """Plan one run of `questions`, `samples` times each, with an estimate that rests on `past` where there is one.

    Questions with equal keys are one question, and asked as one.
    """
    past = past or PastUse()
    questions = list({question.key: question for question in questions}.values())
    asks = tuple(Ask(question, sample) for sample in range(target.decision.samples) for question in questions)
    costs = {question.key: _cost_of(target, question, price, past) for question in questions}
    tries = target.decision.tries
    expected = [(costs[ask.question.key], min(tries, past.tries.get(ask.question.key, DEFAULT_TRIES))) for ask in asks]
    return Plan(target, price, asks, costs, sum_costs(expected, tries))


def request_of(target: Target, question: Question, timeout_seconds: float) -> Request:
    """The request that puts `question` to `target`. Where the target is told of tools in words, they are part of the prompt."""
    in_words = target.tool_calling == "text" and question.tools
    return Request(
        model=target.model,
        prompt=add_tools(question.prompt, question.tools) if in_words else question.prompt,
        max_tokens=math.ceil(question.max_tokens * target.max_tokens_scale),
        timeout_seconds=timeout_seconds,
        system=target.system,
        tools=() if in_words else question.tools,
        reasoning_effort=target.reasoning_effort,
        sampling=target.sampling,
        extra_body=target.extra_body,
        stream=target.stream,
    )


def _cost_of(target: Target, question: Question, price: Price | None, past: PastUse) -> RequestCost:
    request = request_of(target, question, target.request_timeout)
    tools = json.dumps([asdict(tool) for tool in request.tools], ensure_ascii=False) if request.tools else ""
    sent = f"{request.system or ''}{request.prompt}{tools}"
    most_input = most_tokens(sent) + WORST_TEMPLATE_TOKENS + (WORST_TOOLS_TOKENS if tools else 0)
    fewest_output = max(DEFAULT_OUTPUT_TOKENS, request.max_tokens * DEFAULT_OUTPUT_SHARE)
    most_output = max(request.max_tokens, past.longest_output_tokens.get(question.key, 0))
    input_tokens = math.ceil(past.input_tokens.get(question.key, expected_tokens(sent) + TEMPLATE_TOKENS))
    output_tokens = math.ceil(past.output_tokens.get(question.key, min(request.max_tokens, fewest_output)))
    most_input = max(most_input, input_tokens)
    return RequestCost(
        tokens=input_tokens + output_tokens,
        usd=None if price is None else estimate_usd(input_tokens, output_tokens, price),
        worst_tokens=most_input + most_output,
        worst_usd=None if price is None else estimate_usd(most_input, most_output, price),
    )
