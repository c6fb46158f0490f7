"""Every query of the dashboards and of the cookbook says of replicas what it says of one exporter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.loaded import loaded_prometheus
from tests.acceptance.test_cookbook import QUERIES as COOKBOOK
from tests.deploy.dashboards import Query, dashboard_files, filled_in, load_dashboard, queries
from tests.deploy.past_replicas import BEGIN, END, load_life
from tests.prometheus import ask_prometheus
from tests.tools import require_tool

QUERIES = [
    pytest.param(query, id=f"{file.stem}: {query.place}")
    for file in dashboard_files()
    for query in queries(load_dashboard(file))
    if "target" in query.expression
]
BETWEEN_CHECKS = range(BEGIN + 15 * 60, END + 1, 15 * 60)
"""A quarter of an hour apart, and at least five minutes after each check, when the replica that is behind knows of it as well."""


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Prometheus with both."""
    require_tool("promtool")
    folder = tmp_path_factory.mktemp("replicas")
    load_life(folder)
    with loaded_prometheus(folder) as url:
        yield url


def ask(url: str, query: Query, target: str) -> dict[tuple[tuple[str, str], ...], dict[float, float]]:
    """What Grafana would get, by all labels but the target, and by time."""
    expression = filled_in(query.expression, query.step or "15m", target=target)
    times = {"start": str(BETWEEN_CHECKS[0]), "end": str(BETWEEN_CHECKS[-1]), "step": "15m"}
    return {
        tuple(sorted((name, value) for name, value in one["metric"].items() if name != "target")): {
            time: float(value) for time, value in one["values"]
        }
        for one in ask_prometheus(url, "query_range", {"query": expression, **times})
    }


@pytest.mark.parametrize("query", QUERIES)
def test_a_panel_s_query_says_the_same_of_replicas_as_of_one_exporter(prometheus: str, query: Query) -> None:
    of_one, of_replicas = ask(prometheus, query, "solo"), ask(prometheus, query, "trio")
    assert of_one != {}, "it would say nothing of either"
    assert of_replicas.keys() == of_one.keys()
    for labels, values in of_one.items():
        assert of_replicas[labels] == pytest.approx(values), labels


@pytest.mark.parametrize("question", [name for name, query in COOKBOOK.items() if "@" not in query and "by (team)" not in query])
def test_the_cookbook_says_the_same_of_replicas_as_of_one_exporter(prometheus: str, question: str) -> None:
    said: dict[str, dict[tuple[tuple[str, str], ...], float]] = {"solo": {}, "pair": {}, "trio": {}}
    for one in ask_prometheus(prometheus, "query", {"query": COOKBOOK[question], "time": str(END)}):
        rest = tuple(sorted((name, value) for name, value in one["metric"].items() if name != "target"))
        said[one["metric"]["target"]][rest] = float(one["value"][1])
    assert said["solo"] != {}, "it would say nothing of either"
    assert said["pair"] == pytest.approx(said["solo"])
