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
JAPANESE = (TOP / "README.ja.md").read_text(encoding="utf-8")
PAGES = [*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").rglob("*.md")), TOP / "benchmarks" / "README.md"]
PROGRAM = "model-drift-exporter"
BLOCK = re.compile(r"^(?:```\w*\n(?s:.*?)^```|#+ .+|\|.+|\S.*(?:\n(?!\* |\d+\. |#|\||```) *\S.*)*)$", re.MULTILINE)
WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]  # one is also a pronoun


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


@pytest.mark.parametrize("page", [TOP / "README.md", TOP / "README.ja.md", TOP / "docs" / "README.md"], ids=shown)
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


def kind(block: str) -> str:
    """What begins a block: the marks of a heading, an item, a table's row or code; nothing begins a paragraph."""
    begin = re.match(r"```\w*|#+ |\||\* |\d+\. ", block)
    return begin[0] if begin else ""


def pairs() -> list[tuple[str, str]]:
    """Each block of README.md beside the Japanese one; a row of a table cell by cell."""
    blocks = zip(BLOCK.findall(README), BLOCK.findall(JAPANESE), strict=True)
    return [
        pair
        for english, japanese in blocks
        for pair in (zip(english.split("|"), japanese.split("|"), strict=True) if kind(english) == "|" else [(english, japanese)])
    ]


def facts(block: str) -> tuple[set[str], set[str]]:
    """What no translation changes: code and links."""
    return set(re.findall(r"`[^`]+`", block)), set(re.findall(r"\]\(([^)\s]+)\)", block)) - {"README.md", "README.ja.md"}


def figures(block: str) -> set[str]:
    """The numbers of a block's text and comments, in digits or in English words."""
    text = re.sub(r"`[^`]+`|\]\([^)]+\)", "", block.replace("```", ""))
    counts = {str(WORDS.index(word) + 2) for word in re.findall(r"[a-z]+", text.lower()) if word in WORDS}
    return counts | set(re.findall(r"\d+(?:[.,/]\d+)*", text))


def commented(block: str) -> list[str]:
    """The lines of a block of code, whatever their comments say."""
    return re.sub(r"(?<=#) .*", "", block).splitlines()


def test_both_readmes_begin_with_a_link_to_the_other() -> None:
    assert BLOCK.findall(README)[1] == "English · [日本語](README.ja.md)"
    assert BLOCK.findall(JAPANESE)[1].startswith("[English](README.md) · 日本語")


def test_the_japanese_readme_has_the_same_parts_in_the_same_order() -> None:
    english, japanese = BLOCK.findall(README), BLOCK.findall(JAPANESE)
    assert [pair for pair in zip(english, japanese, strict=False) if kind(pair[0]) != kind(pair[1])][:1] == []
    assert len(japanese) == len(english)


def test_the_japanese_readme_shows_the_same_code_with_other_comments() -> None:
    code = [(commented(english), commented(japanese)) for english, japanese in pairs() if kind(english).startswith("```")]
    assert code != []
    assert [(english, japanese) for english, japanese in code if english != japanese] == []


def test_the_japanese_readme_names_the_same_code_and_links_in_each_part() -> None:
    prose = [pair for pair in pairs() if not kind(pair[0]).startswith("```")]
    assert [(english, japanese) for english, japanese in prose if facts(english) != facts(japanese)] == []


def test_no_figure_is_missing_or_old_in_the_japanese_readme() -> None:
    assert [(english, japanese) for english, japanese in pairs() if not figures(english) <= figures(japanese)] == []


def test_nothing_is_left_in_english_in_the_japanese_readme() -> None:
    assert [
        english for english, japanese in pairs() if english == japanese and re.search(r"[a-z] [a-z]", re.sub("`[^`]+`", "", english))
    ] == []
