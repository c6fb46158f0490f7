"""The shipped rules as data, for the tests that hold them to the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).parents[2]
ALERTMANAGER = TOP / "deploy" / "alertmanager"
RULES_FILE = ALERTMANAGER / "model-drift.rules.yml"
RULE_TESTS = ALERTMANAGER / "tests"
RUNBOOKS = TOP / "docs" / "runbooks"

RECORDED = re.compile(r"[a-z_]+:(model_drift_[a-z_]+):[a-z]+")


def load(file: Path) -> Any:
    """A YAML file."""
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def rules() -> list[dict[str, Any]]:
    """Every rule, in order."""
    return [rule for group in load(RULES_FILE)["groups"] for rule in group["rules"]]


def alerting() -> list[dict[str, Any]]:
    """The alerting rules. Two of them may bear one name, with another severity."""
    return [rule for rule in rules() if "alert" in rule]


def alert_names() -> list[str]:
    """The names of all alerts, each once, sorted."""
    return sorted({rule["alert"] for rule in alerting()})


def words_of(rule: dict[str, Any]) -> str:
    """Everything of a rule in which a metric may be named."""
    return "\n".join([rule["expr"], *rule.get("annotations", {}).values()])
