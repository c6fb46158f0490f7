"""Knights, who always tell the truth, and knaves, who always lie: who is which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, join_and, list_puzzle
from exporter.suites.generate.words import NAMES, NUMBERS

_PEOPLE = {"easy": 4, "medium": 5, "hard": 7}
_STARTS = (
    "On an island each person is either a knight, who always tells the truth, or a knave, who always lies.",
    "Knights always tell the truth and knaves always lie. Each of the people below is one or the other.",
    "Each of some people is a knight or a knave. Whatever a knight says is true, and whatever a knave says is false.",
)
_ASKED = "Exactly {0} of the {1} are knights. Name every knight, in alphabetical order, on one line, separated by commas."


@dataclass(frozen=True, slots=True)
class _Claim:
    """What one says of others: that a single one is a knight (`agree`) or a knave, or that two are of one kind or of two."""

    speaker: str
    about: tuple[str, ...]
    agree: bool

    def holds(self, knights: Mapping[str, bool]) -> bool:
        """Whether what is said is true."""
        one = knights[self.about[0]]
        return (one if len(self.about) == 1 else one == knights[self.about[1]]) == self.agree

    def say(self) -> str:
        """The claim as it is told."""
        if len(self.about) == 1:
            return f'{self.speaker} says: "{self.about[0]} is a {"knight" if self.agree else "knave"}."'
        return f'{self.speaker} says: "{" and ".join(self.about)} are {"of the same kind" if self.agree else "of different kinds"}."'


def make_knights(draw: Draw, level: Level) -> Puzzle:
    """Claims are drawn until they leave one way in which everybody can be a knight or a knave. Two at least are of either kind."""
    people = draw.sample(NAMES, _PEOPLE[level])
    while True:
        knights = {name: bool(draw.below(2)) for name in people}
        claims = [_claim(draw, name, knights) for name in people]
        count = sum(knights.values())
        if 1 < count < len(people) - 1 and _solve(people, claims, count) == [knights]:
            break
    names = sorted(name for name in people if knights[name])
    told = _ASKED.format(NUMBERS[count], NUMBERS[len(people)])
    prompt = "\n".join((draw.pick(_STARTS), f"Here are {join_and(sorted(people))}.", *(claim.say() for claim in claims), told))
    others = sorted(name for name in people if name not in names)
    wrong = sorted([*names[1:], draw.pick(others)])
    return list_puzzle(prompt, names, wrong)


def _claim(draw: Draw, speaker: str, knights: Mapping[str, bool]) -> _Claim:
    """What a knight truly, or a knave falsely, says of one or two others."""
    about = tuple(draw.sample([name for name in knights if name != speaker], draw.between(1, 2)))
    true = _Claim(speaker, about, True).holds(knights)
    return _Claim(speaker, about, true == knights[speaker])


def _solve(people: Sequence[str], claims: Sequence[_Claim], count: int) -> list[dict[str, bool]]:
    """Every way that fits, with so many knights."""
    ways = (dict(zip(people, kinds, strict=True)) for kinds in product((False, True), repeat=len(people)) if sum(kinds) == count)
    return [way for way in ways if all(claim.holds(way) == way[claim.speaker] for claim in claims)]
