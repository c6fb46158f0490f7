"""The table of docs/metrics.md, made from the catalogue. `python -m tests.metrics.docs_table` writes it into the file."""

from __future__ import annotations

from pathlib import Path

from exporter.metrics import FAMILIES, Family, Label

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"
BEGIN = "<!-- made from exporter/metrics/catalogue.py by `python -m tests.metrics.docs_table` -->"
END = "<!-- end of what is made -->"


def label_cell(family: Family) -> str:
    names = [f"`{label.name}`" for label in family.labels]
    if family.extra_labels:
        names.append("the target's `labels`")
    return ", ".join(names)


def families_table() -> list[str]:
    lines = ["| family | type | labels | meaning | values |", "| --- | --- | --- | --- | --- |"]
    origins = {"CHECK": "last check", "STORE": "store", "PROCESS": "this process", "STATE": "now", "DAEMON": "this daemon, now"}
    return lines + [
        f"| `{family.name}` | {family.type} | {label_cell(family)} | {family.summary} | {origins[family.origin.name]} |"
        for family in FAMILIES
    ]


def labels_table() -> list[str]:
    lines = ["| label | values |", "| --- | --- |"]
    labels: dict[str, Label] = {}
    for family in FAMILIES:
        for label in family.labels:
            if label.meaning or label.values:
                labels.setdefault(label.name, label)
    for label in labels.values():
        values = " ".join(f"`{value}`" for value in label.values or ())
        lines.append(f"| `{label.name}` | {'; '.join(part for part in (values, label.meaning) if part)} |")
    return lines


def made_text() -> str:
    return "\n".join([BEGIN, "", *families_table(), "", "## Labels", "", *labels_table(), "", END])


def replace_made(text: str) -> str:
    """The document with its made part made anew. Raises ValueError where the two marks are not in it."""
    before, begin, rest = text.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{DOCS.name} needs the lines {BEGIN!r} and {END!r}")
    return before + made_text() + after


if __name__ == "__main__":
    DOCS.write_text(replace_made(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
