"""Which files a list of suite references stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from exporter.errors import Problem
from exporter.suites.generate import GENERATED
from exporter.suites.wording import did_you_mean

BUILTIN = ("core", "code", "structure")
"""Suites that are part of the program and are asked for by name."""

ENDINGS = (".yml", ".yaml", ".json", ".jsonl")
_NAMES = (*BUILTIN, GENERATED)


@dataclass(frozen=True, slots=True)
class SuitePath:
    """One suite file. `shown` is what people call it; `place` is None for the suite that is made in memory."""

    shown: str
    place: Traversable | None


def find_files(refs: Sequence[str], folder: Path) -> tuple[list[SuitePath], list[Problem]]:
    """The files behind `refs`, in their order; a folder stands for the suite files in it, by name. Nothing is opened."""
    found: list[SuitePath] = []
    problems: list[Problem] = []
    if not refs:
        problems.append(Problem("suites", "is empty", f"name a builtin suite ({', '.join(BUILTIN)}) or a suite file"))
    for ref in refs:
        files = _resolve(ref, folder)
        if isinstance(files, Problem):
            problems.append(files)
            continue
        for file in files:
            if any(known.place == file.place for known in found):
                problems.append(Problem(file.shown, "is listed twice", "name each suite file once"))
            else:
                found.append(file)
    return found, problems


def _resolve(ref: str, folder: Path) -> list[SuitePath] | Problem:
    if ref == GENERATED:
        return [SuitePath(f"{GENERATED} (suite)", None)]
    if ref in BUILTIN:
        return [SuitePath(f"{ref} (builtin)", _builtin(ref))]
    try:
        path = folder / ref
        if path.is_dir():
            return _list_folder(path, ref)
        is_file = path.is_file()
        place = path.resolve()
    except (OSError, ValueError) as error:
        return Problem(ref, f"cannot be read: {getattr(error, 'strerror', None) or error}", "check that it exists and may be read")
    if not is_file:
        guess = did_you_mean(ref, _NAMES) or f"name a builtin suite ({', '.join(BUILTIN)}), or a file or folder relative to the config file"
        return Problem(ref, "is neither a builtin suite nor a file", guess)
    if not _is_named_as_suite(path):
        return Problem(ref, "has an ending that no suite file has", f"rename it to one of {', '.join(ENDINGS)}")
    return [SuitePath(ref, place)]


def _list_folder(path: Path, ref: str) -> list[SuitePath] | Problem:
    """The suite files right in a folder. Hidden ones are none, and of several names of one file the first counts.

    So it is with a mounted ConfigMap, whose files are links through a hidden folder. A link that leads nowhere is listed: it
    cannot be read, and has to be told of.
    """
    inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith(".") and _is_named_as_suite(entry))
    places = {entry.resolve(): entry.name for entry in reversed(inside) if entry.is_file() or not entry.exists()}
    files = [SuitePath(f"{ref.rstrip('/')}/{name}", place) for place, name in sorted(places.items(), key=lambda item: item[1])]
    return files or Problem(
        ref, "holds no suite file", f"put files ending in {', '.join(ENDINGS)} there; folders in it are not looked into"
    )


def _is_named_as_suite(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS


def _builtin(name: str) -> Traversable:
    """The file in the installed package, else in the checkout that this module is part of."""
    packaged = resources.files("exporter.suites") / "builtin" / f"{name}.yml"
    return packaged if packaged.is_file() else Path(__file__).parents[2] / "suites" / f"{name}.yml"
