"""export: ten known days of two targets, as OpenMetrics, JSON lines, CSV and a textfile."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_classic

from exporter.cli.main import main
from exporter.metrics.backfill import Backfill
from exporter.records import VerdictKind
from tests.acceptance.past_year import DAY_SECONDS, FIRST_DAY, Life, at, write_history
from tests.cli.world import Said

Run = Callable[..., Said]
LIVES = (Life("support-bot", 0.03, dict.fromkeys((6, 7), VerdictKind.DRIFT)), Life("mailer", 0.01))
CHECKED_SECONDS = 9 * 3600 + 120
UNTIL = ("--until", "2025-01-11")


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ten-days")
    write_history(folder, 10, LIVES)
    return folder


@pytest.fixture
def run(history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command line in a folder with a copy of the history."""
    shutil.copy(history / "history.db", tmp_path)
    text = (history / "config.yml").read_text().replace(str(history), str(tmp_path))
    (tmp_path / "config.yml").write_text(text)
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments: str) -> Said:
        with pytest.raises(SystemExit) as left:
            main(["export", *arguments])
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Said(left.value.code, captured.out, captured.err)

    return run_it


def values(text: str, name: str, **labels: str) -> list[tuple[float, float]]:
    """Times since the first day, and values, of a series."""
    wanted = [f'{label}="{value}"' for label, value in labels.items()]
    lines = [line.rsplit(" ", 2) for line in text.splitlines() if line.startswith(f"{name}{{")]
    return [(float(time) - FIRST_DAY, float(value)) for key, value, time in lines if all(label in key for label in wanted)]


def test_a_stream_has_a_sample_at_every_step_from_the_first_check_on(run: Run) -> None:
    said = run("support-bot", *UNTIL, "--step", "4m30s")
    assert (said.code, said.err) == (0, "")
    drift = values(said.out, "model_drift_verdict", target="support-bot", verdict="drift")
    assert [time for time, _ in drift] == [float(time) for time in range(9 * 3600, 10 * DAY_SECONDS + 1, 270)]
    drifted = [time for time, value in drift if value == 1]
    assert 0 <= min(drifted) - (6 * DAY_SECONDS + CHECKED_SECONDS) < 270
    assert 0 <= 8 * DAY_SECONDS + CHECKED_SECONDS - max(drifted) <= 270
    assert not values(said.out, "model_drift_verdict", target="mailer")


def test_counters_and_spend_stand_as_they_stood_then(run: Run) -> None:
    said = run(*UNTIL, "--since", "2025-01-07T12:00")
    spent = values(said.out, "model_drift_spend_usd_total", target="support-bot")
    assert spent[0] == (6.5 * DAY_SECONDS, 0.21)
    assert spent[-1] == (10 * DAY_SECONDS, 0.3)
    assert values(said.out, "model_drift_checks_total", target="support-bot", result="drift")[0][1] == 1
    month = values(said.out, "model_drift_budget_spent_usd", target="mailer", period="month")
    assert (month[0][1], month[-1][1]) == (0.07, 0.1)


def test_job_and_instance_are_as_told(run: Run) -> None:
    said = run("--since", "2025-01-10T23:00", *UNTIL, "--job", "drift", "--instance", "10.0.0.7:10201")
    labels = {(sample.labels["job"], sample.labels["instance"]) for family in parse_openmetrics(said.out) for sample in family.samples}
    assert labels == {("drift", "10.0.0.7:10201")}


def test_a_folder_gets_a_file_a_month(run: Run, tmp_path: Path) -> None:
    said = run("mailer", "--since", "2025-01-31T12:00", "--until", "2025-02-01T12:00", "--out", "new/months", "--step", "4m30s")
    assert (said.code, said.out, said.err) == (0, "", "")
    folder = tmp_path / "new" / "months"
    assert sorted(path.name for path in folder.iterdir()) == ["2025-01.om", "2025-02.om"]
    months = [values(path.read_text(), "model_drift_baseline_runs", target="mailer") for path in sorted(folder.iterdir())]
    assert months[1][0][0] - months[0][-1][0] == 270
    assert [month[-1][1] for month in months] == [10, 10]


def test_all_series_are_more(run: Run) -> None:
    window = ("--since", "2025-01-10T23:00", *UNTIL)
    usual, every = ({family.name for family in parse_openmetrics(run(*window, *more).out)} for more in ((), ("--all-series",)))
    assert {"model_drift_questions", "model_drift_check_in_progress", "model_drift_requests"} <= every - usual
    assert usual < every


def test_lines_of_json_are_the_verdicts(run: Run) -> None:
    said = run("--format", "jsonl", *UNTIL)
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [(line["target"], line["decided_at"]) for line in lines] == [
        (name, at(day, CHECKED_SECONDS)) for name in ("support-bot", "mailer") for day in range(10)
    ]
    drift = lines[6]
    assert (drift["kind"], drift["headline"].split(":")[0], drift["flips"][0]["lost"]) == ("drift", "Drift", ["q1", "q2"])


