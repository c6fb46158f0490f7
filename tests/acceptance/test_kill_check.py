"""kill -9 of a check, at random moments. With MODEL_DRIFT_REQUIRE_TOOLS=1 (CI) 20 times, else 3: each takes a start of the program."""

from __future__ import annotations

import os
import random
from pathlib import Path

from exporter.demo.behaviour import Behaviour
from tests.acceptance.books import read_books, require_agreement, require_one_verdict_a_check
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import pause, run_check, wait_until
from tests.tools import REQUIRE_TOOLS

KILLS = 20 if os.environ.get(REQUIRE_TOOLS) == "1" else 3
CONCURRENCY = 3
MODELS = {"bot": "model-1", "helper": "model-2"}
LOST = ["question-1", "question-2", "question-3", "question-4"]

CONFIG = """\
storage: sqlite:///{folder}/history.db
schedule: {{cron: "0 9 * * *", spread: 0s}}
decision: {{baseline_runs: 3, baseline_min_gap: 0s, confirm_after: 0s}}
budget: {{usd_per_check: 10, usd_per_day: 1000, usd_per_month: 1000}}
targets:
- {{name: bot, api: openai_chat, model: model-1, <<: &rest {{base_url: "{base_url}", suites: [questions.yml], concurrency: 3,
    price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}}}}}
- {{name: helper, api: anthropic, model: model-2, <<: *rest}}
"""


def test_a_check_that_is_killed_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random(20)  # noqa: S311 - moments, not secrets
    store = tmp_path / "history.db"
    with pretending(
        tmp_path, {"model-1": Behaviour(latency_seconds=0.03), "model-2": Behaviour("mixed", latency_seconds=0.03)}
    ) as pretended:
        config_file = tmp_path / "config.yml"
        config_file.write_text(CONFIG.format(folder=tmp_path, base_url=pretended.base_url))
        for _ in range(3):
            with run_check(config_file) as program:
                assert program.wait() == 0, program.said()
        pretended.behave("model-1", lost=LOST)  # from now on a check needs both of its runs
        kept = read_books(store).settled_grades
        kills = 0
        for _ in range(3 * KILLS):
            kills += _kill_somewhere(config_file, pretended, chance)
            books = read_books(store)
            assert kept.items() <= books.settled_grades.items()
            assert all(books.open_requests(target) <= CONCURRENCY for target in MODELS)
            kept = books.settled_grades
            if kills == KILLS:
                break
        assert kills == KILLS
        asked = pretended.count()
        with run_check(config_file) as program:
            assert program.wait() == 1, program.said()
        assert pretended.count() > asked
        assert kept.items() <= read_books(store).settled_grades.items()
        require_one_verdict_a_check(store)
        require_agreement(store, pretended, MODELS, never_sent=KILLS * CONCURRENCY)


def _kill_somewhere(config_file: Path, pretended: Pretended, chance: random.Random) -> bool:
    """Kill a check in its work, or (one of five) before it has asked anything. False where it was through already."""
    before = pretended.count()
    early, share = chance.random() < 0.2, chance.random()
    with run_check(config_file) as program:
        if early:
            wait_until(lambda: "going on" in program.said() or pretended.count() > before or not program.is_running, 60, "it begins")
        else:
            wait_until(lambda: pretended.count() > before or not program.is_running, 60, "the first request")
            pause(share * 1.2)
        return program.kill()
