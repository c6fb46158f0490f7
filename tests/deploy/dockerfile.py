"""The Dockerfile as data: instructions in their order, stage by stage."""

from __future__ import annotations

import re
from pathlib import Path

TOP = Path(__file__).parents[2]
DOCKERFILE = TOP / "Dockerfile"

Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """(keyword, text) of each instruction; lines that go on are joined, comments left out."""
    lines = [line for line in DOCKERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [(keyword, text) for keyword, _, text in (line.partition(" ") for line in joined.splitlines() if line)]


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, FROM first; what comes before the first FROM is left out."""
    found: list[list[Instruction]] = []
    for keyword, text in instructions():
        if keyword == "FROM":
            found.append([])
        if found:
            found[-1].append((keyword, text))
    return found


def build_stage() -> list[Instruction]:
    """The stage that is thrown away."""
    return stages()[0]


def final_stage() -> list[Instruction]:
    """The stage that is the image."""
    return stages()[-1]


def copied(stage: list[Instruction]) -> list[tuple[list[str], str]]:
    """(sources, destination) of each COPY from the build's context."""
    parts = [text.split() for keyword, text in stage if keyword == "COPY" and not text.startswith("--from")]
    return [(words[:-1], words[-1]) for words in parts]
