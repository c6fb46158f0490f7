"""The shipped rules: promtool's own tests of them, and that they name nothing that is not there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from exporter.metrics import FAMILIES
from tests.deploy.rules import RECORDED, RULE_TESTS, RULES_FILE, RUNBOOKS, TOP, alert_names, alerting, load, rules, words_of
from tests.tools import require_tool

LABELS = {label.name: label.values for family in FAMILIES for label in family.labels}
SERIES = {name for family in FAMILIES for name in family.series_names}
OF_A_TARGET = {"target", "provider"}
ADDRESSES = {"https://grafana.example.com", "https://git.example.com"}
CASES = {
    "it fires": r"\bfires?\b",
    "it does not where it must not": r"\b(is|are) (not|none|no alert|another alert)\b",
    "it survives a missed scrape": r"missed scrapes?|scraped badly",
    "it survives a restart": r"another instance|replaced",
    "two instances are one alert": r"two instances (that are away )?are one alert\b",
    "it resolves": r"resolves with|resolves in|resolves when",
}


def promtool(*arguments: str | Path) -> tuple[int, str]:
    command = [require_tool("promtool"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def test_prometheus_takes_the_rules() -> None:
    code, said = promtool("check", "rules", "--lint=all", "--lint-fatal", RULES_FILE)
    assert (code, f"{len(rules())} rules found" in said) == (0, True), said


@pytest.mark.parametrize("file", sorted(RULE_TESTS.iterdir()), ids=lambda file: file.stem)
def test_the_rules_do_what_promtool_s_tests_say(file: Path) -> None:
    code, said = promtool("test", "rules", file)
    assert code == 0, said


def test_every_alert_has_its_file_of_tests_and_every_file_its_alert() -> None:
    more = {f"{name}-{kind}.yml" for name in alert_names() for kind in ("days", "replicas")}  # what takes days is evaluated more rarely
    assert sorted(file.name for file in RULE_TESTS.iterdir() if file.name not in more) == [f"{name}.yml" for name in alert_names()]


@pytest.mark.parametrize("alert", alert_names())
@pytest.mark.parametrize("case", CASES)
def test_every_alert_is_tested_for(alert: str, case: str) -> None:
    names = [test["name"] for test in load(RULE_TESTS / f"{alert}.yml")["tests"]]
    assert [name for name in names if re.search(CASES[case], name)] != []


def test_a_file_of_tests_speaks_of_its_alert_alone() -> None:
    for file in RULE_TESTS.iterdir():
        assert set(re.findall(r"ModelDrift[A-Za-z]+", file.read_text(encoding="utf-8"))) == {file.stem.partition("-")[0]}


def test_every_metric_that_is_named_is_in_the_catalogue() -> None:
    for rule in rules():
        assert set(re.findall(r"\bmodel_drift_[a-z_]+", words_of(rule))) <= SERIES, rule


def test_every_recorded_series_is_used_and_is_there_before_it_is_used() -> None:
    recorded: set[str] = set()
    used: set[str] = set()
    for rule in rules():
        named = {match.group(0) for match in RECORDED.finditer(words_of(rule))}
        recorded |= {rule["record"]} if "record" in rule else set()
        used |= named - {rule.get("record")}
        assert named <= recorded, rule
    assert used == recorded


def test_every_value_of_a_label_that_is_asked_for_exists() -> None:
    asked = [match for rule in rules() for match in re.findall(r"""\b([a-z_]+)=~?["']([a-z|_]+)["']""", words_of(rule))]
    assert len(asked) > 10
    for label, value in asked:
        closed = LABELS.get(label)
        assert label in LABELS, label
        assert closed is None or set(value.split("|")) <= set(closed), (label, value)


def test_nothing_is_asked_of_a_series_by_a_label_that_it_has_not() -> None:
    labels = {family.name: {label.name for label in family.labels} for family in FAMILIES}
    for rule in rules():
        for name, selector in re.findall(r"(?<!:)\b(model_drift_[a-z_]+)\{([^}]*)\}", words_of(rule)):
            assert set(re.findall(r"([a-z_]+)!?=", selector)) <= labels[name] | {"job"}, (name, selector)


@pytest.mark.parametrize("rule", alerting(), ids=lambda rule: f"{rule['alert']}-{rule['labels']['severity']}")
def test_an_alert_says_what_a_person_needs(rule: dict[str, Any]) -> None:
    notes = rule["annotations"]
    assert set(notes) == {"summary", "description", "runbook_url", "dashboard_url"}
    assert "Why: " in notes["description"]
    assert notes["runbook_url"].endswith(f"/docs/runbooks/{rule['alert']}.md")
    assert set(rule["labels"]) == {"severity"}
    if "by (job" not in rule["expr"] and "target" in rule["expr"]:
        assert "$labels.target" in notes["summary"]
    uid = "model-drift-target?var-target={{ $labels.target | urlquery }}" if "target" in rule["expr"] else "model-drift-overview"
    assert notes["dashboard_url"] == f"https://grafana.example.com/d/{uid}"


def test_only_what_is_conclusive_is_critical_and_everything_conclusive_is() -> None:
    critical = [rule for rule in alerting() if rule["labels"]["severity"] == "critical"]
    assert [rule for rule in alerting() if "model_drift_conclusive" in rule["expr"]] == critical
    asked = sorted(signal for rule in critical for signal in re.findall(r'signal=~?"([a-z|]+)"', rule["expr"])[0].split("|"))
    assert asked == sorted(LABELS["signal"] or ())


def test_no_verdict_but_confirmed_ones_is_alerted_of_and_suspect_ones_for_want_of_budget_alone() -> None:
    named = [rule for rule in rules() if re.search(r"model_drift_(verdict|checks_total|confirmation_pending)\b", rule["expr"])]
    assert [rule.get("record", rule.get("alert")) for rule in named] == [
        "job_target:model_drift_verdict:suspect",
        "ModelDriftBudgetExhausted",
    ]
    assert [rule["labels"] for rule in named if "alert" in rule] == [{"severity": "warning"}]


def test_every_alert_has_its_runbook_and_every_runbook_its_alert() -> None:
    assert sorted(page.stem for page in RUNBOOKS.iterdir()) == alert_names()


@pytest.mark.parametrize("alert", alert_names())
def test_a_runbook_says_what_it_means_what_to_look_at_and_what_to_do(alert: str) -> None:
    page = (RUNBOOKS / f"{alert}.md").read_text(encoding="utf-8")
    assert re.findall(r"^#+ (.+)$", page, re.MULTILINE) == [alert, "What it means", "What to look at", "What to do"]


def test_the_page_about_alerts_lists_each_with_its_severity() -> None:
    rows = re.findall(
        r"^\| \[(\w+)\]\(runbooks/(\w+)\.md\) \| (\w+)", (TOP / "docs" / "alerts.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    severities: dict[str, str] = {}
    for rule in alerting():
        severities.setdefault(rule["alert"], rule["labels"]["severity"])
    assert {name: severity for name, page, severity in rows if name == page} == severities


def test_the_addresses_to_replace_are_the_only_ones_and_are_explained() -> None:
    text = RULES_FILE.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[\w.]+", text)) == ADDRESSES
    page = (TOP / "docs" / "alerts.md").read_text(encoding="utf-8")
    assert [address for address in ADDRESSES if address not in page] == []


def test_no_rule_listens_to_a_replica_that_has_lost_its_database() -> None:
    newest = "job_instance_target:model_drift_target_info:newest"
    of_targets = [rule for rule in rules() if rule.get("record", "").startswith("job_target") and not rule["record"].endswith(":held")]
    assert [rule["record"] for rule in of_targets if newest not in rule["expr"]] == []
    assert len(of_targets) == 6
    for rule in alerting():
        words = words_of(rule)
        asked = re.findall(r"last_over_time\(model_drift_(?!(?:web_)?config_|snapshot_)[a-z_]+(?:\{[^}]*\})?\[15m\]\)", words)
        assert len(asked) == words.count(f"[15m]) and on (job, instance) last_over_time({newest}[5m])"), rule["alert"]
