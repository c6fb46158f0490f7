"""What import-linter and ruff cannot say about who does what, and that docs/architecture.md knows every room."""

from __future__ import annotations

import ast
import io
import re
import statistics
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
PACKAGE = TOP / "exporter"
ROOMS = sorted(folder.parent.name for folder in PACKAGE.glob("*/__init__.py"))
CODE = sorted(file for folder in (".ci", "benchmarks", "exporter", "scripts", "tests") for file in (TOP / folder).rglob("*.py"))
MAX_LINES, MAX_MEDIAN_LINES = 400, 150

ONLY_IN = {
    "os.environ": {"config/secrets.py"},
    "os.getenv": set(),
    "sys.argv": {"cli/main.py"},
    "sys.stdout": {"cli/render.py"},
    "sys.stderr": {"cli/render.py", "daemon/logs.py"},
    "click.echo": set(),
    "asyncio.sleep": {"clock.py"},
    "datetime.now": set(),
    "datetime.today": set(),
    "datetime.utcnow": set(),
    "date.today": set(),
    "random.random": set(),
}
"""Dotted names that few may say: time is asked of a Clock, chance of a seeded generator, people are spoken to by render."""

EXCUSE = re.compile(r"# (?:noqa: [A-Z0-9]+(?:, [A-Z0-9]+)*|type: ignore\[[a-z, -]+\]) +(?:-+|#) \w")


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def dotted_name(node: ast.Attribute) -> str:
    """The last two words: `os.environ` of `os.environ`, `datetime.now` of `datetime.datetime.now`."""
    owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return f"{owner}.{node.attr}"


@cache
def users_of_dotted_names() -> dict[str, set[str]]:
    users: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(tree(file)):
            said = []
            if isinstance(node, ast.Attribute):
                said = [dotted_name(node)]
            elif isinstance(node, ast.ImportFrom):
                said = [f"{(node.module or '').rpartition('.')[2]}.{alias.name}" for alias in node.names]
            for name in said:
                users.setdefault(name, set()).add(file.relative_to(PACKAGE).as_posix())
    return users


def comments(file: Path) -> Iterator[tokenize.TokenInfo]:
    tokens = tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline)
    return (token for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("name", ONLY_IN)
def test_few_may_say_it(name: str) -> None:
    assert users_of_dotted_names().get(name, set()) <= ONLY_IN[name]


def test_printing_is_left_to_render() -> None:
    printing = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "input", "breakpoint"}
    }
    assert printing <= {"cli/render.py"}


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_on_its_door_what_is_never_done_there(room: str) -> None:
    sign = ast.get_docstring(tree(PACKAGE / room / "__init__.py")) or ""
    assert re.search(r"\b(never|no|nothing|nowhere)\b", sign, re.IGNORECASE), sign


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_has_tests(room: str) -> None:
    assert list((TOP / "tests" / room).rglob("test_*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_has_its_floor(room: str) -> None:
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    floors = [floor for contract in settings["contracts"] if contract["type"] == "layers" for floor in contract["layers"]]
    assert re.search(rf"\bexporter\.{room}\b", "\n".join(floors))


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_in_the_docs(room: str) -> None:
    text = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{room}` \|", text, re.MULTILINE)


def test_no_file_is_long_and_most_are_short() -> None:
    lines = {file.relative_to(TOP).as_posix(): len(file.read_text(encoding="utf-8").splitlines()) for file in CODE}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}
    assert statistics.median(lines.values()) < MAX_MEDIAN_LINES


def test_each_exception_to_a_check_has_its_reason() -> None:
    bare = [
        f"{file.relative_to(TOP)}:{comment.start[0]}"
        for file in CODE
        for comment in comments(file)
        if re.match(r"#\s*(noqa|type:\s*ignore)", comment.string) and not EXCUSE.match(comment.string)
    ]
    assert bare == []


def test_nothing_is_left_to_be_done_in_a_comment() -> None:
    open_ends = [
        f"{file.relative_to(TOP)}:{comment.start[0]}"
        for file in CODE
        for comment in comments(file)
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", comment.string)
    ]
    assert open_ends == []


def test_each_folder_of_tests_is_a_package() -> None:
    folders = {file.parent for file in (TOP / "tests").rglob("*.py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
