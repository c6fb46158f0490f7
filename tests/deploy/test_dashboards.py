"""The shipped dashboards: that they work in any Grafana, for one target and for fifty, and ask for nothing that is not there."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from exporter.metrics import FAMILIES
from exporter.metrics.family import PREFIX, Origin
from exporter.metrics.selection import USUAL
from exporter.records import VerdictKind
from tests.deploy.dashboards import DASHBOARDS, GRAFANA, Query, dashboard_files, filled_in, load_dashboard, panels, queries, written
from tests.deploy.promql import grouping_labels, nearest_aggregations, selectors
from tests.deploy.rules import RULES_FILE

FILES = {file.stem: load_dashboard(file) for file in dashboard_files()}
ALL = [(uid, query) for uid, dashboard in FILES.items() for query in queries(dashboard)]
SERIES = {name: family for family in FAMILIES for name in family.series_names}
SCRAPED = {"job", "instance"}
PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}
COLUMNS = 24

every_dashboard = pytest.mark.parametrize("uid", FILES)
every_panel = pytest.mark.parametrize(
    "panel", [pytest.param(panel, id=f"{uid}: {panel['title']}") for uid, dashboard in FILES.items() for panel in panels(dashboard)]
)
every_query = pytest.mark.parametrize("query", [pytest.param(query, id=f"{uid}: {query.place}") for uid, query in ALL])


def expression_of(query: Query) -> str:
    return filled_in(query.expression, "1h", target="support-bot")


def test_the_dashboards_are_those_that_alerts_link_to() -> None:
    linked = set(re.findall(r"https://grafana\.example\.com/d/([a-z-]+)", RULES_FILE.read_text(encoding="utf-8")))
    assert set(FILES) == linked == {"model-drift-overview", "model-drift-target"}
    assert {uid: dashboard["uid"] for uid, dashboard in FILES.items()} == {uid: uid for uid in FILES}


@every_dashboard
def test_a_file_is_in_its_one_form_and_not_large(uid: str) -> None:
    text = (DASHBOARDS / f"{uid}.json").read_text(encoding="utf-8")
    assert text == written(json.loads(text)), "run python -m tests.deploy.dashboards"
    assert len(text) < 50_000


@every_dashboard
def test_the_data_source_is_chosen_in_the_dashboard(uid: str) -> None:
    dashboard = FILES[uid]
    assert "${DS_" not in json.dumps(dashboard)
    first = dashboard["templating"]["list"][0]
    assert (first["name"], first["type"], first["query"]) == ("datasource", "datasource", "prometheus")
    asked = [target for panel in panels(dashboard) for target in (panel, *panel["targets"])]
    asked += [variable for variable in dashboard["templating"]["list"] if variable["type"] == "query"]
    asked += [annotation for annotation in dashboard["annotations"]["list"] if "expr" in annotation]
    assert [one for one in asked if one["datasource"] != PROMETHEUS] == []


@every_dashboard
def test_the_targets_to_choose_from_are_those_of_the_config(uid: str) -> None:
    variable = FILES[uid]["templating"]["list"][1]
    assert (variable["name"], variable["query"]) == ("target", "label_values(model_drift_target_info, target)")
    assert (variable["multi"], variable["includeAll"]) == ((True, True) if uid == "model-drift-overview" else (False, False))


@every_dashboard
def test_verdicts_resets_and_protocols_are_annotated(uid: str) -> None:
    named = [annotation["name"] for annotation in FILES[uid]["annotations"]["list"] if "expr" in annotation]
    assert named == ["Verdict changes", "Baseline resets", "Protocol changes"]


@every_dashboard
def test_no_panel_lies_over_another_or_beside_the_grid(uid: str) -> None:
    places = [(panel["title"], panel["gridPos"]) for panel in FILES[uid]["panels"]]
    for title, place in places:
        assert place["x"] >= 0, title
        assert place["x"] + place["w"] <= COLUMNS, title
    for (title, one), (other, two) in itertools.combinations(places, 2):
        apart = one["x"] + one["w"] <= two["x"] or two["x"] + two["w"] <= one["x"]
        above = one["y"] + one["h"] <= two["y"] or two["y"] + two["h"] <= one["y"]
        assert apart or above, (title, other)


@every_dashboard
def test_ids_and_titles_of_panels_are_their_own(uid: str) -> None:
    assert len({panel["id"] for panel in FILES[uid]["panels"]}) == len(FILES[uid]["panels"])
    titles = [(panel["title"], panel["type"]) for panel in panels(FILES[uid])]
    assert len(set(titles)) == len(titles)


@every_panel
def test_a_panel_says_what_it_shows_and_in_which_unit(panel: dict[str, Any]) -> None:
    assert panel["description"].endswith(".")
    assert len(panel["description"]) > 20
    assert panel["fieldConfig"]["defaults"]["unit"]


@every_panel
def test_a_panel_without_data_says_why_or_never_is(panel: dict[str, Any]) -> None:
    may_be_empty = panel["type"] in ("stat", "table", "state-timeline") or any(" > 0" in target["expr"] for target in panel["targets"])
    assert panel["fieldConfig"]["defaults"].get("noValue") or not may_be_empty


@every_panel
def test_what_is_not_known_is_not_green(panel: dict[str, Any]) -> None:
    if panel["type"] == "stat":
        assert panel["fieldConfig"]["defaults"]["thresholds"]["steps"][0]["color"] in ("text", "red")
    if panel["type"] in ("table", "timeseries") and any(re.search(r" > 0\b", target["expr"]) for target in panel["targets"]):
        assert panel["fieldConfig"]["defaults"]["noValue"].endswith(", or there is no news.")


@every_panel
def test_overrides_name_series_that_the_panel_has(panel: dict[str, Any]) -> None:
    legends = {target.get("legendFormat") for target in panel["targets"]}
    known = {value for family in FAMILIES for label in family.labels for value in label.values or ()}
    for override in panel["fieldConfig"]["overrides"]:
        if panel["type"] == "timeseries" and override["matcher"]["id"] == "byName":
            name = override["matcher"]["options"]
            assert name in legends or name.removesuffix(": threshold") in known, name


@every_panel
def test_verdicts_are_shown_by_the_catalogue_s_words(panel: dict[str, Any]) -> None:
    for target in panel["targets"]:
        numbers = dict(re.findall(r'(\d+) \* \(model_drift_verdict\{[^}]*verdict="(\w+)"\} == 1\)', target["expr"]))
        if numbers:
            shown = panel["fieldConfig"]["defaults"]["mappings"][0]["options"]
            assert {number: word["text"] for number, word in shown.items()} == numbers
            assert sorted(numbers.values()) == sorted(VerdictKind)


@every_query
def test_a_query_is_promql_over_series_and_labels_of_the_catalogue(query: Query) -> None:
    found = selectors(expression_of(query))
    assert found
    for selector in found:
        labels = {label.name: label.values for label in SERIES[selector.name].labels}
        for label, value in selector.matchers:
            assert label in labels, selector
            assert labels[label] is None or set(value.split("|")) <= set(labels[label] or ()), selector
    known = {label.name for selector in found for label in SERIES[selector.name].labels}
    le = {"le"} if any(selector.name.endswith("_bucket") for selector in found) else set()
    assert grouping_labels(expression_of(query)) <= known | SCRAPED | le


@every_query
def test_a_query_counts_a_target_once_however_many_instances_watch_it(query: Query) -> None:
    for name, aggregation in nearest_aggregations(expression_of(query)):
        counted_by_each = SERIES[name].origin is Origin.PROCESS
        assert aggregation == ("sum" if counted_by_each else "max"), name
    assert not {"instance", "pod"} & set(re.findall(r"\bby \(([^)]*)\)", query.expression))


@every_query
def test_a_query_is_of_the_targets_that_are_chosen(query: Query) -> None:
    for selector in selectors(query.expression.replace("$__interval", "1h")):
        if "target" in {label.name for label in SERIES[selector.name].labels}:
            chosen = dict(selector.matchers)["target"]
            assert chosen in ("$target", "$target|"), selector


@every_query
def test_export_writes_what_a_query_asks_for(query: Query) -> None:
    for selector in selectors(expression_of(query)):
        family = SERIES[selector.name]
        if family.origin is Origin.PROCESS or "target" not in {label.name for label in family.labels}:
            continue
        limits = USUAL[family.name.removeprefix(PREFIX)]
        for label, value in selector.matchers:
            assert label not in limits or set(value.split("|")) <= set(limits[label]), selector


def test_the_folder_for_provisioning_holds_what_the_provider_file_names() -> None:
    provider = (GRAFANA / "provisioning" / "dashboards" / "model-drift.yml").read_text(encoding="utf-8")
    source = (GRAFANA / "provisioning" / "datasources" / "prometheus.yml").read_text(encoding="utf-8")
    assert "path: /var/lib/grafana/dashboards/model-drift\n" in provider
    assert "type: prometheus\n" in source
    page = (GRAFANA / "README.md").read_text(encoding="utf-8")
    assert "/var/lib/grafana/dashboards/model-drift" in page


def test_the_page_explains_every_panel() -> None:
    page = (Path(__file__).parents[2] / "docs" / "dashboards.md").read_text(encoding="utf-8")
    titles = {panel["title"] for dashboard in FILES.values() for panel in panels(dashboard)}
    assert [title for title in sorted(titles) if f"**{title}**" not in page] == []
