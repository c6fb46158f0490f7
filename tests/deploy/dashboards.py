"""The shipped dashboards as data, and the one form in which their files are kept.

After a change in Grafana save the exported JSON over the file and run `python -m tests.deploy.dashboards`: it is then
written as here, and only what was changed differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
GRAFANA = TOP / "deploy" / "grafana"
DASHBOARDS = GRAFANA / "dashboards"
WIDTH = 140
_OF_ONE_GRAFANA = ("id", "version", "iteration", "gnetId", "__inputs", "__requires", "__elements")
"""What Grafana adds to an export that holds for the one Grafana only."""


@dataclass(frozen=True)
class Query:
    """One PromQL expression, its constants filled in, and where it stands: `place` is for people; `step` is that of an annotation."""

    place: str
    expression: str
    instant: bool = False
    step: str | None = None


def dashboard_files() -> list[Path]:
    """Every dashboard, sorted."""
    return sorted(DASHBOARDS.glob("*.json"))


def load_dashboard(file: Path) -> dict[str, Any]:
    """A dashboard as Grafana reads it."""
    dashboard: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return dashboard


def panels(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    """All panels but the rows, those of folded rows included."""
    every = [inner for panel in dashboard["panels"] for inner in (panel, *panel.get("panels", ()))]
    return [panel for panel in every if panel["type"] != "row"]


def queries(dashboard: dict[str, Any]) -> Iterator[Query]:
    """Every query of panels and annotations."""
    constants = {f"${{{each['name']}:raw}}": each["query"] for each in dashboard["templating"]["list"] if each["type"] == "constant"}

    def constant(expression: str) -> str:
        for name, text in constants.items():
            expression = expression.replace(name, text)
        return expression

    for panel in panels(dashboard):
        for target in panel["targets"]:
            yield Query(f"{panel['title']}: {target['refId']}", constant(target["expr"]), instant=target.get("instant", False))
    for annotation in dashboard["annotations"]["list"]:
        if "expr" in annotation:
            yield Query(f"annotation {annotation['name']}", constant(annotation["expr"]), step=annotation["step"])


def filled_in(expression: str, step: str, **variables: str) -> str:
    """An expression as Grafana would send it."""
    for name, value in {"__interval": step, **variables}.items():
        expression = expression.replace(f"${name}", value)
    assert "$" not in expression, expression
    return expression


def written(dashboard: dict[str, Any]) -> str:
    """The text of a dashboard's file: what fits into a line is on one."""
    return _written({key: value for key, value in dashboard.items() if key not in _OF_ONE_GRAFANA}, 0) + "\n"


def _written(value: Any, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if indent and (indent + len(line) <= WIDTH or not isinstance(value, dict | list)):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_written(one, indent + 2)}" for key, one in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + _written(one, indent + 2) for one in value) + "\n" + " " * indent + "]"


if __name__ == "__main__":
    for file in dashboard_files():
        file.write_text(written(load_dashboard(file)), encoding="utf-8")
