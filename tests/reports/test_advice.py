from __future__ import annotations

from exporter.config import Target
from exporter.records import Reason
from exporter.reports.advice import ADVICE


def test_there_is_advice_for_every_reason() -> None:
    assert set(ADVICE) == set(Reason)


def test_advice_names_settings_that_exist() -> None:
    named = {word.strip(":,;") for advice in ADVICE.values() for word in advice.split() if "_" in word}
    assert named <= set(Target.model_fields)
