"""Forecasts as a table, as lines, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from exporter.cli.forecast import MONTH_DAYS, Forecast
from exporter.cli.render import print_line, print_note, print_table
from exporter.cli.tables import plain_table
from exporter.probing.estimate import Estimate
from exporter.web.texts import dollars


def print_schedule(forecasts: Sequence[Forecast], total_warnings: Sequence[str]) -> None:
    """Costs of a check and of the schedule, for `estimate`."""
    print_table(_table(forecasts))
    if not all(forecast.measured for forecast in forecasts):
        print_line("* not checked yet: a rule of thumb, by the length of the questions")
    _print_warnings(forecasts, total_warnings)


def print_dry_run(forecasts: Sequence[Forecast]) -> None:
    """What a check would ask and cost, for `check --dry-run`."""
    for forecast in forecasts:
        print_line(f"{forecast.target}: would ask {forecast.questions} questions ({', '.join(forecast.areas)})")
        print_line(f"about {_in_words(forecast.check)}", indent=2)
        print_line(f"with a second run {_in_words(forecast.check_with_second_run)}", indent=2)
    _print_warnings(forecasts, ())


def as_document(forecasts: Sequence[Forecast], total_warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Every figure under its own name; `warnings` beside the targets are about all of them together."""
    return {"targets": [_as_dict(forecast) for forecast in forecasts], "warnings": list(total_warnings)}


def _as_dict(forecast: Forecast) -> dict[str, Any]:
    return {
        "target": forecast.target,
        "questions": forecast.questions,
        "areas": list(forecast.areas),
        "measured": forecast.measured,
        "checks_per_day": forecast.checks_a_day,
        "check": _figures(forecast.check),
        "check_with_second_run": _figures(forecast.check_with_second_run),
        "day": _figures(forecast.day),
        "month": _figures(forecast.month),
        "warnings": list(forecast.warnings),
    }


def _figures(estimate: Estimate) -> dict[str, Any]:
    return {"requests": estimate.requests, "tokens": estimate.tokens, "usd": estimate.usd}


def _table(forecasts: Sequence[Forecast]) -> Table:
    table = plain_table("target", "a check", "with second run", "a day", f"{MONTH_DAYS} days", right=(1, 2, 3, 4))
    for forecast in forecasts:
        star = "" if forecast.measured else " *"
        target = f"{forecast.target}{star}\n{forecast.questions} questions\n{_frequency(forecast.checks_a_day)}"
        table.add_row(
            target, *(_cell(estimate) for estimate in (forecast.check, forecast.check_with_second_run, forecast.day, forecast.month))
        )
    return table


def _cell(estimate: Estimate) -> str:
    return f"{dollars(estimate.usd)}\n{estimate.tokens:,} tokens\n{estimate.requests:,} requests"


def _frequency(checks_a_day: float) -> str:
    if checks_a_day >= 1:
        return f"{checks_a_day:.3g} a day"
    return f"one in {1 / checks_a_day:.3g} days" if checks_a_day else "hardly ever"


def _in_words(estimate: Estimate) -> str:
    money = "dollars not known" if estimate.usd is None else dollars(estimate.usd)
    return f"{estimate.requests:,} requests, {estimate.tokens:,} tokens, {money}"


def _print_warnings(forecasts: Sequence[Forecast], total_warnings: Sequence[str]) -> None:
    for warning in (*(warning for forecast in forecasts for warning in forecast.warnings), *total_warnings):
        print_note(f"warning: {warning}")
