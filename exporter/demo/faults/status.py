"""Faults that come with an error status."""

from __future__ import annotations

from exporter.demo.exchange import Exchange, Transmission, as_json
from exporter.demo.faults.registry import AZURE, CHAT, GEMINI, MESSAGES, MISTRAL, RESPONSES, fault
from exporter.records import Reason


def _said_by(exchange: Exchange, chat: str, messages: str) -> str:
    """Return the word that this API uses."""
    return messages if exchange.dialect.api == MESSAGES else chat


@fault("rate_limited", Reason.RATE_LIMITED)
def rate_limited(exchange: Exchange) -> Transmission:
    """429 with the model's Retry-After, or none."""
    kind = _said_by(exchange, "requests", "rate_limit_error")
    answer = exchange.refuse(429, kind, "Rate limit reached. Please try again later.", "rate_limit_exceeded")
    headers = {} if exchange.retry_after is None else {"retry-after": exchange.retry_after}
    return Transmission(answer.status, answer.chunks, headers=headers)


@fault("rate_limited_as_string", Reason.RATE_LIMITED, CHAT)
def rate_limited_as_string(exchange: Exchange) -> Transmission:
    """429 whose `error` is a plain string."""
    return as_json(429, {"error": "Rate limit exceeded for this model"})


@fault("quota", Reason.QUOTA, CHAT, AZURE, MESSAGES, RESPONSES)
def quota(exchange: Exchange) -> Transmission:
    """The account's money is used up: for good, whatever the status looks like."""
    if exchange.dialect.api == MESSAGES:
        return exchange.refuse(402, "billing_error", "Your credit balance is too low to access the API.")
    return exchange.refuse(429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota")


@fault("payment_required", Reason.QUOTA)
def payment_required(exchange: Exchange) -> Transmission:
    """402, credit used up."""
    return exchange.refuse(402, "billing_error", "Insufficient credits.")


@fault("overloaded", Reason.OVERLOADED)
def overloaded(exchange: Exchange) -> Transmission:
    """Too many others: Anthropic's 529, elsewhere 503; without Retry-After."""
    if exchange.dialect.api == MESSAGES:
        return exchange.refuse(529, "overloaded_error", "Overloaded")
    return exchange.refuse(503, "service_unavailable_error", "That model is currently overloaded with other requests.")


@fault("server_error", Reason.SERVER_ERROR)
def server_error(exchange: Exchange) -> Transmission:
    """500."""
    kind = _said_by(exchange, "server_error", "api_error")
    return exchange.refuse(500, kind, "The server had an error while processing your request.")


@fault("auth", Reason.AUTH)
def auth(exchange: Exchange) -> Transmission:
    """401."""
    kind = _said_by(exchange, "invalid_request_error", "authentication_error")
    return exchange.refuse(401, kind, "Incorrect API key provided.", "invalid_api_key")


@fault("unknown_key_as_400", Reason.AUTH, GEMINI)
def unknown_key_as_400(exchange: Exchange) -> Transmission:
    """Google's 400 for a key that it does not know."""
    body = exchange.dialect.error("invalid_request_error", "API key not valid. Please pass a valid API key.")
    body["error"]["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    return as_json(400, body)


@fault("forbidden", Reason.AUTH)
def forbidden(exchange: Exchange) -> Transmission:
    """403."""
    kind = _said_by(exchange, "invalid_request_error", "permission_error")
    return exchange.refuse(403, kind, "Your API key does not have permission to use this model.")


@fault("model_not_found", Reason.MODEL_NOT_FOUND)
def model_not_found(exchange: Exchange) -> Transmission:
    """404 for a model that was retired."""
    model = exchange.ask.model
    if exchange.dialect.api == MESSAGES:
        return exchange.refuse(404, "not_found_error", f"model: {model}")
    return exchange.refuse(404, "invalid_request_error", f"The model `{model}` does not exist.", "model_not_found")


@fault("unsupported_parameter", Reason.UNSUPPORTED_PARAMETER)
def unsupported_parameter(exchange: Exchange) -> Transmission:
    """400 for a temperature that newest models do not take."""
    if exchange.dialect.api == MESSAGES:
        return exchange.refuse(400, "invalid_request_error", "`temperature` is not supported by this model.")
    if exchange.dialect.api == MISTRAL:
        return exchange.refuse(422, "invalid_request_error", "Extra inputs are not permitted", param="temperature")
    message = "Unsupported value: 'temperature' does not support 0 with this model."
    return exchange.refuse(400, "invalid_request_error", message, "unsupported_value", "temperature")


@fault("unsupported_parameter_as_500", Reason.UNSUPPORTED_PARAMETER, CHAT)
def unsupported_parameter_as_500(exchange: Exchange) -> Transmission:
    """The same body from a reseller, with status 500."""
    return Transmission(500, unsupported_parameter(exchange).chunks)


@fault("unsupported_max_tokens", Reason.UNSUPPORTED_PARAMETER, CHAT, AZURE)
def unsupported_max_tokens(exchange: Exchange) -> Transmission:
    """400 for max_tokens where max_completion_tokens is wanted."""
    message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return exchange.refuse(400, "invalid_request_error", message, "unsupported_parameter", "max_tokens")


@fault("could_not_finish", Reason.TRUNCATED, CHAT, AZURE)
def could_not_finish(exchange: Exchange) -> Transmission:
    """400 from a gateway whose model ran out of tokens."""
    message = "Could not finish the message because max_tokens or model output limit was reached."
    return exchange.refuse(400, "invalid_request_error", message)


@fault("content_filter_as_400", Reason.CONTENT_FILTER, CHAT, AZURE)
def content_filter_as_400(exchange: Exchange) -> Transmission:
    """Azure's 400 for a prompt that its filter stopped."""
    body = exchange.dialect.error("", "The response was filtered.", "content_filter", "prompt")
    body["error"]["innererror"] = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"violence": {"filtered": True}}}
    return as_json(400, body)


