"""The code that runs inside the sandbox around an answer: loads it, calls its function, and makes what comes back small and plain.

The answer runs in a namespace of its own and cannot reach this one. What it returns may be built to hurt who looks at it (lists
that contain each other, sets whose members all collide), so it is taken apart in there, under the limits: only lists, texts,
numbers, truth values and None come out, and at most ROOM of them.
"""

from __future__ import annotations

ROOM = 50_000
"""Values and characters that one run may return in all."""

DEPTH = 50
"""Levels of lists and mappings that are looked at."""

LONGEST_MESSAGE = 300

HARNESS = f"""
LARGEST = 10 ** 1000


def plain(value, room, depth):
    if value is None or isinstance(value, (bool, float)):
        room[0] -= 1
        return value
    if isinstance(value, int):
        room[0] -= 1
        return value if -LARGEST < value < LARGEST else ["strange", "int"]
    if isinstance(value, str):
        room[0] -= 1 + len(value)
        return value if room[0] >= 0 else ["strange", "str"]
    if depth == 0 or room[0] < 0 or not isinstance(value, (list, tuple, dict)):
        room[0] -= 1
        return ["strange", type(value).__name__[:80]]
    room[0] -= len(value)
    if room[0] < 0:
        return ["strange", type(value).__name__[:80]]
    if isinstance(value, dict):
        return ["dict", [[plain(key, room, 0), plain(value[key], room, depth - 1)] for key in value]]
    return ["list", [plain(item, room, depth - 1) for item in value]]


def told(error):
    return ["raised", type(error).__name__[:80], str(error)[:{LONGEST_MESSAGE}]]


def run(source, name, calls):
    room = [{ROOM}]
    names = {{"__name__": "answer"}}
    try:
        exec(source, names)
    except BaseException as error:
        return ["unloaded", told(error)]
    if name not in names:
        return ["unloaded", ["raised", "NameError", "no function " + name]]
    function = names[name]
    outcomes = []
    for args, kwargs in calls:
        try:
            outcomes.append(["returned", plain(function(*args, **kwargs), room, {DEPTH})])
        except BaseException as error:
            outcomes.append(told(error))
    return ["loaded", outcomes]
"""
