"""The main job on a real language model: a baseline, no false alarm, and a damaged twin under the same name found out.

A small model answers differently each time. What is asserted holds for any run of luck short of about one in a thousand:
never a text, a speed, or a score.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.real_model.serving import NAME, ModelServer

pytestmark = pytest.mark.real_model

EASY = Path(__file__).with_name("easy.yml")
CHECK_TIMEOUT_SECONDS = 900
CONFIG = """
storage: sqlite:///{storage}
decision: {{baseline_min_gap: 0s, confirm_after: 0s, tries: {tries}}}
budget: {{usd_per_check: null, tokens_per_check: 2000000, usd_per_day: null, usd_per_month: null}}
targets:
  - name: small
    api: openai_chat
    base_url: {url}/v1
    model: {model}
    suites: [{suite}]
    price: unknown
    max_tokens_scale: {scale}
    concurrency: 4
    request_timeout: 5m
    run_deadline: 14m
"""


class Watch:
    """The product's own command line, watching one target."""

    def __init__(self, folder: Path, url: str, suite: str, *, tries: int = 5, scale: float = 1.0) -> None:
        self._config = folder / "config.yml"
        text = CONFIG.format(storage=folder / "history.db", url=url, model=NAME, suite=suite, tries=tries, scale=scale)
        self._config.write_text(text)

    def check(self) -> tuple[int, Mapping[str, Any]]:
        """Check once; return the exit code and the verdict."""
        program = "from exporter.cli.main import main; main()"
        command = [sys.executable, "-c", program, "check", "--config.file", str(self._config), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_TIMEOUT_SECONDS, check=False)
        sys.stdout.write(f"{done.stdout}\n{done.stderr}\n")  # shown where the test fails
        assert "Traceback" not in done.stderr
        document = json.loads(done.stdout)
        assert "errors" not in document, document
        (verdict,) = document["targets"]
        return done.returncode, verdict


def signal_of(verdict: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    (state,) = (state for state in verdict["signals"] if state["signal"] == name)
    return state


def test_a_damaged_twin_of_a_real_model_is_drift_and_the_model_itself_is_not(real_model: Mapping[str, str], tmp_path: Path) -> None:
    with ModelServer(real_model, tmp_path / "server.log") as server:
        server.start(real_model["model"])
        watch = Watch(tmp_path, server.url, str(EASY))

        for _ in range(4):
            code, verdict = watch.check()
            assert (code, verdict["kind"]) == (0, "collecting")
        code, verdict = watch.check()
        if verdict["baseline"]["left_out_run_ids"]:
            # One in a hundred sets of five holds a run that is out of line; it is left out and another one collected.
            code, verdict = watch.check()
        assert (code, verdict["kind"]) == (0, "baseline_ready")
        assert verdict["baseline"]["runs"] == 5
        assert verdict["baseline"]["sometimes"]

        code, verdict = watch.check()
        assert verdict["kind"] in {"stable", "improved", "unconfirmed"}
        assert code == 0
        assert not any(state["confirmed"] for state in verdict["signals"])

        server.start(real_model["twin"])
        code, verdict = watch.check()
        assert (code, verdict["kind"], verdict["runs"]) == (1, "drift", 2)
        assert signal_of(verdict, "accuracy")["confirmed"]
        assert not signal_of(verdict, "identity")["confirmed"]
        whole = next(test for test in verdict["tests"] if (test["test"], test["area"]) == ("accuracy", "overall"))
        assert whole["passed"]
        assert whole["p_value"] > 0
        assert 0 < whole["adjusted_p_value"] <= whole["threshold"] == 0.004


def test_a_rambling_model_does_not_upset_the_graders_of_core(real_model: Mapping[str, str], tmp_path: Path) -> None:
    """One try each, and at most 256 tokens: most answers miss their ANSWER line, many are cut off."""
    with ModelServer(real_model, tmp_path / "server.log") as server:
        server.start(real_model["model"])
        code, verdict = Watch(tmp_path, server.url, "core", tries=1, scale=0.0625).check()
    assert (code, verdict["kind"]) in {(0, "collecting"), (3, "measurement_failed")}
    assert verdict["headline"]
    assert verdict["kind"] == "collecting" or (verdict["reason_message"] and verdict["next_step"])
    assert verdict["answer_line_missing"] > 0