@fault("bad_request", Reason.BAD_REQUEST)
def bad_request(exchange: Exchange) -> Transmission:
    """400 without anything that tells more."""
    return exchange.refuse(400, "invalid_request_error", "Invalid request.")


@fault("too_large", Reason.BAD_REQUEST)
def too_large(exchange: Exchange) -> Transmission:
    """413."""
    return exchange.refuse(413, _said_by(exchange, "invalid_request_error", "request_too_large"), "Request too large.")


@fault("timeout_408", Reason.TIMEOUT)
def timeout_408(exchange: Exchange) -> Transmission:
    """408."""
    return exchange.refuse(408, "timeout_error", "Request timed out.")


@fault("conflict_409", Reason.SERVER_ERROR)
def conflict_409(exchange: Exchange) -> Transmission:
    """409."""
    return exchange.refuse(409, "conflict_error", "The request could not be completed because of a conflict.")


@fault("too_early_425", Reason.SERVER_ERROR)
def too_early_425(exchange: Exchange) -> Transmission:
    """425."""
    return exchange.refuse(425, "api_error", "Too early.")


@fault("stream_required", Reason.UNSUPPORTED_PARAMETER, CHAT, plain_only=True)
def stream_required(exchange: Exchange) -> Transmission:
    """400 from a gateway that answers streamed requests only."""
    return exchange.refuse(400, "invalid_request_error", "Stream must be set to true.")


@fault("html_502", Reason.SERVER_ERROR)
def html_502(exchange: Exchange) -> Transmission:
    """A proxy's own error page."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
    return Transmission(502, (page,), "text/html")


@fault("redirect", Reason.BAD_REQUEST)
def redirect(exchange: Exchange) -> Transmission:
    """307 to another host, where nobody may follow: the key would go along."""
    return Transmission(307, (b"",), headers={"location": "http://localhost:9/v1/elsewhere"})
