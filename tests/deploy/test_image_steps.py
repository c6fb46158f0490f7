"""The Dockerfile's steps, run in a plain folder instead of a container: what comes of them works, and is small.

Fetches packages, so it only runs where MODEL_DRIFT_IMAGE_STEPS=1; .ci/run does. The image itself: scripts/image/try_image.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from exporter import __version__
from tests.deploy.dockerfile import TOP, build_stage, copied

MOST_BYTES = 120_000_000
PLACE = "/opt/model-drift-exporter"
RUN_CODE = """
from pathlib import Path
from exporter.suites import load_suites
from exporter.suites.program import Call, Program
from exporter.suites.sandbox import run_program
assert len(load_suites(["core", "code", "structure"], Path("."))) > 50
print(run_program(Program("def f(x): return x + 1", "f", (Call((41,)),))))
"""
ASK = """
import asyncio
from exporter.clock import SystemClock
from exporter.providers.wire import Outgoing, Wire
async def ask():
    wire = Wire(SystemClock())
    print((await wire.send(Outgoing("http://127.0.0.1:9/v1", {}, {}), 5.0, lambda event: True)).message)
    await wire.aclose()
asyncio.run(ask())
"""
IMPORT_ALL = """
import importlib
from pathlib import Path
import exporter
top = Path(exporter.__file__).parent
names = [".".join(file.relative_to(top.parent).with_suffix("").parts) for file in top.rglob("*.py")]
names = [name for name in names if not name.startswith(("exporter.simulation", "exporter.cli.simulation", "exporter.store.migrations"))]
assert len(names) > 100
for name in names:
    importlib.import_module(name)
print("all")
"""

pytestmark = pytest.mark.skipif(
    os.environ.get("MODEL_DRIFT_IMAGE_STEPS") != "1", reason="fetches packages; MODEL_DRIFT_IMAGE_STEPS=1 runs it"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What would be copied into the image, made by the build stage's own steps."""
    top = tmp_path_factory.mktemp("image")
    build, place = top / "build", top / "opt"
    build.mkdir()
    for keyword, text in build_stage():
        if keyword == "COPY":
            ((names, goal),) = copied([(keyword, text)])
            for name in names:
                if (TOP / name).is_dir():
                    shutil.copytree(TOP / name, build / goal, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(TOP / name, build / goal)
        if keyword == "RUN":
            words = [word for word in text.split() if not word.startswith("--mount=")]
            command = " ".join(words).replace(PLACE, str(place))
            environment = os.environ | {"REVISION": "0123abc"}
            done = subprocess.run(
                ["/bin/sh", "-eu", "-c", command], cwd=build, env=environment, capture_output=True, text=True, timeout=600, check=False
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return place


def run(installed: Path, *command: str) -> str:
    done = subprocess.run(
        [installed / "bin" / command[0], *command[1:]],
        cwd=installed,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_program_starts_and_knows_its_revision(installed: Path) -> None:
    assert run(installed, "model-drift-exporter", "--version") == f"model-drift-exporter, version {__version__}\n"
    assert run(installed, "python", "-c", "from exporter.metrics.build import read_build; print(read_build().revision)") == "0123abc\n"


def test_every_module_but_the_simulation_can_be_imported(installed: Path) -> None:
    assert run(installed, "python", "-c", IMPORT_ALL) == "all\n"


def test_suites_are_there_and_code_is_run_in_the_sandbox(installed: Path) -> None:
    assert run(installed, "python", "-c", RUN_CODE) == "Report(outcomes=(Returned(value=42),), loading=None, fault=None)\n"


def test_a_provider_is_asked(installed: Path) -> None:
    assert run(installed, "python", "-c", ASK) == "cannot connect to 127.0.0.1:9: connection refused; check base_url\n"


def test_it_is_small_and_holds_nothing_to_build_with(installed: Path) -> None:
    size = sum(file.lstat().st_size for file in installed.rglob("*") if not file.is_dir())
    assert size <= MOST_BYTES
    assert {"pip", "setuptools", "hatchling", "pytest", "numpy"} & {
        folder.name for folder in installed.glob("lib/python3*/site-packages/*")
    } == set()


def test_what_it_runs_is_compiled(installed: Path) -> None:
    (package,) = installed.glob("lib/python3*/site-packages/exporter")
    sources = {file.relative_to(package).with_suffix("") for file in package.rglob("*.py")}
    compiled = {file.parent.parent.relative_to(package) / file.name.split(".")[0] for file in package.rglob("*.pyc")}
    assert compiled == sources
