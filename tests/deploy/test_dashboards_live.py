"""Every query of the dashboards, asked of a real Prometheus with a month of history as Grafana would ask it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.loaded import loaded_prometheus
from tests.acceptance.past_year import at
from tests.deploy.dashboards import Query, dashboard_files, filled_in, load_dashboard, queries
from tests.deploy.past_month import END, LIVES, load_month
from tests.prometheus import ask_prometheus
from tests.tools import require_tool

OVERVIEW, TARGET = "model-drift-overview", "model-drift-target"
QUERIES = {file.stem: list(queries(load_dashboard(file))) for file in dashboard_files()}
NAMES = [life.target for life in LIVES]
STEP = "3h"


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Prometheus with the month."""
    require_tool("promtool")
    folder = tmp_path_factory.mktemp("month")
    load_month(folder)
    with loaded_prometheus(folder) as url:
        yield url


def ask(url: str, query: Query, target: str) -> list[dict[str, Any]]:
    """The series that Grafana would get at the end of the month: now, or over all of it but the first day."""
    step = query.step or STEP
    expression = filled_in(query.expression, step, target=target)
    if query.instant:
        path, times = "query", {"time": str(END)}
    else:
        path, times = "query_range", {"start": str(at(1)), "end": str(END), "step": step}
    found: list[dict[str, Any]] = ask_prometheus(url, path, {"query": expression, **times})
    return found


@pytest.mark.parametrize("query", QUERIES[OVERVIEW], ids=lambda query: query.place)
def test_a_query_of_the_overview_gives_series_for_all_targets_and_for_one(prometheus: str, query: Query) -> None:
    assert ask(prometheus, query, ".+") != []
    assert [name for name in NAMES if ask(prometheus, query, name)] != []


@pytest.mark.parametrize("query", QUERIES[TARGET], ids=lambda query: query.place)
def test_a_query_of_the_target_dashboard_gives_series_for_a_target_that_has_them(prometheus: str, query: Query) -> None:
    assert [name for name in NAMES if ask(prometheus, query, name)] != []


def by_place(uid: str, place: str) -> Query:
    return next(query for query in QUERIES[uid] if query.place == place)


def values(series: list[dict[str, Any]], label: str) -> dict[str, float]:
    return {one["metric"].get(label, ""): float(one["value"][1]) for one in series}


def test_what_stands_now_is_what_happened(prometheus: str) -> None:
    counts = {
        place: values(ask(prometheus, by_place(OVERVIEW, f"{place}: A"), ".+"), "")[""]
        for place in ("Targets", "Conclusive", "Confirmed", "Not measured", "Overdue", "Newest news")
    }
    assert counts == {"Targets": 3, "Conclusive": 1, "Confirmed": 1, "Not measured": 1, "Overdue": 0, "Newest news": 0}


def test_who_could_not_be_measured_is_listed_with_the_reason_that_most_questions_had(prometheus: str) -> None:
    assert values(ask(prometheus, by_place(OVERVIEW, "Could not measure now: A"), ".+"), "target") == {"translator": 3}
    assert values(ask(prometheus, by_place(OVERVIEW, "Could not measure now: B"), ".+"), "reason") == {"rate_limited": 68}


def test_a_day_of_drift_is_drift_on_the_timeline(prometheus: str) -> None:
    (row,) = ask(prometheus, by_place(TARGET, "Verdicts: A"), "support-bot")
    runs = [(value, len(list(same))) for value, same in itertools.groupby(value for _, value in row["values"])]
    assert runs == [("1", 28), ("2", 8), ("3", 32), ("6", 8), ("3", 32), ("10", 48), ("3", 56), ("7", 8), ("3", 8), ("10", 8)]


def test_bars_add_up_to_what_was_counted(prometheus: str) -> None:
    (bars,) = ask(prometheus, by_place(TARGET, "Measurement errors by reason: A"), "translator")
    assert [float(value) for _, value in bars["values"]] == [34] * 4, "days 11, 12, 28 and 29; the last step is before the last check"
    (tokens,) = ask(prometheus, by_place(TARGET, "Tokens used: A"), "support-bot")
    assert sum(float(value) for _, value in tokens["values"]) == 200 * 29, "days 1 to 29"


def test_annotations_stand_at_their_moments(prometheus: str) -> None:
    changes = ask(prometheus, by_place(TARGET, "annotation Verdict changes"), "support-bot")
    begun = {round(float(value) / 1000) for one in changes if one["metric"]["verdict"] == "drift" for _, value in one["values"]}
    assert begun == {at(14, 9 * 3600 + 120), at(29, 9 * 3600 + 120)}
    for name in ("annotation Baseline resets", "annotation Protocol changes"):
        (one,) = ask(prometheus, by_place(TARGET, name), "summariser")
        assert 0 <= float(one["values"][0][0]) - at(26, 9 * 3600 + 120) < 600
        assert ask(prometheus, by_place(TARGET, name), "support-bot") == []