def test_a_table_of_verdicts_of_some_days(run: Run, tmp_path: Path) -> None:
    said = run("support-bot", "--format", "csv", "--since", "2025-01-07", "--until", "2025-01-09T09:02:00", "--out", "verdicts.csv")
    assert (said.code, said.out) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "verdicts.csv").read_text())))
    assert [(row["kind"], row["accuracy_ratio"], row["confirmed"], row["conclusive"]) for row in rows] == [
        ("drift", "0.7", "accuracy", ""),
        ("drift", "0.7", "accuracy", "accuracy"),
    ]


def test_a_textfile_has_the_present_values(run: Run, tmp_path: Path) -> None:
    said = run("--textfile", "drift.prom")
    assert (said.code, said.out, said.err) == (0, "", "")
    families = {family.name: family.samples for family in parse_classic((tmp_path / "drift.prom").read_text())}
    assert {sample.labels["target"]: sample.value for sample in families["model_drift_spend_usd"]} == {"support-bot": 0.3, "mailer": 0.1}
    assert [path.name for path in tmp_path.iterdir() if "prom" in path.name] == ["drift.prom"]


def test_a_time_with_a_zone_is_that_time(run: Run) -> None:
    said = run("support-bot", "--format", "jsonl", "--since", "2025-01-10T10:02:00+01:00", "--until", "2025-01-10T09:02:01Z")
    assert [json.loads(line)["decided_at"] for line in said.out.splitlines()] == [at(9, CHECKED_SECONDS)]


HELP = "; see model-drift-exporter export --help"
STEP = "usage: Invalid value for '--step': "
LOOK_BACK = ": needs whole seconds, 1s to 4m30s: Prometheus looks back for five minutes only"
NOTHING = "--since, --until: nothing was checked in that time; the first check was at 2025-01-01T09:00 (UTC)"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["bot"], "TARGET: 'bot' is not in the config; choose from: support-bot, mailer"),
        (["--step", "5m"], f"{STEP}5m{LOOK_BACK}{HELP}"),
        (["--step", "500ms"], f"{STEP}500ms{LOOK_BACK}{HELP}"),
        (["--step", "4"], f"{STEP}'4' is not a duration; write a number with its unit, such as 90s, 15m or 1h30m{HELP}"),
        (
            ["--since", "yesterday"],
            f"usage: Invalid value for '--since': 'yesterday' is not a time; write 2026-01-31 or 2026-01-31T09:00{HELP}",
        ),
        (["--until", "2025-01-01"], NOTHING),
        (["--since", "2025-02-01", "--until", "2025-01-31"], NOTHING),
        (
            ["--format", "csv", "--step", "1m", "--all-series"],
            "--format: csv: has a line a verdict and no series; leave out --step, --all-series",
        ),
        (["--textfile", "x.prom", "--out", "y"], "--textfile: is of now and of no history; leave out --out"),
        (["--textfile", "x.txt"], "--textfile: x.txt: node_exporter reads files called *.prom only; call it so"),
        (
            ["--textfile", "none/x.prom"],
            "--textfile: none/x.prom: cannot be written: No such file or directory; name a file in a folder that can be written",
        ),
        (["--out", "config.yml"], "--out: config.yml: cannot be made: File exists; name a folder that can be written"),
        (
            ["--format", "jsonl", "--out", "none/x"],
            "--out: none/x: cannot be written: No such file or directory; name a file in a folder that can be written",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_told(run: Run, arguments: list[str], error: str) -> None:
    said = run(*arguments)
    assert (said.code, said.out, said.errors) == (2, "", [error])


def test_a_target_that_was_never_checked_is_told_and_the_others_are_written(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "config.yml"
    config.write_text(config.read_text().replace("name: mailer", "name: new-one"))
    said = run("--format", "jsonl", *UNTIL)
    assert (said.code, said.err, len(said.out.splitlines())) == (0, "new-one: not checked yet, nothing to export\n", 10)
    said = run("new-one")
    assert (said.code, said.errors[1:]) == (2, ["--since, --until: nothing was checked in that time; let serve run, or check"])


def test_a_ctrl_c_leaves_whole_months_and_no_half_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, months = Backfill.write, []

    def interrupted(past: Backfill, steps: object) -> Iterator[str]:
        months.append(steps)
        for part in write(past, steps):  # type: ignore[arg-type]  # as it is called
            if len(months) == 2:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(Backfill, "write", interrupted)
    said = run("--until", "2025-02-01T06:00", "--out", "months")
    assert (said.code, said.errors[-1]) == (130, "interrupted")
    assert [path.name for path in (tmp_path / "months").iterdir()] == ["2025-01.om"]


def test_the_store_is_only_looked_at(run: Run, tmp_path: Path) -> None:
    before = (tmp_path / "history.db").read_bytes()
    for arguments in ((*UNTIL, "--since", "2025-01-10"), ("--format", "csv"), ("--textfile", "x.prom")):
        assert run(*arguments).code == 0
    assert (tmp_path / "history.db").read_bytes() == before
