"""What `validate` warns of: nothing that keeps a check from being made, and worth a look all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from exporter.cli.forecast import forecast_target
from exporter.config import TotalBudget, config_from, is_open_to_all
from exporter.daemon.live import LiveConfig, LiveTarget, build_target, generate_for
from exporter.daemon.protocol import question_of
from exporter.errors import Problem
from exporter.probing.budget import caps_of
from exporter.probing.estimate import over_caps, sum_costs
from exporter.probing.plan import plan_run
from exporter.suites import PlacedQuestion, find_warnings, place_suites

_FIX = "shorten the prompt, lower max_tokens, or raise the cap"
_ANY_TARGET = {"name": "any target", "api": "openai_chat", "model": "any", "price": "unknown"}


def warn_of_config(live: LiveConfig, folder: Path, now: float) -> list[str]:
    """Warnings about the suites and the caps of every target, and about the seed."""
    generated = generate_for(live.config)
    found: list[str] = []
    for target in live.targets.values():
        placed = place_suites(target.target.suites, folder, target.target.areas, generated)
        found += [*map(str, find_warnings(placed)), *_warn_of_budget(target, live.config.total_budget, placed, now)]
    seed_file = live.config.generated.seed_file
    if seed_file is not None and is_open_to_all(Path(seed_file)):
        place = live.config.locate("generated", "seed_file")
        found.append(str(Problem(place, "everybody on this machine may read the file", "chmod 600 it")))
    return list(dict.fromkeys(found))


def warn_of_suites(placed: Sequence[PlacedQuestion], suites: Sequence[str], folder: Path, now: float) -> list[str]:
    """Warnings about suites alone, the caps being those of a target that sets none."""
    (target,) = config_from({"targets": [{**_ANY_TARGET, "suites": list(suites)}]}, "command line").targets
    live = build_target(target, folder)
    return [*map(str, find_warnings(placed)), *_warn_of_budget(live, TotalBudget(), placed, now)]


def _warn_of_budget(live: LiveTarget, total: TotalBudget, placed: Sequence[PlacedQuestion], now: float) -> Iterator[str]:
    """Each question that no cap would ever let be asked; and what `estimate` warns of, where nothing is spent yet."""
    plan = plan_run(live.target, live.questions, live.price)
    for one in placed:
        one_request = sum_costs([(plan.costs[question_of(live.target, one.question).key], 1)], tries=1)
        for refused in over_caps(one_request, caps_of(live.target, total), {}):
            yield str(Problem(one.where("prompt"), f"would never be asked: {refused.where}: {refused.what}", _FIX))
    yield from forecast_target(live, total, None, now).warnings
