"""What is in the wheel, and that it works where there is no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
LOOK_INSIDE = """
from pathlib import Path
import exporter
from exporter.store import open_store
from exporter.suites import load_suites
print(Path(exporter.__file__).parent.parent.name, len(load_suites(["core"], Path("."))) > 30)
open_store("sqlite:///history.db").close()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=TOP, check=True, capture_output=True, timeout=120)
    (made,) = folder.glob("*.whl")
    return made


def test_everything_of_the_package_is_in_it_and_nothing_else(wheel: Path) -> None:
    expected = {
        file.relative_to(TOP).as_posix() for file in (TOP / "exporter").rglob("*") if file.is_file() and "__pycache__" not in file.parts
    }
    expected |= {f"exporter/suites/builtin/{file.name}" for file in (TOP / "suites").iterdir()}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == expected


def test_suites_and_migrations_are_found_without_a_checkout(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", LOOK_INSIDE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": "site", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("site True\n", "", 0)
