"""The table of faults in docs/providers.md, made from the mock. `python -m tests.demo.docs_table` writes it into the file."""

from __future__ import annotations

import inspect
from pathlib import Path

from exporter.demo.faults import FAULTS, Fault
from exporter.demo.faults.registry import ALL

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"
BEGIN = "<!-- made from exporter/demo/faults by `python -m tests.demo.docs_table` -->\n"
END = "<!-- end of what is made -->\n"
HEAD = "| fault | what comes | of which API | outcome |\n| --- | --- | --- | --- |\n"


def fault_table() -> str:
    """Every fault, by what becomes of it."""
    rows = sorted(FAULTS.values(), key=lambda fault: (str(fault.reason or "~"), fault.name))
    return HEAD + "".join(_row(fault) for fault in rows)


def _row(fault: Fault) -> str:
    said = (inspect.getdoc(fault.bend) or "").removesuffix(".")
    apis = "every" if fault.apis == ALL else ", ".join(f"`{api}`" for api in sorted(fault.apis))
    return f"| `{fault.name}` | {said} | {apis} | {f'`{fault.reason}`' if fault.reason else 'the answer is graded'} |\n"


def with_table(page: str) -> str:
    """The page with the table as it has to be."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + fault_table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
