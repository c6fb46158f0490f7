"""How results look: colours on a terminal only, lines wrapped under their indent there and left alone elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from exporter.cli.render import print_json, print_line, print_note, progress_bar

TOP = Path(__file__).parents[2]
LONG = "a line of many words that has no room on a narrow terminal and goes on below its own beginning"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What rich takes for a terminal with colours, forty columns wide."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")


def test_elsewhere_a_line_is_a_line_without_colours(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(LONG, indent=2, style="bold red")
    assert capsys.readouterr().out == f"  {LONG}\n"


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_a_line_is_wrapped_under_its_indent(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(LONG, indent=2)
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "  a line of many words that has no room",
        "  on a narrow terminal and goes on below",
        "  its own beginning",
    ]


@pytest.mark.usefixtures("terminal")
def test_a_style_is_seen_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("drift", style="red")
    assert "\x1b[31mdrift\x1b[0m" in capsys.readouterr().out


@pytest.mark.usefixtures("terminal")
def test_no_color_is_respected(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    print_line("drift", style="red")
    assert "\x1b[31m" not in capsys.readouterr().out


def test_square_brackets_and_numbers_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("targets[0]: [bold]12[/bold]")
    assert capsys.readouterr().out == "targets[0]: [bold]12[/bold]\n"


def test_notes_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    print_note("a word")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "a word\n")


def test_json_keeps_other_scripts_and_refuses_what_json_has_no_word_for(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"area": "日本語"})
    assert capsys.readouterr().out == '{\n  "area": "日本語"\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"p": float("nan")})


def test_no_progress_is_shown_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as bar:
        bar.update("bot", 1, 3, 12)
        bar.note("a word")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "a word\n")


@pytest.mark.usefixtures("terminal")
def test_progress_is_shown_to_a_person_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as bar:
        bar.update("bot", 1, 3, 12)
        bar.update("bot", 1, 4, 12)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "bot, run 1" in captured.err
    assert "/12" in captured.err


def run_config_example() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "exporter", "config", "--example"]
    return subprocess.Popen(command, env={"PYTHONPATH": str(TOP)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_reader_that_leaves_early_is_no_error_of_ours() -> None:
    with run_config_example() as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_what_a_terminal_cannot_write_is_replaced() -> None:
    command = [sys.executable, "-c", "from exporter.cli.render import *; print_line('accuracy \u2192 down'); print_json('\u2192')"]
    said = subprocess.run(command, env={"PYTHONPATH": str(TOP), "PYTHONIOENCODING": "latin-1"}, capture_output=True, check=True)
    assert said.stdout == b'accuracy ? down\n"\\u2192"\n'
