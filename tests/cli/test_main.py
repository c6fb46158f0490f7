"""The command as a whole: usage, exit codes, errors that nobody foresaw."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from exporter import __version__
from exporter.cli import validate as validate_room
from exporter.cli.exits import exit_code_of
from exporter.records import BaselineState, Verdict, VerdictKind
from tests.cli.world import World

USAGE = [
    ([], "usage: Missing command; see model-drift-exporter --help"),
    (["frobnicate"], "usage: No such command 'frobnicate'; see model-drift-exporter --help"),
    (["check", "--frobnicate"], "usage: No such option '--frobnicate'; see model-drift-exporter check --help"),
    (["baseline"], "usage: Missing command; see model-drift-exporter baseline --help"),
    (["baseline", "show"], "usage: Missing argument 'TARGET'; see model-drift-exporter baseline show --help"),
    (["baseline", "pin", "bot"], "usage: Missing option '--run'; see model-drift-exporter baseline pin --help"),
    (["status", "bot"], "usage: Got unexpected extra argument (bot); see model-drift-exporter status --help"),
]


@pytest.mark.parametrize(("arguments", "error"), USAGE, ids=[" ".join(arguments) for arguments, _ in USAGE])
def test_a_command_line_that_cannot_be_read_is_one_line(world: World, arguments: list[str], error: str) -> None:
    said = world.run(*arguments)
    assert (said.code, said.errors, said.out) == (2, [error], "")


def test_usage_errors_are_json_too(world: World) -> None:
    assert world.run("check", "--json", "--frobnicate").document == {
        "errors": ["usage: No such option '--frobnicate'; see model-drift-exporter check --help"]
    }


def test_the_version_is_told(world: World) -> None:
    said = world.run("--version")
    assert (said.code, said.out) == (0, f"model-drift-exporter, version {__version__}\n")


def test_help_names_every_verb(world: World) -> None:
    said = world.run("--help")
    assert said.code == 0
    assert {"serve", "check", "estimate", "status", "validate", "config", "baseline"} <= set(said.out.split())


def test_python_m_exporter_is_the_command() -> None:
    said = subprocess.run([sys.executable, "-m", "exporter", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"model-drift-exporter, version {__version__}\n"


def fail(suites: Sequence[str], folder: object) -> None:
    raise RuntimeError("something\n  broke")


def test_an_error_that_nobody_foresaw_is_one_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate_room, "place_suites", fail)
    line = "unexpected RuntimeError: something broke; please report it, with the output of --debug"
    said = world.run("validate", "--suite", "core")
    assert (said.code, said.errors, said.out) == (2, [line], "")
    assert world.run("validate", "--suite", "core", "--json").document == {"errors": [line]}


def test_debug_shows_the_traceback(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate_room, "place_suites", fail)
    said = world.run("--debug", "validate", "--suite", "core")
    assert said.code == 2
    assert "Traceback" in said.err


def made_verdict(kind: VerdictKind, standing: VerdictKind) -> Verdict:
    return Verdict("bot", 1, 0.0, kind, standing, "p", 1, 1, (), BaselineState(5, 5, False))


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (VerdictKind.COLLECTING, 0),
        (VerdictKind.BASELINE_READY, 0),
        (VerdictKind.STABLE, 0),
        (VerdictKind.IMPROVED, 0),
        (VerdictKind.UNCONFIRMED, 0),
        (VerdictKind.DRIFT, 1),
        (VerdictKind.TOKEN_SHIFT, 1),
        (VerdictKind.MODEL_CHANGED, 1),
        (VerdictKind.SUSPECT, 3),
        (VerdictKind.MEASUREMENT_FAILED, 3),
    ],
)
def test_every_verdict_has_its_exit_code(kind: VerdictKind, code: int) -> None:
    assert exit_code_of([made_verdict(kind, kind)], failed=False) == code


def test_the_gravest_exit_code_counts() -> None:
    stable, suspect, drift = (made_verdict(kind, kind) for kind in (VerdictKind.STABLE, VerdictKind.SUSPECT, VerdictKind.DRIFT))
    held = made_verdict(VerdictKind.STABLE, VerdictKind.DRIFT)
    assert exit_code_of([stable, suspect], failed=False) == 3
    assert exit_code_of([stable, suspect], failed=True) == 2
    assert exit_code_of([drift, suspect], failed=True) == 1
    assert exit_code_of([held], failed=False) == 1
    assert exit_code_of([], failed=False) == 0
