from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from exporter.suites.files import BUILTIN, find_files
from tests.suites.examples import problems_of, suite_of, write

ROOT = Path(__file__).parents[2]


def test_a_folder_stands_for_its_suite_files_by_name(tmp_path: Path) -> None:
    for name in ("b.yml", "a.yaml", "d.jsonl", "c.json", "notes.md", "deeper.yml/e.yml"):
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).touch()
    found, problems = find_files(["mine"], tmp_path)
    assert [file.shown for file in found] == ["mine/a.yaml", "mine/b.yml", "mine/c.json", "mine/d.jsonl"]
    assert problems == []


def test_hidden_files_and_other_endings_are_no_suites_but_an_ending_may_be_in_capitals(tmp_path: Path) -> None:
    for name in ("A.YML", ".hidden.yml", ".#a.yml", "a.yml~", "a.yml.swp"):
        (tmp_path / name).touch()
    found, problems = find_files(["."], tmp_path)
    assert [file.shown for file in found] == ["./A.YML"]
    assert problems == []


def test_a_mounted_config_map_counts_each_file_once(tmp_path: Path) -> None:
    """Kubernetes: files are links into ..data, which is a link to the newest hidden folder."""
    mount = tmp_path / "mount"
    (mount / "..2026_11_30").mkdir(parents=True)
    for name in ("one.yml", "two.yml"):
        (mount / "..2026_11_30" / name).touch()
    (mount / "..data").symlink_to("..2026_11_30")
    for name in ("one.yml", "two.yml"):
        (mount / name).symlink_to(f"..data/{name}")
    (mount / "alias.yml").symlink_to("one.yml")
    found, problems = find_files(["mount"], tmp_path)
    assert [file.shown for file in found] == ["mount/alias.yml", "mount/two.yml"]
    assert problems == []


def test_a_link_that_leads_nowhere_is_told_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "gone.yml").symlink_to("..data/gone.yml")
    write(tmp_path, "mine/here.yml", suite_of("lamp"))
    assert problems_of(tmp_path, "mine") == [
        "mine/gone.yml: cannot be read: No such file or directory; check that it exists and may be read"
    ]


def test_a_file_and_the_folder_that_holds_it_list_it_twice(tmp_path: Path) -> None:
    write(tmp_path, "mine/a.yml", suite_of("lamp"))
    assert problems_of(tmp_path, "mine/a.yml", "mine") == ["mine/a.yml: is listed twice; name each suite file once"]


def test_a_file_named_as_a_builtin_suite_is_reached_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.yml").touch()
    found, _ = find_files(["core", "./core"], tmp_path)
    assert [file.shown for file in found] == ["core (builtin)", "./core/a.yml"]


def test_every_builtin_suite_is_in_the_checkout() -> None:
    assert {f"{name}.yml" for name in BUILTIN} <= {path.name for path in (ROOT / "suites").iterdir()}


def test_the_wheel_carries_the_suites_to_where_they_are_looked_for() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"suites": "exporter/suites/builtin"}


def test_an_installed_package_finds_its_own_suites_without_a_checkout(tmp_path: Path) -> None:
    """The layout of the wheel: the package with suites/ inside it, and nothing else around."""
    shutil.copytree(ROOT / "exporter", tmp_path / "exporter", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "suites", tmp_path / "exporter" / "suites" / "builtin")
    program = "from pathlib import Path; from exporter.suites import load_suites; print(len(load_suites(['core'], Path())))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("34\n", "")
