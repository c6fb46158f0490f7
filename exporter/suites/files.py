"""Which files a list of suite references stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from exporter.errors import Problem
from exporter.suites.wording import did_you_mean

BUILTIN = ("core", "structure")
"""Suites that are part of the program and are asked for by name."""

ENDINGS = (".yml", ".yaml", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class SuitePath:
    """One suite file. `shown` is what people call it."""

    shown: str
    place: Traversable


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
    if ref in BUILTIN:
        return [SuitePath(f"{ref} (builtin)", _builtin(ref))]
    try:
        path = (folder / ref).resolve()
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix in ENDINGS and file.is_file())
            shown = ref.rstrip("/")
            return [SuitePath(f"{shown}/{file.name}", file) for file in inside] or Problem(
                ref, "holds no suite file", f"put files ending in {', '.join(ENDINGS)} there"
            )
        is_file = path.is_file()
    except (OSError, ValueError) as error:
        return Problem(ref, f"cannot be read: {getattr(error, 'strerror', None) or error}", "")
    if not is_file:
        guess = (
            did_you_mean(ref, BUILTIN) or f"name a builtin suite ({', '.join(BUILTIN)}), or a file or folder relative to the config file"
        )
        return Problem(ref, "is neither a builtin suite nor a file", guess)
    if path.suffix not in ENDINGS:
        return Problem(ref, "has an ending that no suite file has", f"rename it to one of {', '.join(ENDINGS)}")
    return [SuitePath(ref, path)]


def _builtin(name: str) -> Traversable:
    """The file in the installed package, else in the checkout that this module is part of."""
    packaged = resources.files("exporter.suites") / "builtin" / f"{name}.yml"
    return packaged if packaged.is_file() else Path(__file__).parents[2] / "suites" / f"{name}.yml"
