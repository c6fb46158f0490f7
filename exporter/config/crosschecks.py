"""Checks between keys, and of what keys point at. They work on plain values, so that no other mistake hides theirs.

Each yields (path, what, how to mend it). A value of a wrong kind is passed over: that has its own complaint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exporter.config.durations import parse_duration
from exporter.config.model import Budget, Decision
from exporter.config.places import KeyPath, Places
from exporter.config.scalars import NEVER
from exporter.config.secrets import read_key_env, read_key_file, read_password_file, read_seed_file
from exporter.config.words import quote
from exporter.errors import split_told

Finding = tuple[KeyPath, str, str]
_TOKEN_CAPS = ("tokens_per_check", "tokens_per_day", "tokens_per_month")


def cross_check(file: Mapping[str, Any], data: Mapping[str, Any], places: Places, *, with_keys: bool) -> Iterator[Finding]:
    """Everything wrong between keys. `data` is the file as written, `file` has its targets' blocks complete and paths resolved."""
    targets = file["targets"]
    if targets == []:
        yield ("targets",), "empty", "add at least one target"
    listed = [(index, target) for index, target in enumerate(targets if isinstance(targets, list) else []) if isinstance(target, dict)]
    yield from _storage(file.get("storage"), file.get("storage_password_file"))
    yield from _names(listed, places)
    yield from _decision(file.get("decision"), data.get("decision"), ())
    yield from _generated(file.get("generated", {}), listed)
    yield from _retention(data.get("retention"), [file.get("decision"), *(target.get("decision") for _, target in listed)])
    for index, target in listed:
        yield from _decision(target.get("decision"), data["targets"][index].get("decision"), ("targets", index))
        yield from _api_key(target, ("targets", index), readable=with_keys)
        if target.get("price") == "unknown" and not _caps_tokens(target.get("budget")):
            fix = "set tokens_per_check, tokens_per_day or tokens_per_month under budget"
            yield ("targets", index, "price"), "unknown, and no cap counts tokens", fix


def _storage(url: object, password_file: object) -> Iterator[Finding]:
    is_postgres = isinstance(url, str) and url.startswith("postgresql")
    if is_postgres and not _is_installed("psycopg"):
        yield ("storage",), "needs psycopg", "pip install 'model-drift-exporter[postgres]'"
    if isinstance(password_file, str) and password_file:
        if not is_postgres:
            yield ("storage_password_file",), "is of no use, storage is a file", "remove it, or name a PostgreSQL as storage"
            return
        try:
            read_password_file(Path(password_file))
        except ValueError as error:
            yield ("storage_password_file",), *split_told(error)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # it is in sys.modules, as nothing
        return False


def _names(listed: list[tuple[int, dict[str, Any]]], places: Places) -> Iterator[Finding]:
    names: dict[str, int] = {}
    former: dict[str, int] = {}
    for index, target in listed:
        name = target.get("name")
        if isinstance(name, str) and names.setdefault(name, index) != index:
            yield (
                ("targets", index, "name"),
                f"{quote(name)} is already {_target(names[name], 'name', places)}",
                "give each target its own name",
            )
    for index, target in listed:
        name = target.get("formerly")
        if not isinstance(name, str):
            continue
        path = ("targets", index, "formerly")
        if name in names:
            yield path, f"{quote(name)} is the name of {_target(names[name], 'name', places)}", "remove it, or rename that target"
        elif former.setdefault(name, index) != index:
            yield path, f"{quote(name)} is already {_target(former[name], 'formerly', places)}", "keep it on one target"


def _target(index: int, key: str, places: Places) -> str:
    line = places.line("targets", index, key)
    return f"targets[{index}].{key}" + (f" (line {line})" if line else "")


def _decision(decision: object, own: object, path: KeyPath) -> Iterator[Finding]:
    """`own` are the keys written here: the others have been looked at where they are written."""
    if not isinstance(decision, dict) or not isinstance(own, dict):
        return
    for smaller, larger in (("baseline_runs", "baseline_max_runs"), ("trend_alpha", "trend_rearm")):
        low, high = _number(decision, smaller), _number(decision, larger)
        if low is None or high is None or low <= high:
            continue
        if larger in own:
            yield (*path, "decision", larger), f"{quote(high)} is less than {smaller}, {quote(low)}", f"raise it, or lower {smaller}"
        elif smaller in own:
            yield (*path, "decision", smaller), f"{quote(low)} is more than {larger}, {quote(high)}", f"lower it, or raise {larger}"


def _generated(generated: object, listed: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    """The seed is looked at wherever one is named, and is wanted where a target asks for the suite that is made of it."""
    seed_file = generated.get("seed_file") if isinstance(generated, dict) else ""
    if isinstance(seed_file, str) and seed_file:
        try:
            read_seed_file(Path(seed_file))
        except ValueError as error:
            yield ("generated", "seed_file"), *split_told(error)
    for index, target in listed:
        suites = target.get("suites")
        if seed_file is None and isinstance(suites, list) and "generated" in suites:
            fix = "add generated: {seed_file: …} at the top level; model-drift-exporter suite generate --new-seed FILE makes one"
            yield ("targets", index, "suites", suites.index("generated")), "the suite generated needs a seed", fix


def _retention(retention: object, decisions: list[Any]) -> Iterator[Finding]:
    """Grades that judging needs are kept anyway: an age that says otherwise is a mistake. One check a day is taken for granted."""
    age = retention.get("grades") if isinstance(retention, dict) else None
    try:
        days = parse_duration(age) / 86_400 if age not in (None, NEVER) else 0
    except ValueError:
        return
    longest = max(_longest_window(decision) for decision in decisions)
    if 0 < days < 2 * longest:
        what = (
            f"{quote(age)} is shorter than the {2 * longest} days whose grades judging needs: trends are looked for over {longest} checks"
        )
        yield ("retention", "grades"), what, f"write {2 * longest}d or more, or never"


def _longest_window(decision: object) -> int:
    default: tuple[int, ...] = Decision.model_fields["trend_windows"].default
    windows = decision.get("trend_windows", default) if isinstance(decision, dict) else default
    counts = [window for window in windows if isinstance(window, int)] if isinstance(windows, list | tuple) else []
    return max(counts, default=max(default))


def _number(decision: Mapping[str, Any], key: str) -> float | None:
    value = decision.get(key, Decision.model_fields[key].default)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _api_key(target: Mapping[str, Any], path: KeyPath, *, readable: bool) -> Iterator[Finding]:
    readers: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("api_key_file", lambda name: read_key_file(Path(name))),
        ("api_key_env", read_key_env),
    )
    named = [(key, read, target[key]) for key, read in readers if isinstance(target.get(key), str) and target[key]]
    if len(named) == len(readers):
        yield path, "has both api_key_file and api_key_env", "keep one of the two"
    for key, read, value in named if readable else ():
        try:
            read(value)
        except ValueError as error:
            yield (*path, key), *split_told(error)


def _caps_tokens(budget: object) -> bool:
    caps = budget if isinstance(budget, dict) else {}
    return any(caps.get(key, Budget.model_fields[key].default) is not None for key in _TOKEN_CAPS)
