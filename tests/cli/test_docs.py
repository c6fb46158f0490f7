"""docs/commands.md tells of every verb and every flag, and of no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from exporter.cli.main import commands

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
HELP = {"--help", "-h"}


def leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


VERBS = dict(leaves(commands))
SECTIONS = dict(re.findall(r"^##+ (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def flags_of(command: click.Command) -> set[str]:
    return {flag for parameter in command.params if isinstance(parameter, click.Option) for flag in parameter.opts}


def documented(text: str) -> set[str]:
    """The flags in the first column of a section's table."""
    cells = re.findall(r"^\| (`-[^|]*) \|", text, re.MULTILINE)
    return {flag for cell in cells for flag in re.findall(r"`(-[^`]+)`", cell)}


def test_every_verb_has_its_section_and_no_section_is_of_another() -> None:
    groups = {name for name, command in commands.commands.items() if isinstance(command, click.Group)}
    assert SECTIONS.keys() - {"What all of them have in common"} == VERBS.keys() | groups


@pytest.mark.parametrize("verb", VERBS)
def test_every_flag_of_a_verb_is_told_and_no_other(verb: str) -> None:
    assert documented(SECTIONS[verb]) == flags_of(VERBS[verb])


def test_the_flags_of_all_verbs_are_told() -> None:
    assert documented(SECTIONS["What all of them have in common"]) == flags_of(commands) | HELP


@pytest.mark.parametrize("verb", VERBS)
def test_the_default_of_a_flag_is_what_the_page_says(verb: str) -> None:
    for option in VERBS[verb].params:
        if isinstance(option, click.Option) and option.show_default:
            assert re.search(rf"^\| `{re.escape(option.opts[0])}` \| `{re.escape(str(option.default))}` \|", SECTIONS[verb], re.MULTILINE)


def test_flags_in_examples_exist() -> None:
    lines = re.findall(r"^\$ model-drift-exporter (.+)$", PAGE, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        verb = next(name for name in sorted(VERBS, key=len, reverse=True) if line.startswith(name))
        assert set(re.findall(r"(?<= )--[a-z.-]+", line)) <= flags_of(VERBS[verb])
