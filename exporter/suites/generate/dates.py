"""Days counted forwards and backwards over months, years and leap days."""

from __future__ import annotations

from datetime import date, timedelta

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, number_puzzle, text_puzzle

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST = date(1990, 1, 1)
_START_DAYS = 16_000
_STEPS = {"easy": (1, 9, 60), "medium": (2, 80, 400), "hard": (4, 300, 1500)}
"""How many steps are taken, and the fewest and most days of each."""

_SPAN_DAYS = {"easy": (20, 90), "medium": (150, 700), "hard": (1500, 9000)}
_ASKED_STEP = (
    "Which date is {0} {1}? Write it as YYYY-MM-DD.",
    "Find the date that lies {0} {1}, and write it as YYYY-MM-DD.",
    "What date do you reach {0} {1}? Write it as YYYY-MM-DD.",
)
_ASKED_STEPS = (
    "Start on {0}. Go {1}. Which date do you reach? Write it as YYYY-MM-DD.",
    "From {0}, count {1}. Write the date that you arrive at as YYYY-MM-DD.",
    "A calendar shows {0}. Turn it {1}. Which date does it show then? Write it as YYYY-MM-DD.",
)
_ASKED_SPAN = (
    "How many days after {0} is {1}? Answer in digits.",
    "It is {0}. In how many days will it be {1}? Answer in digits.",
    "Midnight to midnight, how many days lead from {0} to {1}? Answer in digits.",
)


def make_dates(draw: Draw, level: Level) -> Puzzle:
    """A date so many days away, or how many days away a date is."""
    start = _FIRST + timedelta(days=draw.below(_START_DAYS))
    if draw.below(3) == 0:
        days = draw.between(*_SPAN_DAYS[level])
        prompt = draw.pick(_ASKED_SPAN).format(_spell(start), _spell(start + timedelta(days=days)))
        return number_puzzle(prompt, days, days + draw.pick((-2, -1, 1, 2)))
    count, fewest, most = _STEPS[level]
    steps = [draw.pick((-1, 1, 1)) * draw.between(fewest, most) for _ in range(count)]
    end = start + timedelta(days=sum(steps))
    if count == 1:
        side = "before" if steps[0] < 0 else "after"
        prompt = draw.pick(_ASKED_STEP).format(f"{abs(steps[0])} days", f"{side} {_spell(start)}")
    else:
        ways = ", then ".join(f"{abs(step)} days {'back' if step < 0 else 'forward'}" for step in steps)
        prompt = draw.pick(_ASKED_STEPS).format(_spell(start), ways)
    return text_puzzle(prompt, _forms(end), (end + timedelta(days=draw.pick((-1, 1)))).isoformat())


def _spell(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _forms(day: date) -> list[str]:
    """The form that is asked for, and those that mean nothing else."""
    month = MONTHS[day.month - 1]
    iso = day.isoformat()
    return [iso, f"{day.year}-{day.month}-{day.day}", iso.replace("-", "/"), _spell(day), f"{month} {day.day}, {day.year}"]
