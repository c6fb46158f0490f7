"""Why an answer ended: the words of every API, in one table.

Pages read 2026-11: developers.openai.com/api/reference (finish_reason), platform.claude.com/docs/en/build-with-claude/
handling-stop-reasons, docs.cloud.google.com/dotnet/docs/reference/Google.Cloud.AIPlatform.V1 (FinishReason), api-docs.deepseek.com
(insufficient_system_resource). Gateways pass on the words of the API behind them, so one table serves all.
"""

from __future__ import annotations

from exporter.records import Reason

_DONE = frozenset(
    {"stop", "eos", "end_turn", "stop_sequence", "tool_calls", "tool_use", "function_call", "complete", "completed", "tool_call"}
)
_REASONS = {
    "length": Reason.TRUNCATED,
    "max_tokens": Reason.TRUNCATED,
    "max_output_tokens": Reason.TRUNCATED,
    "model_length": Reason.TRUNCATED,
    "model_context_window_exceeded": Reason.TRUNCATED,
    "content_filter": Reason.CONTENT_FILTER,
    "safety": Reason.CONTENT_FILTER,
    "recitation": Reason.CONTENT_FILTER,
    "blocklist": Reason.CONTENT_FILTER,
    "prohibited_content": Reason.CONTENT_FILTER,
    "spii": Reason.CONTENT_FILTER,
    "model_armor": Reason.CONTENT_FILTER,
    "refusal": Reason.REFUSAL,
    "insufficient_system_resource": Reason.OVERLOADED,
    "error": Reason.SERVER_ERROR,
    "timeout": Reason.TIMEOUT,
    "abort": Reason.SERVER_ERROR,
    "failed": Reason.SERVER_ERROR,
    "cancelled": Reason.SERVER_ERROR,
}
_WORDS = {
    Reason.TRUNCATED: ("cut off at the token limit", "raise max_tokens_scale"),
    Reason.CONTENT_FILTER: ("stopped by the provider's content filter", ""),
    Reason.REFUSAL: ("the model refused", ""),
    Reason.OVERLOADED: ("stopped for want of resources", ""),
    Reason.TIMEOUT: ("stopped for want of time", ""),
    Reason.SERVER_ERROR: ("stopped by an error", ""),
}


def judge_stop(finish: str | None, *, said: bool, refused: bool, spent: bool = False) -> tuple[Reason | None, str, str]:
    """The reason why an answer is unusable (None: it is usable), what to say of it, and what to set.

    `said` is whether it holds anything to grade, `refused` whether it holds a refusal in a field of its own, `spent` whether
    the last allowed token was used: then it was cut off, even where the server calls it done.
    """
    word = (finish or "").lower()
    reason = Reason.TRUNCATED if spent and word in _DONE else _REASONS.get(word)
    if refused and reason is not Reason.CONTENT_FILTER:
        reason = Reason.REFUSAL
    if reason is not None:
        return reason, *_WORDS[reason]
    if not said:
        return Reason.EMPTY_RESPONSE, "the answer is empty", ""
    if word not in _DONE:
        said_word = f"an unknown finish reason: {finish}" if finish else "no finish reason"
        return Reason.UNKNOWN_STOP, f"the answer ended with {said_word}", ""
    return None, "", ""
