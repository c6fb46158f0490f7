"""What to do about a reason, in a few words, with the names of the settings that help."""

from __future__ import annotations

from exporter.records import Reason

ADVICE = {
    Reason.AUTH: "check api_key_file or api_key_env",
    Reason.QUOTA: "add credit or raise the limit at the provider",
    Reason.RATE_LIMITED: "lower concurrency, or ask the provider for a higher limit",
    Reason.OVERLOADED: "the provider has too much to do: another schedule may help if this stays",
    Reason.SERVER_ERROR: "the provider has trouble: see its status page",
    Reason.TIMEOUT: "raise request_timeout, or lower concurrency where the server is your own",
    Reason.NETWORK: "check base_url and the way there: DNS, TLS, proxy",
    Reason.BAD_REQUEST: "check extra_body, sampling and max_tokens_scale",
    Reason.UNSUPPORTED_PARAMETER: "change what the message names: sampling, extra_body, or tool_calling for a server without tools",
    Reason.MODEL_NOT_FOUND: "check model and base_url",
    Reason.BAD_RESPONSE: "check that api and base_url belong together",
    Reason.EMPTY_RESPONSE: "raise max_tokens_scale, or set stream: true where the gateway wants it",
    Reason.TRUNCATED: "raise max_tokens_scale",
    Reason.REFUSAL: "ask other suites or areas, or change system: this model will not answer these",
    Reason.CONTENT_FILTER: "loosen the provider's content filter for this key, or ask other suites or areas",
    Reason.REROUTED: "turn off the fallback to other models for this key",
    Reason.UNKNOWN_STOP: "the provider ends answers in a way that this version does not know: look for a newer one",
    Reason.CACHED: "turn off the cache in front of the model for this key",
    Reason.BUDGET: "raise the cap, or ask fewer suites or areas",
    Reason.DEADLINE: "raise run_deadline or concurrency",
    Reason.SANDBOX_ERROR: "run validate to see whether the grader works, or give the exporter more processor time if the message says so",
    Reason.INTERRUPTED: "it goes on where it stood when the program is started again",
}
"""Names of settings are those of the config file; every reason has its entry."""
