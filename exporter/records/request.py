"""One question's way: Question → Request → Answer → Ruling → Grade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from exporter.records.reason import Reason


class Extract(StrEnum):
    """Which part of an answer is graded."""

    ANSWER_LINE = "answer_line"
    FULL = "full"
    CODE = "code"
    TOOL_CALL = "tool_call"


class Evidence(StrEnum):
    """How far a provider's word about which model served can be trusted."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


class Charge(StrEnum):
    """What is known of the cost of one request."""

    NOTHING = "nothing"
    """Never reached the provider, or was turned away before any token was read."""
    REPORTED = "reported"
    """The response carries its usage."""
    UNKNOWN = "unknown"
    """May have been billed and nothing says how much: the estimate is booked."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool offered to the model. `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model asked for. `arguments` is None where the model sent no readable JSON object."""

    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a suite, as loaded. `prompt` is what is sent, the answer-line instruction included.

    `key` is the hash of everything that makes the question what it is (prompt, grader, extraction, tools, max_tokens);
    `id` is what people call it and is unique within a target.
    """

    key: str
    id: str
    suite: str
    area: str
    prompt: str
    extract: Extract
    grader: Mapping[str, Any]
    reference: str
    wrong_reference: str | None
    max_tokens: int
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a provider. `max_tokens` is already scaled; `timeout_seconds` is for this one request, whole."""

    model: str
    prompt: str
    max_tokens: int
    timeout_seconds: float
    system: str | None = None
    tools: tuple[ToolSpec, ...] = ()
    reasoning_effort: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    stream: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reports them. `output_tokens` includes `reasoning_tokens`; `input_tokens` includes `cached_tokens`."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Identity:
    """Who says they served an answer. `facets` are shown (host, tier, region); they count only where the target says so."""

    served_model: str | None = None
    digest: str | None = None
    fingerprint: str | None = None
    facets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Usable exactly when `reason` is None.

    `message` says in a few words what went wrong and what to set (at most 256 characters, secrets masked).
    `latency_seconds` runs from sending to the last byte. `cached` is True where the provider says that it replayed a
    stored response. `refused` is True where the question is about refusing and the provider said in a field of its own that the
    model refused: that is an answer then, with no text. `tools_refused` is True where tools are what was refused: a question
    without any would not have been.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    charge: Charge = Charge.UNKNOWN
    identity: Identity = Identity()
    finish_reason: str | None = None
    reason: Reason | None = None
    message: str = ""
    retry_after_seconds: float | None = None
    latency_seconds: float = 0.0
    reasoning_in_content: bool = False
    cached: bool = False
    refused: bool = False
    tools_refused: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a grader says of one usable answer. `reason` is set only where the grader itself could not work (sandbox_error).

    `message` then says why in a few words that are never the answer's.
    `answer_line_missing` is True where the question asked for an ANSWER line and none came (then `right` is False).
    `answer_hash` is a hash of the normalised answer: equal answers, equal hashes; never the text.
    """

    right: bool
    answer_hash: str
    answer_line_missing: bool = False
    reason: Reason | None = None
    message: str = ""


class Grade(NamedTuple):
    """One try at one question in one run, after all retries: the fact that the store keeps.

    A tuple, since a history has tens of thousands of them: those are made in a sixth of the time that a dataclass takes.
    `right` is None exactly when `reason` says why. `attempt` counts the tries from 1; `sample` counts from 0.
    `identity` is the identity's key: the served model with whatever else the target's `identity:` counts, or None.
    `host`, `tier` and `region` are the identity's facets, counted or not; None where the response names none.
    """

    question_key: str
    question_id: str
    suite: str
    area: str
    sample: int
    attempt: int
    right: bool | None
    graded_at: float
    reason: Reason | None = None
    message: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    identity: str | None = None
    fingerprint: str | None = None
    answer_hash: str | None = None
    answer_line_missing: bool = False
    reasoning_in_content: bool = False
    latency_seconds: float = 0.0
    host: str | None = None
    tier: str | None = None
    region: str | None = None
