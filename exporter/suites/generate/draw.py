"""Chance that is the same everywhere: whole numbers from HMAC-SHA256 of a seed and a name."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

VERSION = 1
"""Raised whenever a seed comes to mean other questions."""

_DRAW_BYTES = 8
_Item = TypeVar("_Item")


class Draw:
    """An endless row of draws, one row for each seed and name. Who knows the draws learns nothing of the seed."""

    def __init__(self, seed: bytes, *name: str | int) -> None:
        self._seed = seed
        self._name = "|".join(("model-drift-exporter generated suite", str(VERSION), *map(str, name)))
        self._blocks = 0
        self._left = b""

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each as likely as any other."""
        top = 1 << (8 * _DRAW_BYTES)
        while True:
            number = int.from_bytes(self._take(), "big")
            if number < top - top % bound:
                return number % bound

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[_Item]) -> _Item:
        """One of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[_Item], count: int) -> list[_Item]:
        """So many different items, in a random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffle(self, items: Sequence[_Item]) -> list[_Item]:
        """All items, in a random order."""
        return self.sample(items, len(items))

    def _take(self) -> bytes:
        if not self._left:
            self._left = hmac.new(self._seed, f"{self._name}|{self._blocks}".encode(), hashlib.sha256).digest()
            self._blocks += 1
        taken, self._left = self._left[:_DRAW_BYTES], self._left[_DRAW_BYTES:]
        return taken
