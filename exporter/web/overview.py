"""Which targets the status page shows, in which order, and what it can be narrowed to. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from exporter.records import Snapshot, VerdictKind
from exporter.web.target_view import is_conclusive

MOST_URGENT_FIRST = (
    VerdictKind.DRIFT,
    VerdictKind.MODEL_CHANGED,
    VerdictKind.TOKEN_SHIFT,
    VerdictKind.SUSPECT,
    VerdictKind.MEASUREMENT_FAILED,
    VerdictKind.UNCONFIRMED,
    VerdictKind.COLLECTING,
    VerdictKind.BASELINE_READY,
    VerdictKind.IMPROVED,
    VerdictKind.STABLE,
)

URGENT = frozenset(MOST_URGENT_FIRST[:5])
"""Verdicts that leave a person something to do."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A link that narrows the page to some targets, or, where it is chosen already, widens it again."""

    name: str
    count: int
    query: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """`urgent` targets, the others, how many there are in all, and the choices by verdict and by provider."""

    urgent: Sequence[Snapshot]
    quiet: Sequence[Snapshot]
    total: int
    verdicts: Sequence[Choice]
    providers: Sequence[Choice]

    @property
    def is_narrowed(self) -> bool:
        """Whether some targets may be left out."""
        return any(choice.chosen for choice in (*self.verdicts, *self.providers))


def standing(snapshot: Snapshot) -> VerdictKind:
    """What is shown of a target: before its first verdict it is collecting."""
    return VerdictKind.COLLECTING if snapshot.verdict is None else snapshot.verdict.standing


def look_over(snapshots: Sequence[Snapshot], verdict: str | None = None, provider: str | None = None) -> Overview:
    """All of them, or those with this standing and of this provider, the most urgent first and in the config's order.

    Each count is of what its link would show. A word that is no verdict, or nobody's provider, leaves nothing.
    """
    of_provider = [one for one in snapshots if provider is None or one.provider == provider]
    of_verdict = [one for one in snapshots if verdict is None or standing(one) == verdict]
    shown = sorted((one for one in of_provider if verdict is None or standing(one) == verdict), key=_urgency)
    chosen = {"verdict": verdict, "provider": provider}
    kinds, names = Counter(standing(one).value for one in of_provider), Counter(one.provider for one in of_verdict)
    return Overview(
        urgent=[one for one in shown if standing(one) in URGENT],
        quiet=[one for one in shown if standing(one) not in URGENT],
        total=len(snapshots),
        verdicts=_choices(chosen, "verdict", kinds, [kind.value for kind in MOST_URGENT_FIRST]),
        providers=_choices(chosen, "provider", names, sorted(names)),
    )


def _choices(chosen: Mapping[str, str | None], key: str, counts: Counter[str], order: Sequence[str]) -> list[Choice]:
    named = [*order, *({chosen[key]} - {None, *order})]
    return [_choice(chosen, key, name, counts[name]) for name in named if name is not None and (counts[name] or name == chosen[key])]


def _choice(chosen: Mapping[str, str | None], key: str, name: str, count: int) -> Choice:
    is_chosen = chosen[key] == name
    kept = {**chosen, key: None if is_chosen else name}
    return Choice(name, count, urlencode({key: value for key, value in kept.items() if value is not None}, errors="replace"), is_chosen)


def _urgency(snapshot: Snapshot) -> tuple[bool, int]:
    return (not is_conclusive(snapshot), MOST_URGENT_FIRST.index(standing(snapshot)))
