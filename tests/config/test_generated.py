from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.config import is_open_to_all, parse_config, read_seed, read_seed_file
from tests.config.texts import TARGET, complaints

GUESSED = (
    "the file holds a seed that could be guessed; 16 random bytes are needed, such as model-drift-exporter suite generate "
    "--new-seed FILE writes"
)
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
NEEDED = "add generated: {seed_file: …} at the top level; model-drift-exporter suite generate --new-seed FILE makes one"
PLANTED = "planted-and-not-shown-anywhere"
LOCATED = "config.yml:5: generated.seed_file: "

SOUND = [
    HEX.encode(),
    HEX.upper().encode(),
    b"q3R/x0+KJw9aPz71LmVbTg",
    b"twenty printables ! ?",
    bytes(range(200, 216)),
    b"314159265358979323846264338327950288419",
]

GUESSABLE = [
    b"",
    b"\n",
    HEX[:31].encode(),
    b"q3R/x0+KJw9aPz71LmVbT",
    b"nineteen printables",
    bytes(range(200, 215)),
    b"31415926535897932384626433832795028841",
    b"abababababababababababababababababababababab",
]


@pytest.mark.parametrize("seed", SOUND)
def test_a_seed_of_128_bits_is_taken_less_the_line_end(seed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "seed"
    path.write_bytes(seed)
    assert read_seed_file(path) == seed
    path.write_bytes(seed + (b"\r\n" if seed.isascii() else b""))
    assert read_seed_file(path) == seed


def test_a_seed_of_bytes_keeps_a_line_end_that_is_part_of_it(tmp_path: Path) -> None:
    seed = bytes(range(128, 143)) + b"\n"
    (tmp_path / "seed").write_bytes(seed)
    assert read_seed_file(tmp_path / "seed") == seed


@pytest.mark.parametrize("seed", GUESSABLE)
def test_a_seed_that_could_be_guessed_is_refused(seed: bytes, tmp_path: Path) -> None:
    (tmp_path / "seed").write_bytes(seed)
    assert complaints(f"{TARGET}generated: {{seed_file: seed}}\n", tmp_path) == [f"{LOCATED}{GUESSED}"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("generated: {seed_file: none}", f"{LOCATED}no such file; a relative path starts at the folder of the config file"),
        ("generated: {seed_file: .}", f"{LOCATED}what it names is not a file; name a file that holds the seed"),
        (f"generated: {{seed_file: [{PLANTED}]}}", f"{LOCATED}must be text or null, not a list"),
        ("generated: {seed_file: ''}", f"{LOCATED}empty; give it a value, or remove the line"),
        ("generated: {level: heard}", "config.yml:5: generated.level: must be one of easy, medium, hard, not 'heard'; did you mean hard?"),
        ("generated: {count: 11}", "config.yml:5: generated.count: must be a whole number from 12 to 500, not 11"),
        ("generated: {count: 501}", "config.yml:5: generated.count: must be a whole number from 12 to 500, not 501"),
        ("generated: {seed: abc}", "config.yml:5: generated.seed: unknown key; did you mean seed_file?"),
        ("generated: 5", "config.yml:5: generated: must be a mapping, not 5"),
        ("seed_file: x", "config.yml:5: seed_file: unknown key here; it belongs at generated.seed_file"),
        ("  generated: {level: easy}", "config.yml:5: targets[0].generated: unknown key here; it belongs at generated"),
        (
            "  suites: [core, generated]",
            f"config.yml:5: targets[0].suites[1]: the suite generated needs a seed; {NEEDED}",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    assert complaints(f"{TARGET}{line}\n", tmp_path) == [message]


def test_a_block_of_the_wrong_kind_is_told_once(tmp_path: Path) -> None:
    text = f"{TARGET}  suites: [generated]\ngenerated: yes\n"
    assert complaints(text, tmp_path) == ["config.yml:6: generated: must be a mapping, not 'yes'"]


def test_a_seed_file_is_found_from_the_folder_of_the_config(tmp_path: Path) -> None:
    (tmp_path / "seed").write_text(f"{HEX}\n")
    config = parse_config(f"{TARGET}generated: {{seed_file: seed}}\n", "config.yml", tmp_path)
    assert read_seed(config) == HEX.encode()
    assert read_seed(parse_config(TARGET, "config.yml")) is None


def test_a_file_that_everybody_may_read_is_known_as_such(tmp_path: Path) -> None:
    path = tmp_path / "seed"
    path.write_text(HEX)
    os.chmod(path, 0o644)
    assert is_open_to_all(path)
    os.chmod(path, 0o640)
    assert not is_open_to_all(path)
    assert not is_open_to_all(tmp_path / "none")
