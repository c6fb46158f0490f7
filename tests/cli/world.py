"""The command line in a folder of its own: a config, a suite, and a pretended provider on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exporter.cli.main import main
from exporter.demo.behaviour import Behaviour
from exporter.demo.mock import MockProvider, running_mock
from exporter.suites import load_suites
from tests.threads import in_thread

TOP = Path(__file__).parents[2]
GUARD_SECONDS = 60
QUESTIONS = 12

CONFIG = """\
storage: sqlite:///history.db
schedule: {cron: "0 9 * * *", spread: 0s}
decision: {baseline_min_gap: 0s, confirm_after: 0s}
targets:
- name: bot
  api: openai_chat
  model: m
  base_url: URL
  suites: [questions.yml]
  price: {input_usd_per_mtok: 1, output_usd_per_mtok: 2}
"""
"""A config that loads. What is appended starts in the target, indented by 2, or at the top level."""


def suite_text() -> str:
    """Twelve questions in two areas; the right answer to question N is N."""
    lines = ["suite: made-up", "questions:"]
    for number in range(1, QUESTIONS + 1):
        lines += [
            f"- id: q{number}",
            f"  area: {'odd' if number % 2 else 'even'}",
            f"  prompt: Which number does question {number} bear?",
            "  extract: full",
            f"  grader: {{kind: exact, answers: ['{number}']}}",
            f"  reference: '{number}'",
            "  max_tokens: 64",
        ]
    return "\n".join(lines) + "\n"


@contextmanager
def provider(folder: Path, models: dict[str, Behaviour], suites: Sequence[str] = ("questions.yml",)) -> Iterator[MockProvider]:
    """The mock in a thread with a loop of its own: `main` needs the main thread."""
    with in_thread(running_mock(load_suites(suites, folder), models)) as (mock, _):
        yield mock


@dataclass
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        return self.err.splitlines()


class World:
    """A folder with a suite and, once `write` was called, a config; commands are run in it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], mock: MockProvider) -> None:
        self.folder = folder
        self.mock = mock
        self._capsys = capsys

    def write(self, more: str = "", **changes: str) -> Path:
        """Write a config: `CONFIG` with `more` after it; `changes` replace the text after a key, at its first place."""
        text = CONFIG.replace("URL", self.mock.base_url)
        for key, value in changes.items():
            start = text.index(f"{key}: ") + len(key) + 2
            text = text[:start] + value + text[text.index("\n", start) :]
        path = self.folder / "config.yml"
        path.write_text(text + more)
        return path

    def second_target(self, model: str) -> str:
        """One more target, named after the model it asks for, to be appended to a config."""
        keys = f"name: {model}, api: openai_chat, model: {model}, base_url: '{self.mock.base_url}'"
        return f"- {{{keys}, suites: [questions.yml], price: unknown}}\n"

    def run(self, *arguments: str) -> Said:
        """Run a command line in this process."""
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        code = left.value.code
        assert isinstance(code, int)
        captured = self._capsys.readouterr()
        return Said(code, captured.out, captured.err)

    @contextmanager
    def start(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """A command in a process of its own. One that hangs is killed after a minute, so that nobody waits for it for ever."""
        command = [sys.executable, "-m", "exporter", *arguments]
        with subprocess.Popen(
            command, cwd=self.folder, env={"PYTHONPATH": str(TOP)}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            guard = threading.Timer(GUARD_SECONDS, process.kill)
            guard.start()
            try:
                yield process
            finally:
                guard.cancel()
                process.kill()

    def behave(self, model: str = "m", **fields: object) -> None:
        """Change how a pretended model behaves, from the next request on."""
        body = json.dumps({"models": {model: fields}}).encode()
        request = urllib.request.Request(f"{self.mock.url}/control", body, method="PATCH")  # noqa: S310 - the mock's own loopback URL
        with urllib.request.urlopen(request):  # noqa: S310 - as above
            pass

    def asked(self) -> int:
        """Requests that the pretended provider has had."""
        with urllib.request.urlopen(f"{self.mock.url}/requests") as response:  # noqa: S310 - as above
            return len(json.load(response)["requests"])

    def collect(self, checks: int = 5) -> None:
        """Make checks that nothing depends on."""
        for _ in range(checks):
            assert self.run("check").code == 0
