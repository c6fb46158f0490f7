from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporter.cli.main import commands, main
from exporter.cli.simulated import as_csv, as_lines
from exporter.simulation.figures import Figure, Row, Table
from tests.cli.world import World

QUICK = ("--questions", "4,4", "--trials", "20", "--users", "3", "--processes", "1")

BAD_FLAGS = [
    (["--questions", "13,x"], "--questions: '13,x' is no list of numbers; write how many questions each area has: 13,10,11"),
    (["--questions", "13,0"], "--questions: '13,0' is no list of numbers; write how many questions each area has: 13,10,11"),
    (["--set", "tries"], "--set: 'tries' has no =; write KEY=VALUE, such as tries=4"),
    (["--set", "tires=4"], "--set: tires: unknown key; did you mean tries?"),
    (["--set", "tries=0"], "--set: tries: must be a whole number from 1 to 10, not 0"),
    (["--set", "alpha=often"], "--set: alpha: must be a number above 0 and below 1, not 'often'"),
    (
        ["--scores", "0,1,2"],
        "--scores: '0,1,2' does not score the marks from 0 to 6; write 7 whole numbers from 0 to at most 100, none below the one before it",
    ),
    (
        ["--scores", "0,2,1", "--set", "tries=2"],
        "--scores: '0,2,1' does not score the marks from 0 to 2; write 3 whole numbers from 0 to at most 100, none below the one before it",
    ),
    (
        ["--scores", "0,a,1", "--set", "tries=2"],
        "--scores: '0,a,1' does not score the marks from 0 to 2; write 3 whole numbers from 0 to at most 100, none below the one before it",
    ),
    (
        ["--scores", "0,1", "--procedure", "count"],
        "--scores: not beside --procedure count, which has its own; leave one of them out",
    ),
    (["--bad-first-day", "9"], "--bad-first-day: 9 questions cannot be lost of 8; write at most 8"),
    (["day", "quiet", "--csv"], "--csv: prints one table and nothing else; choose one of day, quiet, without --json"),
    (["--csv", "--json"], "--csv: prints one table and nothing else; choose one of day, without --json"),
    (["--sticky", "2"], "usage: Invalid value for '--sticky': 2.0 is not in the range 0<=x<=1; see model-drift-exporter simulate --help"),
    (
        ["week"],
        "usage: Invalid value for '[TABLE]...': 'week' is not one of 'day', 'quiet', 'delay'; see model-drift-exporter simulate --help",
    ),
]


@pytest.mark.parametrize(("flags", "message"), BAD_FLAGS, ids=[" ".join(flags) for flags, _ in BAD_FLAGS])
def test_what_is_wrong_with_a_flag_is_said_in_a_line(flags: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["simulate", *QUICK, *flags])
    captured = capsys.readouterr()
    if "--json" in flags:
        assert message in captured.out
    else:
        assert (captured.out, captured.err) == ("", message + "\n")
    assert left.value.code == 2


def run(*flags: str) -> Result:
    done = CliRunner().invoke(commands, ["simulate", *QUICK, *flags])
    assert (done.exit_code, done.stderr) == (0, ""), done
    return done


def test_the_table_of_one_day_is_the_default_and_says_what_was_simulated() -> None:
    lines = run("--model", "saturated", "--sticky", "0.5", "--set", "tries=3").stdout.splitlines()
    assert lines[:4] == [
        "procedure ours; questions 4,4; seed 1; sticky 0.5; set tries=3",
        "",
        "One day: shares of days in %, and answers asked for on it; 20 days in each row",
        lines[3],
    ]
    assert lines[3].split() == ["model", "baseline", "change", "one", "run", "screen", "drift", "token_shift", "asked"]
    assert len(lines) == 4 + 2 * 7


def test_csv_has_the_standard_error_after_each_figure() -> None:
    head, first, *_ = csv.reader(io.StringIO(run("quiet", "--model", "strong", "--days", "7", "--csv").stdout))
    assert head[:4] == ["model", "counted", "mean", "mean, standard error"]
    assert first[:3] == ["strong", "tickets, accuracy", "0"]


def test_tables_are_aligned_and_show_the_digits_that_their_error_leaves() -> None:
    table = Table(
        "day",
        "",
        (
            Row({"model": "strong", "change": "nothing"}, {"drift": Figure(0.1234, 0.0123), "asked": Figure(38.912, 0.3)}),
            Row({"model": "strong", "change": "1 lost"}, {"drift": Figure(100, 0.5), "asked": Figure(None, None)}),
            Row({"model": "mixed", "change": "1 lost"}, {"drift": Figure(12, 3), "asked": Figure(1, 0)}),
        ),
    )
    assert as_lines(table) == [
        "model   change         drift       asked",
        "strong  nothing  0.12 ± 0.01  38.9 ± 0.3",
        "        1 lost   100.0 ± 0.5           -",
        "mixed   1 lost        12 ± 3           1",
    ]
    assert as_csv(table).splitlines()[2] == "strong,1 lost,100,0.5,,"


def test_a_target_s_own_past_is_simulated_and_told_in_sentences(world: World) -> None:
    world.write()
    world.collect(5)
    said = world.run("simulate", "--from-history", "bot", "--users", "3", "--days", "7", "--processes", "1", "--json")
    document = said.document
    assert document["simulated"]["questions"] == "6,6"
    assert [table["table"] for table in document["tables"]] == ["quiet", "delay"]
    assert {row["model"] for table in document["tables"] for row in table["rows"]} == {"bot"}
    assert document["sentences"][-2].startswith("You would be told of a loss of 2 questions within 1 day in 100 ± ")
    assert document["sentences"][-1].endswith(" false pages.")


def test_a_target_without_a_baseline_has_no_past_yet(world: World) -> None:
    world.write()
    world.collect(2)
    said = world.run("simulate", "--from-history", "bot")
    assert (said.code, said.errors) == (
        2,
        ["--from-history: bot has 2 of the 5 runs that its baseline needs; let it be checked until the baseline is ready"],
    )


def test_a_past_brings_its_own_models_and_questions(world: World) -> None:
    world.write()
    said = world.run("simulate", "--from-history", "bot", "--model", "strong", "--questions", "5")
    assert (said.code, said.errors) == (
        2,
        [
            "--model: not beside --from-history, which brings its own; leave one of them out",
            "--questions: not beside --from-history, which brings its own; leave one of them out",
        ],
    )


def test_without_numpy_it_is_said_how_to_get_it() -> None:
    program = "import sys; sys.modules['numpy'] = None; from exporter.cli.main import main; main(['simulate'])"
    top = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=top, env={**os.environ, "PYTHONPATH": str(top)}
    )
    assert (done.returncode, done.stderr) == (2, "simulate: numpy is not installed; pip install 'model-drift-exporter[simulate]'\n")
