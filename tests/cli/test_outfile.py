"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from exporter.cli.outfile import make_folder, write_new, write_whole, written_whole
from exporter.errors import UsageError


def test_a_file_is_made_or_replaced_and_nothing_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_whole(path, "one\n", "--out")
    write_whole(path, "二\n", "--out")
    assert path.read_text(encoding="utf-8") == "二\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "result.json")
    write_whole(tmp_path / "link", "one\n", "--out")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "result.json").read_text() == "one\n"


def test_a_disk_that_is_full_leaves_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    path.write_text("old\n")

    def fill(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(UsageError) as refused:
        write_whole(path, "new\n", "--out")
    assert str(refused.value) == f"--out: {path}: cannot be written: No space left on device; name a file in a folder that can be written"
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("missing/result.json", "cannot be written: No such file or directory; name a file in a folder that can be written"),
        (".", "is no file that can be replaced; name a file"),
    ],
)
def test_what_is_no_place_for_a_file_is_told(tmp_path: Path, name: str, what: str) -> None:
    with pytest.raises(UsageError) as refused:
        write_whole(tmp_path / name, "new\n", "--out")
    assert str(refused.value) == f"--out: {tmp_path / name}: {what}"


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(UsageError):
        write_whole(Path(os.devnull), "new\n", "--out")
    assert Path(os.devnull).is_char_device()


def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "private.yml"
    path.write_text("old\n")
    path.chmod(0o644)
    write_whole(path, "new\n", "--out", private=True)
    assert path.stat().st_mode & 0o777 == 0o600
    write_new(tmp_path / "seed", "s\n", "--new-seed")
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "seed"
    path.write_text("old\n")
    with pytest.raises(UsageError) as refused:
        write_new(path, "new\n", "--new-seed")
    assert str(refused.value) == f"--new-seed: {path}: is there already, and is not replaced; name a new file"
    assert path.read_text() == "old\n"


def test_a_long_text_that_breaks_off_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "result.om"
    path.write_text("old\n")

    def write_half() -> None:
        with written_whole(path, "--out") as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_made_with_those_above_it_and_may_be_there(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert make_folder(folder, "--out") == make_folder(folder, "--out") == folder
    assert folder.is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(UsageError) as refused:
        make_folder(tmp_path / "file", "--out")
    assert str(refused.value) == f"--out: {tmp_path / 'file'}: cannot be made: File exists; name a folder that can be written"
