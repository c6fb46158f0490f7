"""Suites of the user's own in a running service: folders are read on a reload, and a seed stays a secret."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.daemon.serving import Serving, until
from tests.daemon.world import FakeProvider

SEED = "5eed5eed0123456789abcdef76543210"


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    serving = Serving(tmp_path)
    serving.providers["bot"] = FakeProvider()
    return serving


def question(number: int, reference: str) -> str:
    head = f"- id: extra-{number}\n  area: extra\n  prompt: What is the answer to question {number} ?\n  extract: full\n"
    return f"{head}  grader: {{kind: exact, answers: ['{number}']}}\n  reference: '{reference}'\n"


def test_a_folder_is_read_on_a_reload_only_and_a_bad_file_in_it_changes_nothing(serving: Serving) -> None:
    folder = serving.folder / "ours"
    folder.mkdir()
    (folder / "a.yml").write_text("suite: ours\nquestions:\n" + question(101, "101"))
    serving.write({"name": "bot", "suites": ["ours"]})

    def ids() -> list[str]:
        return list(serving.snapshots()["bot"].question_ids)

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        (folder / "b.yml").write_text("suite: ours\nquestions:\n" + question(102, "103"))
        assert ids() == ["extra-101"]
        refused = await serving.service.reload()
        assert refused == "ours/b.yml:8: questions[0].reference: fails its own grader; correct the reference or the grader"
        assert ids() == ["extra-101"]
        (folder / "b.yml").write_text("suite: ours\nquestions:\n" + question(102, "102"))
        assert await serving.service.reload() is None
        assert ids() == ["extra-101", "extra-102"]

    serving.run(act)


def test_nothing_that_leaves_the_program_tells_of_the_seed(serving: Serving) -> None:
    (serving.folder / "seed").write_text(f"{SEED}\n")
    serving.write({"name": "bot", "suites": ["generated"]}, generated={"seed_file": "seed", "count": 12}, export_questions=True)

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        assert serving.snapshots()["bot"].question_ids[:2] == ("gen-medium-001", "gen-medium-002")
        assert SEED not in f"{serving.series()}{serving.service.config_text()}{serving.snapshots()}"

    with capture_logs() as logs:
        serving.run(act)
    assert SEED not in str(logs)
    stored = b"".join(path.read_bytes() for path in serving.folder.glob("history.db*"))
    assert stored
    assert SEED.encode() not in stored
    assert bytes.fromhex(SEED) not in stored
