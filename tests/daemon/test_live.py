"""What a config that is loaded again may not change, and which histories it gives another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import Config, load_config
from exporter.daemon.live import find_renames, load_live, require_same_storage
from exporter.errors import UsageError

TARGET = "targets: [{name: bot, api: openai_chat, base_url: 'http://127.0.0.1:9/v1', model: m, price: unknown}]"


def load(folder: Path, *lines: str) -> Config:
    (folder / "config.yml").write_text("\n".join((*lines, TARGET)))
    return load_config(folder / "config.yml")


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["storage: postgresql://drift@db/other", "storage_password_file: one"], "1: storage"),
        (["storage: postgresql://drift@db/history", "storage_password_file: two"], "2: storage_password_file"),
        (["storage: postgresql://drift@db/history"], "storage_password_file"),
    ],
)
def test_another_store_or_another_file_for_its_password_needs_a_restart(tmp_path: Path, lines: list[str], complaint: str) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text("secret\n")
    in_use = load(tmp_path, "storage: postgresql://drift@db/history", "storage_password_file: one")
    require_same_storage(in_use, load(tmp_path, "storage: postgresql://drift@db/history", "storage_password_file: one"))
    with pytest.raises(UsageError) as error:
        require_same_storage(in_use, load(tmp_path, *lines))
    assert str(error.value).endswith(f"{complaint}: cannot be changed by a reload; restart the program")


@pytest.mark.parametrize(
    ("known", "renames"),
    [
        ([], {}),
        (["bot"], {"support": "bot"}),
        (["bot", "other"], {"support": "bot"}),
        (["bot", "support"], {}),
        (["support"], {}),
        (["bot", "old"], {"support": "bot", "new": "old"}),
    ],
)
def test_a_history_is_carried_over_from_a_former_name_to_one_that_has_none(
    tmp_path: Path, known: list[str], renames: dict[str, str]
) -> None:
    shared = "api: openai_chat, base_url: 'http://127.0.0.1:9/v1', model: m, price: unknown"
    targets = ("name: support, formerly: bot", "name: other", "name: new, formerly: old")
    (tmp_path / "config.yml").write_text(
        "storage: sqlite:///history.db\ntargets:\n" + "".join(f"- {{{one}, {shared}}}\n" for one in targets)
    )
    assert find_renames(load_live(tmp_path / "config.yml"), known) == renames
