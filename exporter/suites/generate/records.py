"""Notes turned into JSON: as they stand, picked and sorted, or gathered under keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle
from exporter.suites.generate.words import NAMES, WORDS

_NOTES = {"easy": 2, "medium": 8, "hard": 12}
_ROOMS = 3
_LINES = (
    '{0} wants the item "{1}" in room {2}, {3} times.',
    '{3} times the item "{1}" goes to {0} in room {2}.',
    'Room {2}: the item "{1}", {3} times, for {0}.',
)
_AS_LIST = (
    "Turn these notes into a JSON array with one object a note, in the same order. Its keys are name and item (strings), "
    "room and count (numbers)."
)
_PICKED = (
    "Turn those of these notes that are about room {0} into a JSON array of objects, the largest count first. "
    "The keys of each are name and item (strings) and count (a number)."
)
_GATHERED = (
    "Gather these notes into one JSON object. Its keys are the room numbers (as strings); the value of each is an object with the "
    "keys total (a number: the sum of the counts in that room), names (an array of strings: everybody named for that room, each once, "
    "in alphabetical order) and largest (a string: the item with the largest count in that room)."
)
_FORM = "Reply with the JSON only."


@dataclass(frozen=True, slots=True)
class _Note:
    name: str
    item: str
    room: int
    count: int


def make_records(draw: Draw, level: Level) -> Puzzle:
    """Counts are all different, so that there is one order and one largest."""
    rooms = draw.sample(range(11, 99), _ROOMS)
    names = draw.sample(NAMES, 4)
    items, counts = draw.sample(WORDS, _NOTES[level]), draw.sample(range(2, 40), _NOTES[level])
    notes = [_Note(draw.pick(names), item, draw.pick(rooms), count) for item, count in zip(items, counts, strict=True)]
    text = "\n".join(draw.pick(_LINES).format(note.name, note.item, note.room, note.count) for note in notes)
    if level == "easy":
        asked, value = _AS_LIST, [_as_object(note, "name", "item", "room", "count") for note in notes]
    elif level == "medium":
        room = draw.pick(notes).room
        picked = sorted((note for note in notes if note.room == room), key=lambda note: -note.count)
        asked, value = _PICKED.format(room), [_as_object(note, "name", "item", "count") for note in picked]
    else:
        asked, value = _GATHERED, _gather(notes)
    wrong = json.dumps(value).replace(str(notes[0].count), str(notes[0].count + 1))
    if level != "easy":
        wrong = json.dumps(value[:-1] if isinstance(value, list) else dict(list(value.items())[1:]))
    return Puzzle(f"{asked} {_FORM}\n\n{text}", {"kind": "json", "equals": value}, json.dumps(value), wrong, whole=True)


def _as_object(note: _Note, *keys: str) -> dict[str, Any]:
    return {key: getattr(note, key) for key in keys}


def _gather(notes: Sequence[_Note]) -> Any:
    gathered = {}
    for room in sorted({note.room for note in notes}):
        here = [note for note in notes if note.room == room]
        gathered[str(room)] = {
            "total": sum(note.count for note in here),
            "names": sorted({note.name for note in here}),
            "largest": max(here, key=lambda note: note.count).item,
        }
    return gathered
