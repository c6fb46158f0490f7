"""The list of faults, and the decorator that fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exporter.demo.exchange import Exchange, Transmission
from exporter.records import Reason

CHAT = "openai_chat"
MESSAGES = "anthropic"
RESPONSES = "openai_responses"
GEMINI = "gemini"
OLLAMA = "ollama"
COHERE = "cohere"
AZURE = "azure_openai"
MISTRAL = "mistral"
ALL = frozenset({CHAT, MESSAGES, RESPONSES, AZURE, GEMINI, MISTRAL, COHERE, OLLAMA})

Bend = Callable[[Exchange], Transmission]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `reason` is what an adapter has to make of it; None: the answer is usable all the same."""

    name: str
    reason: Reason | None
    apis: frozenset[str]
    bend: Bend
    plain_only: bool = False
    """True where a streamed response cannot have this fault: it is then an ordinary stream."""


FAULTS: dict[str, Fault] = {}


def fault(name: str, reason: Reason | None, *apis: str, plain_only: bool = False) -> Callable[[Bend], Bend]:
    """Put the function below into FAULTS; without `apis` it can occur in each."""

    def register(bend: Bend) -> Bend:
        if name in FAULTS:
            raise ValueError(f"two faults named {name}")
        FAULTS[name] = Fault(name, reason, frozenset(apis) or ALL, bend, plain_only)
        return bend

    return register
