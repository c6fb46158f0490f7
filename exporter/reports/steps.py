"""What to do next, for each verdict."""

from __future__ import annotations

from exporter.records import VerdictKind

NEXT_STEPS: dict[VerdictKind, str] = {
    VerdictKind.COLLECTING: "Nothing to do: the baseline is being collected.",
    VerdictKind.BASELINE_READY: "Nothing to do: from the next check on the model is tested against this baseline.",
    VerdictKind.STABLE: "Nothing to do.",
    VerdictKind.IMPROVED: "Nothing to do. If the provider announced a better model, `baseline reset` makes it the new norm.",
    VerdictKind.UNCONFIRMED: "Nothing to do: the second run did not agree, so this was most likely chance.",
    VerdictKind.SUSPECT: "Run `check` again, or wait for the next one: without a second run a change cannot be told from chance.",
    VerdictKind.DRIFT: (
        "Look at the lost questions, compare with the provider's status and release notes, and consider another model or version. "
        "If the change is accepted, run `baseline reset`."
    ),
    VerdictKind.TOKEN_SHIFT: (
        "Look at cost and latency, and at what depends on the length of answers. If the change is accepted, run `baseline reset`."
    ),
    VerdictKind.MODEL_CHANGED: (
        "Another model answers under the same name. Check the provider's release notes; `baseline accept` starts a new baseline on it."
    ),
    VerdictKind.MEASUREMENT_FAILED: "The model was not measured. This is not drift.",
}
