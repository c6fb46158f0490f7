"""A reply that was read to its end: the answer that it gives, or the reason why that cannot be used."""

from __future__ import annotations

from dataclasses import dataclass, field

from exporter.providers.failures import unusable
from exporter.providers.reply import Reply
from exporter.providers.stops import judge_stop
from exporter.providers.thinking import has_answer, has_reasoning
from exporter.records import Answer, Charge, Identity, Reason, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Finished:
    """What every API says in its own way. `finish` is its word for why the answer ended.

    `has_thought` says that it holds reasoning outside of `text`, `refused` that it holds a refusal in a field of its own, and
    `refusal_kind` what the API calls that. `spent`: the last allowed token was used, and the API's word for the end is not to be
    trusted then.
    """

    text: str
    finish: str | None
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    identity: Identity = field(default_factory=Identity)
    has_thought: bool = False
    refused: bool = False
    refusal_kind: str | None = None
    spent: bool = False


def give_answer(reply: Reply, finished: Finished) -> Answer:
    """The answer, usable or with its reason."""
    text, usage = finished.text, finished.usage
    said = has_answer(text) or bool(finished.calls)
    reason, words, hint = judge_stop(finished.finish, said=said, refused=finished.refused, spent=finished.spent)
    if reason is None:
        return Answer(
            text=text,
            tool_calls=finished.calls,
            usage=usage,
            charge=Charge.REPORTED if usage else Charge.UNKNOWN,
            identity=finished.identity,
            finish_reason=finished.finish,
            reasoning_in_content=has_reasoning(text),
        )
    if reason is Reason.EMPTY_RESPONSE and finished.has_thought:
        words = f"{words}, only reasoning"
    elif reason is Reason.REFUSAL and finished.refusal_kind:
        words = f"{words} ({finished.refusal_kind})"
    return unusable(reply, reason, words, hint, usage=usage, identity=finished.identity, finish_reason=finished.finish)


def has_spent(reply: Reply, usage: Usage | None) -> bool:
    """Whether an answer used just the tokens that it was allowed."""
    return usage is not None and usage.output_tokens == reply.max_tokens
