from __future__ import annotations

import pytest

from exporter.config import parse_config
from tests.config.texts import TARGET, complaints

WHERE = "config.yml:5: retention.grades: "
NEEDED = "is shorter than the 56 days whose grades judging needs: trends are looked for over 28 checks; write 56d or more, or never"
BAD = [
    ("retention: {grades: 55d}", f"{WHERE}'55d' {NEEDED}"),
    ("retention: {grades: 1h}", f"{WHERE}'1h' {NEEDED}"),
    ("retention: {grades: 90}", f"{WHERE}90 is not an age; write a duration such as 400d, or never"),
    ("retention: {grades: forever}", f"{WHERE}'forever' is not an age; write a duration such as 400d, or never"),
    ("retention: {grades: -1d}", f"{WHERE}'-1d' is not an age; write a duration such as 400d, or never"),
    (
        "retention: {verdicts: 90d}",
        "config.yml:5: retention.verdicts: unknown key; remove it; model-drift-exporter config --example shows every key",
    ),
    ("retention: 400d", "config.yml:5: retention: must be a mapping, not '400d'"),
]


@pytest.mark.parametrize(("lines", "complaint"), BAD)
def test_an_age_that_cannot_be_kept_is_refused_with_its_reason(lines: str, complaint: str) -> None:
    assert complaints(f"{TARGET}{lines}\n") == [complaint]


def test_a_longer_trend_of_any_target_needs_more() -> None:
    needed = "is shorter than the 120 days whose grades judging needs: trends are looked for over 60 checks; write 120d or more, or never"
    longer = "  decision: {trend_windows: [7, 60]}\n"
    assert complaints(f"{TARGET}{longer}retention: {{grades: 60d}}\n") == [f"config.yml:6: retention.grades: '60d' {needed}"]


def test_a_long_trend_alone_is_no_mistake_where_nothing_is_said_of_retention() -> None:
    assert complaints(f"{TARGET}decision: {{trend_windows: [300]}}\n") == []


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("56d", 56 * 86_400), ("2w7d60d", 81 * 86_400), ("800d", 800 * 86_400), ("never", None), ("0", None), ("0s", None)],
)
def test_an_age_is_of_any_length_and_never_is_for_good(written: str, seconds: float | None) -> None:
    retention = parse_config(f"{TARGET}retention: {{grades: {written}, errors: {written}}}\n", "config.yml").retention
    assert (retention.grades_seconds, retention.errors_seconds) == (seconds, seconds)


def test_where_nothing_is_said_grades_are_kept_for_over_a_year() -> None:
    retention = parse_config(TARGET, "config.yml").retention
    assert (retention.grades_seconds, retention.errors_seconds) == (400 * 86_400, 90 * 86_400)
