"""A target's identity as samples: what the config says of it, and who answered for it."""

from __future__ import annotations

from exporter.metrics.labels import clean_provider_value
from exporter.metrics.samples import Sheet
from exporter.records import Snapshot

MAX_SERVED_MODELS = 5


def put_target(sheet: Sheet, snapshot: Snapshot) -> None:
    """What the config says of the target, with its own labels."""
    labels = {
        "provider": snapshot.provider,
        "api": snapshot.api,
        "model": snapshot.model,
        "suites": ",".join(snapshot.suites),
        "protocol": snapshot.protocol,
        "identity_evidence": snapshot.evidence,
    }
    sheet.put_info("target_info", labels, snapshot.labels)


def put_served_models(sheet: Sheet, snapshot: Snapshot) -> None:
    """The newest served models, each label set once even where two names are the same after cleaning."""
    label_sets = {
        (clean_provider_value(served.identity), clean_provider_value(served.fingerprint or ""), str(served.in_baseline).lower()): None
        for served in snapshot.served[:MAX_SERVED_MODELS]
    }
    for model, fingerprint, in_baseline in label_sets:
        sheet.put("served_model_info", 1, served_model=model, fingerprint=fingerprint, baseline=in_baseline)
    sheet.put("served_model_changed_timestamp_seconds", snapshot.served_changed_at)
