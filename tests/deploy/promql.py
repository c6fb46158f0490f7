"""PromQL taken apart: which series an expression asks for, and by which labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import promql_parser as promql


@dataclass(frozen=True)
class Selector:
    """One selector: a series' name, and each label that is asked for with the values that it may have."""

    name: str
    matchers: tuple[tuple[str, str], ...]


def selectors(expression: str) -> list[Selector]:
    """Every selector of an expression. Raises ValueError where it is no PromQL."""
    return [
        Selector(node.name or "", tuple((matcher.name, matcher.value) for matcher in node.matchers.matchers))
        for node in _nodes(promql.parse(expression))
        if isinstance(node, promql.VectorSelector)
    ]


def grouping_labels(expression: str) -> set[str]:
    """Every label that an expression groups or matches by."""
    text = re.sub(r'"[^"]*"', "", expression)
    lists = re.findall(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)", text)
    return {label.strip() for labels in lists for label in labels.split(",") if label.strip()}


def nearest_aggregations(expression: str) -> list[tuple[str, str]]:
    """Each series with what is first done to it over its instances: the nearest aggregation, "" where there is none.

    What only says which series are kept, after `and` and `unless`, is left out.
    """
    return list(_aggregated(promql.parse(expression), ""))


def _aggregated(node: Any, aggregation: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, promql.VectorSelector):
        yield node.name or "", aggregation
    elif isinstance(node, promql.AggregateExpr):
        yield from _aggregated(node.expr, str(node.op))
    elif isinstance(node, promql.BinaryExpr) and str(node.op) in ("and", "unless"):
        yield from _aggregated(node.lhs, aggregation)
    else:
        for inner in _children(node):
            yield from _aggregated(inner, aggregation)


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for inner in _children(node):
        yield from _nodes(inner)


def _children(node: Any) -> list[Any]:
    if isinstance(node, promql.MatrixSelector):
        return [node.vector_selector]
    if isinstance(node, promql.Call):
        return list(node.args)
    return [getattr(node, name) for name in ("lhs", "rhs", "expr") if isinstance(getattr(node, name, None), promql.Expr)]
