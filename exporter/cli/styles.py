"""The colours of verdicts: what asks for a person stands out, what does not is quiet."""

from __future__ import annotations

from exporter.records import VerdictKind

STYLES = {
    VerdictKind.COLLECTING: "cyan",
    VerdictKind.BASELINE_READY: "cyan",
    VerdictKind.STABLE: "green",
    VerdictKind.IMPROVED: "green",
    VerdictKind.UNCONFIRMED: "green",
    VerdictKind.SUSPECT: "yellow",
    VerdictKind.MEASUREMENT_FAILED: "yellow",
    VerdictKind.TOKEN_SHIFT: "bold red",
    VerdictKind.MODEL_CHANGED: "bold red",
    VerdictKind.DRIFT: "bold red",
}
