"""README.md and the docs say nothing that is not so: commands, flags, metrics, configs, rules, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from exporter.cli.main import commands
from exporter.config import Config, Schedule, Target, load_config
from exporter.metrics import FAMILIES, PREFIX

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text(encoding="utf-8")
PAGES = [*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").rglob("*.md")), TOP / "benchmarks" / "README.md"]
PROGRAM = "model-drift-exporter"


def tree(command: click.Command = commands, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below the program, with its words."""
    for name, child in (command.commands if isinstance(command, click.Group) else {}).items():
        yield f"{path}{name}", child
        yield from tree(child, f"{path}{name} ")


COMMANDS = dict(tree())
FLAGS = {flag for command in COMMANDS.values() for parameter in command.params for flag in parameter.opts} | {"--help", "--version"}
SERIES = {name for family in FAMILIES for name in (family.name, *family.series_names)}


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges make them."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links() -> list[tuple[Path, str]]:
    return [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page))]


def yaml_blocks() -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def shown(page: Path) -> str:
    return page.relative_to(TOP).as_posix()


def test_the_table_of_commands_is_the_program_s() -> None:
    rows = re.findall(rf"^\| `{PROGRAM} ([a-z]+)` \|", README, re.MULTILINE)
    assert sorted(rows) == sorted(name for name in COMMANDS if " " not in name)


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_each_command_that_is_named_exists(page: Path) -> None:
    named = re.findall(
        rf"(?<!/){PROGRAM} ([a-z]+)(?= |`|$)|`(?:\.venv/bin/)?{PROGRAM} ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {first or second for first, second in named} <= {name.split()[0] for name in COMMANDS}


@pytest.mark.parametrize("page", [TOP / "README.md", TOP / "docs" / "README.md"], ids=shown)
def test_each_flag_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z.-]+", page.read_text(encoding="utf-8"))) <= FLAGS


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_each_metric_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(rf"\b{PREFIX}[a-z_]+", page.read_text(encoding="utf-8"))) <= SERIES


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_each_make_target_that_is_named_exists(page: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:^|`)make ([a-z]+)(?=`|$| +#)", page.read_text(encoding="utf-8"), re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize(
    ("page", "link"),
    [(page, link) for page, link in links() if "://" not in link],
    ids=lambda value: shown(value) if isinstance(value, Path) else value,
)
def test_each_link_leads_somewhere(page: Path, link: str) -> None:
    file, _, anchor = link.partition("#")
    goal = (page.parent / file).resolve() if file else page
    assert goal.exists()
    assert goal.is_relative_to(TOP)
    if anchor:
        assert anchor in anchors(goal)


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_each_file_that_is_named_exists(page: Path) -> None:
    named = re.findall(r"`((?:exporter|tests|suites|scripts|benchmarks|docs|deploy|\.ci)/[\w./*-]+)`", page.read_text(encoding="utf-8"))
    assert [name for name in named if not list(TOP.glob(name.rstrip("/")))] == []


def test_each_page_that_the_code_names_exists() -> None:
    sources = [
        file
        for folder in ("exporter", "suites", "scripts", "benchmarks")
        for file in (TOP / folder).rglob("*.*")
        if file.suffix in {".py", ".yml"}
    ]
    named = {name for file in sources for name in re.findall(r"\bdocs/[\w-]+\.md\b", file.read_text(encoding="utf-8"))}
    assert [name for name in sorted(named) if not (TOP / name).exists()] == []


def test_the_index_lists_every_page() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (TOP / "docs" / "README.md").read_text(encoding="utf-8")))
    assert listed == {page.name for page in (TOP / "docs").glob("*.md")} - {"README.md"}


@pytest.fixture
def quick_start(tmp_path: Path) -> Path:
    """The config of the quick start, in a folder with what it names."""
    (text,) = (block for block in yaml_blocks() if "targets:" in block)
    (tmp_path / "openai.key").write_text("k\n")
    (tmp_path / "our-questions.yml").touch()
    (tmp_path / "config.yml").write_text(text)
    return tmp_path / "config.yml"


def test_the_config_of_the_quick_start_is_short_and_says_nothing_unusual(quick_start: Path) -> None:
    config = load_config(quick_start)
    assert config.storage == Config().storage
    assert (config.schedule.cron, config.schedule.timezone) == (Schedule().cron, Schedule().timezone)
    assert config.targets[0].suites == Target.model_fields["suites"].default
    assert len(quick_start.read_text().splitlines()) <= 12


def test_the_first_check_of_the_quick_start_fits_its_caps_with_its_second_run(quick_start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(quick_start.parent)
    done = CliRunner().invoke(commands, ["estimate"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "support-bot" in done.stdout


def test_the_port_is_the_one_that_is_listened_on() -> None:
    (address,) = (parameter.default for parameter in COMMANDS["serve"].params if "--web.listen-address" in parameter.opts)
    assert f"http://localhost{address}/" in README
