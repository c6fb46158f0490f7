from __future__ import annotations

import json
import re
from typing import Any

import pytest

from exporter.suites.generate.puzzle import Level
from exporter.suites.generate.records import make_records
from tests.suites.generate.made import LEVELS, puzzles_of

NOTES = (
    r'(?P<name>\w+) wants the item "(?P<item>\w+)" in room (?P<room>\d+), (?P<count>\d+) times\.',
    r'(?P<count>\d+) times the item "(?P<item>\w+)" goes to (?P<name>\w+) in room (?P<room>\d+)\.',
    r'Room (?P<room>\d+): the item "(?P<item>\w+)", (?P<count>\d+) times, for (?P<name>\w+)\.',
)


def read(line: str) -> dict[str, Any]:
    found = next(found for note in NOTES if (found := re.fullmatch(note, line)))
    return {key: int(value) if value.isdigit() else value for key, value in found.groupdict().items()}


def solve(prompt: str) -> Any:
    asked, text = prompt.split("\n\n")
    notes = [read(line) for line in text.split("\n")]
    room = re.search(r"about room (\d+)", asked)
    if room:
        picked = [note for note in notes if note.pop("room") == int(room[1])]
        return sorted(picked, key=lambda note: note["count"], reverse=True)
    if "one JSON object" not in asked:
        return notes
    gathered: dict[str, Any] = {}
    for note in sorted(notes, key=lambda note: note["count"]):
        here = gathered.setdefault(str(note["room"]), {"total": 0, "names": [], "largest": ""})
        here["total"] += note["count"]
        here["largest"] = note["item"]
        here["names"] = sorted({*here["names"], note["name"]})
    return gathered


@pytest.mark.parametrize(("level", "notes"), [*zip(LEVELS, (2, 8, 12), strict=True)])
def test_the_answer_is_what_the_notes_say(level: Level, notes: int) -> None:
    for puzzle in puzzles_of(make_records, level, 40):
        assert puzzle.prompt.count(" times") == notes
        assert json.loads(puzzle.answer) == solve(puzzle.prompt), puzzle.prompt
        assert puzzle.whole
