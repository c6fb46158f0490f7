"""A target's identity as samples: what the config says of it, and who answered for it."""

from __future__ import annotations

from exporter.metrics.labels import clean_provider_value
from exporter.metrics.samples import Sheet
from exporter.records import Snapshot, Verdict

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


def put_served_shares(sheet: Sheet, verdict: Verdict) -> None:
    """The largest shares of the last check, added up where two names are the same after cleaning."""
    shares: dict[tuple[str, str], float] = {}
    for served in verdict.served[:MAX_SERVED_MODELS]:
        labels = (clean_provider_value(served.identity), str(served.identity in verdict.baseline.identities).lower())
        shares[labels] = shares.get(labels, 0.0) + served.share_ratio
    for (model, in_baseline), share in shares.items():
        sheet.put("served_ratio", share, served_model=model, baseline=in_baseline)
