"""The one look of every table: columns by space, a rule under the heads, rows apart where they have several lines."""

from __future__ import annotations

from collections.abc import Collection

from rich.box import Box
from rich.table import Table

_RULE_BELOW_HEADS = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")


def plain_table(*heads: str, right: Collection[int] = (), apart: bool = True) -> Table:
    """An empty table. `right` are the columns whose cells stand at the right; `apart` leaves a line between rows."""
    table = Table(box=_RULE_BELOW_HEADS, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), leading=int(apart), header_style="bold")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number in right else "left", overflow="fold")
    return table
