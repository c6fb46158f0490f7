"""Dice without a state: the same words always throw the same number, in whatever order they are thrown."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_BITS = 53


def uniform(*words: object) -> float:
    """Return a number of [0, 1), uniform over different `words` and fixed for the same ones."""
    text = "\x1f".join(str(word) for word in words)
    digest = hashlib.sha256(text.encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> (64 - _BITS)) / (1 << _BITS)


def pick(options: Sequence[str], *words: object) -> str:
    """Return one of `options`, each as likely as the others."""
    return options[int(uniform(*words) * len(options))]


def lowest(names: Sequence[str], share: float, *words: object) -> frozenset[str]:
    """Return round(share · n) of n `names`. A larger share holds every smaller one."""
    ranked = sorted(names, key=lambda name: uniform(*words, name))
    return frozenset(ranked[: round(share * len(names))])
