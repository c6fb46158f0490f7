"""Japanese eras: their years in ours, ours in theirs, and days counted across a change."""

from __future__ import annotations

from datetime import date, timedelta

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.kanji import write_kanji
from exporter.suites.generate.puzzle import Level, Puzzle, number_puzzle, text_puzzle

_ERAS = (
    ("明治", date(1868, 10, 23), 45),
    ("大正", date(1912, 7, 30), 15),
    ("昭和", date(1926, 12, 25), 64),
    ("平成", date(1989, 1, 8), 31),
    ("令和", date(2019, 5, 1), 7),
)
"""Name, first day and last year of each; of the present one the last that is asked for."""

_SHARED = {date(1912, 7, 30): "明治45年7月30日", date(1926, 12, 25): "大正15年12月25日"}
"""First days of an era that are the last of the one before as well."""

_FIRST_GREGORIAN_YEAR = 6  # of Meiji: 1873, when Japan took over the calendar
_LAST_DAY = date(2025, 12, 31)
_DAYS = {"medium": (0, 0), "hard": (400, 6000)}
_ASKED_YEAR = (
    "{}は西暦何年ですか。数字だけで答えてください。",
    "{}を西暦に直すと何年ですか。数字だけで答えてください。",
    "西暦で言うと、{}は何年に当たりますか。数字だけで答えてください。",
)
_ASKED_SPAN = (
    "{0}の何年後が{1}ですか。数字だけで答えてください。",
    "{1}は{0}の何年後に当たりますか。数字だけで答えてください。",
    "{0}から数えて{1}は何年後ですか。翌年を1年後とし、数字だけで答えてください。",
)
_ASKED_ERA = (
    "西暦{}を元号を使った日付に直してください。「平成5年6月7日」のような形で書いてください。",
    "西暦{}は元号では何年何月何日ですか。「平成5年6月7日」のような形で答えてください。",
    "次の西暦の日付を元号で表してください。「平成5年6月7日」のような形で書いてください。\n{}",
)
_ASKED_LATER = (
    "{0}の{1}日後は元号では何年何月何日ですか。「平成5年6月7日」のような形で答えてください。",
    "{0}から{1}日たつと、元号で何年何月何日になりますか。その翌日を1日後と数え、「平成5年6月7日」のような形で答えてください。",
    "{0}の{1}日後の日付を、元号を使って「平成5年6月7日」のような形で書いてください。",
)


def make_calendars(draw: Draw, level: Level) -> Puzzle:
    """Easy: the year of an era; medium: years between two eras, or a date in an era; hard: days counted over years."""
    if level == "easy":
        name, year, western = _era_year(draw)
        return number_puzzle(draw.pick(_ASKED_YEAR).format(f"{name}{year}年"), western, western + draw.pick((-1, 1)), "ja")
    if level == "medium" and draw.below(2):
        earlier, later = sorted((_era_year(draw), _era_year(draw)), key=lambda era_year: era_year[2])
        if earlier[2] < later[2]:
            years = later[2] - earlier[2]
            prompt = draw.pick(_ASKED_SPAN).format(*(f"{name}{year}年" for name, year, _ in (earlier, later)))
            return number_puzzle(prompt, years, years + draw.pick((-1, 1)), "ja")
    days = draw.between(*_DAYS[level])
    start = date(1873, 1, 1)
    start += timedelta(days=draw.below((_LAST_DAY - start).days - days))
    end = start + timedelta(days=days)
    if level == "medium":
        prompt = draw.pick(_ASKED_ERA).format(f"{start.year}年{start.month}月{start.day}日")
    else:
        prompt = draw.pick(_ASKED_LATER).format(era_forms(start)[0], days)
    return text_puzzle(prompt, era_forms(end), era_forms(end + timedelta(days=1))[0], "ja")


def _era_year(draw: Draw) -> tuple[str, int, int]:
    """An era, a year of it, and our year."""
    name, first_day, last_year = draw.pick(_ERAS)
    year = draw.between(_FIRST_GREGORIAN_YEAR if name == "明治" else 2, last_year)
    return name, year, first_day.year + year - 1


def era_forms(day: date) -> list[str]:
    """The date in its era; the first year has two names, and two days have two eras."""
    name, first_day, _ = next(era for era in reversed(_ERAS) if era[1] <= day)
    year = day.year - first_day.year + 1
    digits = f"{name}{year}年{day.month}月{day.day}日"
    kanji = f"{name}{write_kanji(year)}年{write_kanji(day.month)}月{write_kanji(day.day)}日"
    padded = f"{name}{year:02}年{day.month:02}月{day.day:02}日"
    first = (
        [form.replace(f"{name}1年", f"{name}元年").replace(f"{name}一年", f"{name}元年") for form in (digits, kanji)] if year == 1 else []
    )
    shared = [_SHARED[day]] if day in _SHARED else []
    return [digits, padded, kanji, *first, *shared]
