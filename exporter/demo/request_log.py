"""The mock provider's own word on what it was asked, for a test to hold against the ledger."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One request as it was answered, written down before the first byte is sent.

    `attempt` counts from 1 among the asks of this question to this model; `question` and `right` are None for a prompt in
    no suite; tokens are None where the response carries no usage, or none that is the model's.
    """

    id: int
    api: str
    model: str
    question: str | None
    attempt: int
    status: int
    fault: str | None
    right: bool | None
    input_tokens: int | None
    output_tokens: int | None


class RequestLog:
    """The newest `limit` entries, and counts of them all."""

    def __init__(self, limit: int = 100_000) -> None:
        self._entries: deque[Entry] = deque(maxlen=limit)
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._counts.total()

    def add(self, entry: Entry) -> None:
        """Write down one request."""
        self._entries.append(entry)
        self._counts[entry.model] += 1

    def clear(self) -> None:
        """Forget them all."""
        self._entries.clear()
        self._counts.clear()

    def entries(self, model: str | None = None) -> list[Entry]:
        """Return what is kept, oldest first."""
        return [entry for entry in self._entries if model in (None, entry.model)]

    def as_dict(self, model: str | None = None) -> dict[str, Any]:
        """Return the document of GET /requests. `count` is of all requests since the last reset, kept or not."""
        count = len(self) if model is None else self._counts[model]
        return {"count": count, "counts": dict(self._counts), "requests": [asdict(entry) for entry in self.entries(model)]}
