"""A config that a test changes as it goes, beside the pretended provider that its targets ask."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.acceptance.books import read_books
from tests.acceptance.pretended import Pretended


class Scene:
    """A folder with a config, and the pretended models that its targets ask: of target x, model x unless it says otherwise."""

    def __init__(self, folder: Path, pretended: Pretended) -> None:
        self.folder = folder
        self.pretended = pretended
        self.store = folder / "history.db"
        self.config_file = folder / "config.yml"

    def write(self, *targets: Mapping[str, Any], cron: str = "0 0 1 1 *", confirm_after: str = "0s", **top: Any) -> Path:
        """Write the config. With the usual cron a target is checked once, at the first start."""
        usual = {
            "api": "openai_chat",
            "base_url": self.pretended.base_url,
            "suites": ["questions.yml"],
            "concurrency": 1,
            "price": {"input_usd_per_mtok": 1, "output_usd_per_mtok": 2},
        }
        document = {
            "storage": f"sqlite:///{self.store}",
            "schedule": {"cron": cron, "spread": "0s"},
            "decision": {
                "baseline_runs": 3,
                "baseline_min_gap": "0s",
                "confirm_after": confirm_after,
                "recheck_after": "0s",
                "retry_failed_check": {"times": 0},
            },
            "targets": [{**usual, "model": target["name"], **target} for target in targets],
            **top,
        }
        self.config_file.write_text(json.dumps(document, indent=1))  # JSON is YAML
        return self.config_file

    def asked(self, model: str) -> int:
        """Requests that a model has had."""
        return len(self.pretended.entries(model))

    def closed(self) -> list[str]:
        """The targets of all closed checks, one by one, sorted."""
        return sorted(check["target"] for check in read_books(self.store).checks if check["closed_at"] is not None)
