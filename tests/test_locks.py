"""The lock files: every version with its hash, made from pyproject.toml, and nothing in them that only one machine has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[1]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock", "requirements-tools.lock")
ASKED_FOR = {
    "requirements.lock": PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["postgres"],
    "requirements-build.lock": PROJECT["build-system"]["requires"],
    "requirements-dev.lock": PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"],
    "requirements-tools.lock": PROJECT["dependency-groups"]["tools"],
}
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[a-z0-9.+!-]+)(?: ; (?P<marker>[^\\]+?))? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def lines(lock: str) -> list[str]:
    return (TOP / lock).read_text(encoding="utf-8").splitlines()


def pins(lock: str) -> dict[str, set[str]]:
    """Package to its versions; more than one where they differ by Python."""
    found: dict[str, set[str]] = {}
    for line in lines(lock):
        if pin := PIN.fullmatch(line):
            found.setdefault(pin["name"], set()).add(pin["version"])
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_hashes_and_comments_and_nothing_else(lock: str) -> None:
    other = [line for line in lines(lock) if not (PIN.fullmatch(line) or HASH.fullmatch(line) or re.match(r" *#", line))]
    assert other == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address_and_no_folder(lock: str) -> None:
    assert [
        line for line in lines(lock) if "://" in line or "index" in line or "find-links" in line or re.search(r"(^|\s)[./~]", line)
    ] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_says_how_to_make_it_anew(lock: str) -> None:
    assert lines(lock)[1] == "#    make lock"


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_fits_what_pyproject_asks_for(lock: str) -> None:
    pinned = pins(lock)
    unmet = [
        asked
        for asked in map(Requirement, ASKED_FOR[lock])
        if not pinned.get(canonicalize_name(asked.name)) or not all(map(asked.specifier.contains, pinned[canonicalize_name(asked.name)]))
    ]
    assert unmet == [], "run: make lock"


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-build.lock"])
def test_tests_run_with_the_versions_that_people_run(lock: str) -> None:
    developers = pins("requirements-dev.lock")
    assert {name: versions for name, versions in pins(lock).items() if developers.get(name) != versions} == {}


def test_the_build_group_is_what_the_build_asks_for() -> None:
    assert PROJECT["dependency-groups"]["build"] == PROJECT["build-system"]["requires"]
