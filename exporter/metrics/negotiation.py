"""Which of the two formats a scraper wants."""

from __future__ import annotations

CLASSIC = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"


def accepts_openmetrics(accept: str) -> bool:
    """True where the Accept header prefers OpenMetrics to text/plain. Without a word about it: the classic format."""
    best: dict[str, float] = {}
    for entry in accept.split(","):
        media_type, *parameters = (part.strip().lower() for part in entry.split(";"))
        best[media_type] = max(best.get(media_type, 0.0), _quality(parameters))
    wanted = best.get("application/openmetrics-text", 0.0)
    return wanted > 0 and wanted >= best.get("text/plain", 0.0)


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
