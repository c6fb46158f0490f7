"""An unsuccessful response, or an error inside a successful one, made into an Answer with a reason and a hint.

Tables from the providers' own pages, read 2026-11: developers.openai.com/api/docs/guides/error-codes,
platform.claude.com/docs/en/api/errors, openrouter.ai/docs/api/reference/errors-and-debugging; and from public bug reports.
The code is believed before the status: gateways pass on a code with a status of their own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from exporter.providers.complaint import Complaint, complaint_of, read_complaint
from exporter.providers.hints import hint_for, name_parameter, names_tools, refuses_tools
from exporter.providers.lines import is_lines
from exporter.providers.masking import MESSAGE_CHARACTERS, mask, one_line
from exporter.providers.reply import Broken, Reply
from exporter.providers.retry_after import read_retry_after
from exporter.records import Answer, Charge, Identity, Reason, Usage

_BY_CODE = {
    Reason.QUOTA: "insufficient_quota billing_hard_limit_reached billing_not_active billing_error insufficient_credits "
    "insufficient_balance payment_required",
    Reason.UNSUPPORTED_PARAMETER: "unsupported_parameter unsupported_value unknown_parameter",
    Reason.CONTENT_FILTER: "content_filter content_policy_violation responsibleaipolicyviolation moderation_blocked invalid_prompt",
    Reason.MODEL_NOT_FOUND: "model_not_found model_decommissioned model_not_available model_not_supported invalid_model "
    "not_found_error notfounderror deploymentnotfound",
    Reason.AUTH: "invalid_api_key api_key_invalid authentication_error permission_error invalid_authentication account_deactivated "
    "unauthorized no_db_connection",
    Reason.RATE_LIMITED: "rate_limit_exceeded rate_limit_error too_many_requests",
    Reason.OVERLOADED: "overloaded_error overloaded engine_overloaded capacity_exceeded",
    Reason.TIMEOUT: "timeout_error request_timeout gateway_timeout",
    Reason.BAD_REQUEST: "context_length_exceeded exceed_context_size_error request_too_large string_above_max_length",
    Reason.SERVER_ERROR: "api_error server_error internal_error internal_server_error",
}
_CODES = {code: reason for reason, codes in _BY_CODE.items() for code in codes.split()}

_BY_TEXT = (
    (Reason.TRUNCATED, r"could not finish the message"),
    (Reason.QUOTA, r"credit balance is too low|specified api usage limits|spend(?:ing)? limit|insufficient (?:balance|credits|quota)"),
    (Reason.CONTENT_FILTER, r"content (?:management|filter(?:ing)?) policy|flagged as potentially violating|content[_ ]filter"),
    (Reason.BAD_REQUEST, r"maximum context length|prompt is too long|exceeds? the available context|is too large: \d"),
    (Reason.MODEL_NOT_FOUND, r"model\b.{0,80}(?:does not exist|not found|decommissioned)|not a valid model|invalid model name"),
    (Reason.OVERLOADED, r"\boverloaded\b"),
)
_TEXTS = tuple((reason, re.compile(pattern, re.IGNORECASE)) for reason, pattern in _BY_TEXT)

_STATUSES = {
    400: Reason.BAD_REQUEST,
    401: Reason.AUTH,
    402: Reason.QUOTA,
    403: Reason.AUTH,
    404: Reason.MODEL_NOT_FOUND,
    407: Reason.NETWORK,
    408: Reason.TIMEOUT,
    409: Reason.SERVER_ERROR,
    425: Reason.SERVER_ERROR,
    429: Reason.RATE_LIMITED,
    498: Reason.OVERLOADED,
    499: Reason.SERVER_ERROR,
    504: Reason.TIMEOUT,
    524: Reason.TIMEOUT,
    529: Reason.OVERLOADED,
}
_NOBODY = Identity()
_MAY_BE_BILLED = frozenset({Reason.TRUNCATED, Reason.CONTENT_FILTER, Reason.SERVER_ERROR, Reason.TIMEOUT, Reason.NETWORK})

ONLY_STREAMS = "set stream: true if this server answers streams only"


def read_failure(reply: Reply) -> Answer:
    """The answer to a request that got an unsuccessful status."""
    if 300 <= reply.status < 400:
        said = f"HTTP {reply.status}: a redirect, which is not followed"
        return unusable(reply, Reason.BAD_REQUEST, said, "set base_url to the final address", charge=Charge.NOTHING)
    return _answer_complaint(reply, read_complaint(reply))


def read_error(reply: Reply, error: object, usage: Usage | None = None, identity: Identity = _NOBODY) -> Answer:
    """The answer where a successful response, or an event of a stream, holds an error."""
    return _answer_complaint(reply, complaint_of(error, reply.status), usage, identity)


def broken_answer(broken: Broken) -> Answer:
    """The answer where nothing could be read."""
    return Answer(reason=broken.reason, charge=broken.charge, message=broken.message, latency_seconds=broken.latency_seconds)


def read_no_json(reply: Reply) -> Answer:
    """The answer where a successful response is empty or no JSON."""
    kind = reply.headers.get("content-type", "no content type").partition(";")[0]
    if not reply.body.strip():
        hint = "" if kind == "text/event-stream" or is_lines(kind) else ONLY_STREAMS
        return unusable(reply, Reason.EMPTY_RESPONSE, f"HTTP {reply.status} with an empty body", hint)
    return unusable(reply, Reason.BAD_RESPONSE, f"HTTP {reply.status} with a body that is no JSON ({kind})")


def read_cut_stream(reply: Reply, *, events: int, unreadable: bool) -> Answer:
    """The answer where a stream ended before it said why: `events` of it were read, `unreadable` if one was no JSON."""
    if unreadable:
        return unusable(reply, Reason.BAD_RESPONSE, "the stream holds an event that is no JSON")
    if reply.broken is not None:
        return broken_answer(reply.broken)
    if not events:
        return unusable(reply, Reason.EMPTY_RESPONSE, "the stream holds no event")
    return unusable(reply, Reason.BAD_RESPONSE, "the stream stopped before its end")


def unusable(
    reply: Reply,
    reason: Reason,
    said: str,
    hint: str = "",
    *,
    usage: Usage | None = None,
    identity: Identity = _NOBODY,
    charge: Charge = Charge.UNKNOWN,
    finish_reason: str | None = None,
) -> Answer:
    """An answer with a reason. What was said is cut so that the hint and the request id keep their place."""
    return Answer(
        usage=usage,
        charge=Charge.REPORTED if usage else charge,
        identity=identity,
        finish_reason=finish_reason,
        reason=reason,
        message=_compose(reply, said, hint),
        retry_after_seconds=read_retry_after(reply.headers, reply.received_at),
    )


def _answer_complaint(reply: Reply, complaint: Complaint, usage: Usage | None = None, identity: Identity = _NOBODY) -> Answer:
    reason, parameter = _judge(complaint)
    turned_away = not reply.ok and reason not in _MAY_BE_BILLED
    code = next((code for code in complaint.codes if not code.isdigit()), "")
    said = f"HTTP {complaint.status}" if complaint.status >= 400 else "error in the answer"
    said = f"{said} {code}" if code else said
    answer = unusable(
        reply,
        reason,
        f"{said}: {complaint.text}" if complaint.text else said,
        hint_for(reason, parameter, complaint, reply.key_hint),
        usage=usage,
        identity=identity,
        charge=Charge.NOTHING if turned_away else Charge.UNKNOWN,
    )
    retry_after_seconds = answer.retry_after_seconds if answer.retry_after_seconds is not None else complaint.retry_after_seconds
    return replace(answer, retry_after_seconds=retry_after_seconds, tools_refused=names_tools(parameter))


def _judge(complaint: Complaint) -> tuple[Reason, str | None]:
    """The reason, and the parameter that was refused where it is that."""
    if complaint.flagged:
        return Reason.CONTENT_FILTER, None
    by_text = next((reason for reason, pattern in _TEXTS if pattern.search(complaint.text)), None)
    if by_text in (Reason.TRUNCATED, Reason.QUOTA):
        return by_text, None
    if refuses_tools(complaint):
        return Reason.UNSUPPORTED_PARAMETER, "tools"
    by_code = next((_CODES[code] for code in complaint.codes if code in _CODES), None)
    if by_code is Reason.UNSUPPORTED_PARAMETER:
        return by_code, name_parameter(complaint, refused=True)
    if by_code is not None:
        return by_code, None
    by_status = _STATUSES.get(complaint.status)
    if by_status in (None, Reason.BAD_REQUEST):
        if by_text is not None:
            return by_text, None
        parameter = name_parameter(complaint)
        if parameter is not None:
            return Reason.UNSUPPORTED_PARAMETER, parameter
    if by_status is not None:
        return by_status, None
    return (Reason.BAD_REQUEST if 400 <= complaint.status < 500 else Reason.SERVER_ERROR), None


def _compose(reply: Reply, said: str, hint: str) -> str:
    request_id = one_line(mask(reply.headers.get("request-id") or reply.headers.get("x-request-id") or "", reply.secrets), 64)
    tail = "".join(f"; {part}" for part in (hint, f"request {request_id}" if request_id else "") if part)
    tail = mask(tail, reply.secrets)
    words = one_line(mask(said, reply.secrets, reply.prompts), MESSAGE_CHARACTERS - len(tail))
    return words.removesuffix(".") + tail if tail else words
