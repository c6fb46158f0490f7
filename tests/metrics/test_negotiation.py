from __future__ import annotations

import pytest

from exporter.metrics import Exposition, MetricsView
from exporter.metrics.negotiation import accepts_openmetrics

PROMETHEUS_2 = (
    "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
    "text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
)
PROMETHEUS_3 = (
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,"
    "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
)


@pytest.mark.parametrize(
    ("accept", "openmetrics"),
    [
        (PROMETHEUS_2, True),
        (PROMETHEUS_3, True),
        ("application/openmetrics-text", True),
        ("Application/OpenMetrics-Text ; version=1.0.0 ; q=0.9", True),
        ("text/plain;q=0.5,application/openmetrics-text;q=0.4", False),
        ("application/openmetrics-text;q=0", False),
        ("application/openmetrics-text;q=nonsense", False),
        ("text/plain;version=0.0.4", False),
        ("text/html,application/xhtml+xml,*/*;q=0.8", False),
        ("*/*", False),
        ("", False),
        (";;,,q=1", False),
    ],
)
def test_openmetrics_is_sent_to_who_prefers_it(accept: str, openmetrics: bool) -> None:
    assert accepts_openmetrics(accept) is openmetrics


def test_the_content_type_says_which_format_was_sent() -> None:
    exposition = Exposition()
    assert exposition.render(MetricsView(), "")[1] == "text/plain; version=0.0.4; charset=utf-8"
    assert exposition.render(MetricsView(), PROMETHEUS_3)[1] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
