"""What to do next, for each verdict and for each reason a measurement failed."""

from __future__ import annotations

from exporter.records import Reason, VerdictKind

NEXT_STEPS: dict[VerdictKind, str] = {
    VerdictKind.COLLECTING: "Nothing to do: the baseline is being collected.",
    VerdictKind.BASELINE_READY: "Nothing to do: from the next check on the model is tested against this baseline.",
    VerdictKind.STABLE: "Nothing to do.",
    VerdictKind.IMPROVED: "Nothing to do. If the provider announced a better model, `baseline reset` makes it the new norm.",
    VerdictKind.UNCONFIRMED: "Nothing to do: the second run did not agree, so this was most likely chance.",
    VerdictKind.SUSPECT: "Run `check` again, or wait for the next one: without a second run a loss cannot be told from chance.",
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

REASON_STEPS: dict[Reason, str] = {
    Reason.AUTH: "Check the key: api_key_file or api_key_env of this target.",
    Reason.QUOTA: "The account has no credit or quota left: top it up at the provider.",
    Reason.RATE_LIMITED: "Lower concurrency, or move the schedule to a quieter hour.",
    Reason.OVERLOADED: "The provider is overloaded; the check is tried again. See its status page.",
    Reason.SERVER_ERROR: "The provider has errors; the check is tried again. See its status page.",
    Reason.TIMEOUT: "Answers take too long: raise request_timeout or run_deadline, or lower concurrency.",
    Reason.NETWORK: "The endpoint cannot be reached: check base_url, DNS, proxy and firewall.",
    Reason.BAD_REQUEST: "The provider refuses the request: check model, headers, sampling and extra_body.",
    Reason.UNSUPPORTED_PARAMETER: "The model does not take a parameter: remove it from sampling, or set max_tokens_field.",
    Reason.MODEL_NOT_FOUND: "The provider does not know this model, or has retired it: set another model.",
    Reason.BAD_RESPONSE: "The endpoint does not speak this API: check api and base_url.",
    Reason.EMPTY_RESPONSE: "The endpoint sends empty answers: try stream: true, or check the gateway in between.",
    Reason.TRUNCATED: "Answers are cut off: raise max_tokens_scale.",
    Reason.REFUSAL: "The model refuses the questions: check system, or leave out the area concerned.",
    Reason.CONTENT_FILTER: "A content filter holds answers back: check its settings, or leave out the area concerned.",
    Reason.REROUTED: "Part of the answers came from another model: check fallbacks and routing at the provider or gateway.",
    Reason.UNKNOWN_STOP: "The provider ends answers for a reason this version does not know: look for a newer version.",
    Reason.CACHED: "A cache answers instead of the model: switch it off for this target.",
    Reason.BUDGET: "A cap would be passed: raise it under budget, or ask fewer questions.",
    Reason.DEADLINE: "The run took longer than run_deadline: raise it, or raise concurrency.",
    Reason.SANDBOX_ERROR: "Answers could not be graded: see the log.",
    Reason.INTERRUPTED: "The check was interrupted; the next one is made as scheduled.",
}
