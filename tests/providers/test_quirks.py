"""What providers really send, row by row: every shape of the list that these APIs can meet, and its one right outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from exporter.providers.reply import Reply
from exporter.records import RETRYABLE, STOPS_RUN, Charge, Reason, Usage
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.anthropic import event as named_event
from tests.providers.wordings.anthropic import message
from tests.providers.wordings.gemini import generation
from tests.providers.wordings.ollama import chat
from tests.providers.wordings.openai_chat import USAGE, chunks, completion, event

OPENAI, ANTHROPIC, GEMINI, AZURE, MISTRAL, OLLAMA = "openai_chat", "anthropic", "gemini", "azure_openai", "mistral", "ollama"


@dataclass(frozen=True)
class Row:
    """A shape; the words are parts of the message."""

    name: str
    api: str
    reply: Reply
    reason: Reason | None
    words: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


def openai_error(status: int, message: str, **fields: Any) -> Reply:
    return reply({"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **fields}}, status)


def anthropic_error(status: int, kind: str, message: str) -> Reply:
    return reply({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}, status)


NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."
WANTS_COMPLETION_TOKENS = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
NOT_FINISHED = "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens."
FILTERED = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
INNER = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"violence": {"filtered": True}}}
THOUGHT = {"completion_tokens": 64, "prompt_tokens": 12, "total_tokens": 76, "completion_tokens_details": {"reasoning_tokens": 64}}
UNSUPPORTED, TRUNCATED, FILTER, EMPTY = Reason.UNSUPPORTED_PARAMETER, Reason.TRUNCATED, Reason.CONTENT_FILTER, Reason.EMPTY_RESPONSE
SAMPLING_HINT = "; remove temperature from sampling"

ROWS = [
    Row(
        "Anthropic names temperature",
        ANTHROPIC,
        anthropic_error(400, "invalid_request_error", "`temperature` is deprecated for this model."),
        UNSUPPORTED,
        (SAMPLING_HINT,),
        {"charge": Charge.NOTHING},
    ),
    Row(
        "Anthropic names top_p",
        ANTHROPIC,
        anthropic_error(400, "invalid_request_error", "`temperature` and `top_p` cannot both be specified for this model."),
        UNSUPPORTED,
        ("remove temperature from sampling",),
    ),
    Row(
        "Anthropic's version 2026-10-21 names top_k",
        ANTHROPIC,
        anthropic_error(400, "invalid_request_error", "top_k: Extra inputs are not permitted"),
        UNSUPPORTED,
        ("remove top_k from sampling",),
    ),
    Row(
        "OpenAI refuses temperature",
        OPENAI,
        openai_error(400, NO_TEMPERATURE, param="temperature", code="unsupported_value"),
        UNSUPPORTED,
        (SAMPLING_HINT,),
    ),
    Row(
        "a reseller sends the same with status 500",
        OPENAI,
        openai_error(500, NO_TEMPERATURE, param="temperature", code="unsupported_value"),
        UNSUPPORTED,
        (SAMPLING_HINT,),
    ),
    Row(
        "OpenAI wants max_completion_tokens",
        OPENAI,
        openai_error(400, WANTS_COMPLETION_TOKENS, param="max_tokens", code="unsupported_parameter"),
        UNSUPPORTED,
        ("; set max_tokens_field: max_completion_tokens",),
    ),
    Row(
        "all tokens went into reasoning",
        OPENAI,
        reply(completion({"content": ""}, "length", usage=THOUGHT)),
        TRUNCATED,
        ("raise max_tokens_scale",),
        {"usage": Usage(12, 64, 64), "charge": Charge.REPORTED},
    ),
    Row("could not finish", OPENAI, openai_error(400, NOT_FINISHED), TRUNCATED, ("raise max_tokens_scale",), {"charge": Charge.UNKNOWN}),
    Row("choices is empty", OPENAI, reply({"choices": [], "usage": USAGE}), EMPTY, ("set stream: true",), {"usage": Usage(12, 3)}),
    Row("choices is missing", OPENAI, reply({"model": "m", "usage": USAGE}), EMPTY, (), {"usage": Usage(12, 3), "charge": Charge.REPORTED}),
    Row("choices is null", OPENAI, reply({"choices": None, "usage": USAGE}), EMPTY, (), {"usage": Usage(12, 3)}),
    Row("message is missing", OPENAI, reply({"choices": [{"index": 0}], "usage": USAGE}), EMPTY, (), {"usage": Usage(12, 3)}),
    Row("content is missing", ANTHROPIC, reply({**message([]), "content": None}), EMPTY, (), {"usage": Usage(12, 3)}),
    Row(
        "OpenRouter sends 200 with an error 429",
        OPENAI,
        reply({"error": {"code": 429, "message": "slow"}}),
        Reason.RATE_LIMITED,
        ("HTTP 429: slow",),
    ),
    Row(
        "OpenRouter sends 200 with an error 402",
        OPENAI,
        reply({"error": {"code": "402", "message": "credit"}}),
        Reason.QUOTA,
        ("HTTP 402",),
    ),
    Row(
        "OpenRouter sends an error inside a choice",
        OPENAI,
        reply({"choices": [{"finish_reason": "error", "error": {"code": 502, "message": "upstream"}}], "usage": USAGE}),
        Reason.SERVER_ERROR,
        ("HTTP 502: upstream",),
        {"usage": Usage(12, 3)},
    ),
    Row(
        "OpenRouter moderates",
        OPENAI,
        openai_error(403, "requires moderation", code=403, metadata={"reasons": ["x"], "flagged_input": "y"}),
        FILTER,
    ),
    Row("finish_reason error without an error", OPENAI, reply(completion({"content": "par"}, "error")), Reason.SERVER_ERROR),
    Row("Anthropic is overloaded", ANTHROPIC, anthropic_error(529, "overloaded_error", "Overloaded"), Reason.OVERLOADED),
    Row(
        "Anthropic is overloaded in the middle of a stream",
        ANTHROPIC,
        streamed(named_event("message_start", message=message([], None)), named_event("error", error={"type": "overloaded_error"})),
        Reason.OVERLOADED,
        (),
        {"charge": Charge.UNKNOWN},
    ),
    Row("OpenAI has no quota left", OPENAI, openai_error(429, "quota", type="insufficient_quota", code="insufficient_quota"), Reason.QUOTA),
    Row(
        "Anthropic's credit is used up",
        ANTHROPIC,
        anthropic_error(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
        Reason.QUOTA,
        ("add credit or raise the limit at the provider",),
    ),
    Row(
        "429 with a plain string", OPENAI, reply({"error": "Too many requests"}, 429), Reason.RATE_LIMITED, ("HTTP 429: Too many requests",)
    ),
    Row(
        "a thinking block comes first",
        ANTHROPIC,
        reply(
            message(
                [{"type": "thinking", "thinking": "4?"}, {"type": "text", "text": "ANS"}, {"type": "x"}, {"type": "text", "text": "WER: 4"}]
            )
        ),
        None,
        (),
        {"text": "ANSWER: 4"},
    ),
    Row("Anthropic refuses", ANTHROPIC, reply(message([], "refusal")), Reason.REFUSAL, ("the model refused",)),
    Row(
        "Anthropic falls back on another model",
        ANTHROPIC,
        reply(message([{"type": "fallback", "from": {}, "to": {}}, {"type": "text", "text": "4"}], model="model-2")),
        None,
        (),
        {"text": "4"},
    ),
    Row("Azure filters the answer", AZURE, reply(completion({"content": ""}, "content_filter")), FILTER, (), {"charge": Charge.REPORTED}),
    Row("Azure filters the answer in the middle", AZURE, reply(completion({"content": "The"}, "content_filter")), FILTER),
    Row("Azure filters the prompt", AZURE, openai_error(400, FILTERED, code="content_filter", param="prompt", innererror=INNER), FILTER),
    Row("a gateway hides Azure's code", OPENAI, openai_error(400, f"litellm.BadRequestError: {FILTERED}", code="400"), FILTER),
    Row("the fingerprint is null", OPENAI, reply(completion({"content": "4"}, system_fingerprint=None)), None, (), {"text": "4"}),
    Row(
        "a closed block of reasoning inside the content",
        OPENAI,
        reply(completion({"content": "<think>4?</think>\nANSWER: 4", "reasoning_content": None})),
        None,
        (),
        {"reasoning_in_content": True},
    ),
    Row("only the closing tag", OPENAI, reply(completion({"content": "4?</think>ANSWER: 4"})), None, (), {"reasoning_in_content": True}),
    Row("Ollama's thinking, cut off", OLLAMA, reply(chat({"content": "", "thinking": "4?"}, "length")), TRUNCATED),
    Row("Ollama's thinking, no answer", OLLAMA, reply(chat({"content": "", "thinking": "4?"})), EMPTY, ("only reasoning",)),
    Row("Ollama only loaded the model", OLLAMA, reply(chat({"content": ""}, "load")), EMPTY),
    Row("Ollama has no such model", OLLAMA, reply({"error": "model 'x' not found"}, 404), Reason.MODEL_NOT_FOUND, ("check model",)),
    Row("Ollama's reasoning, cut off", OPENAI, reply(completion({"content": "", "reasoning": "4?"}, "length")), TRUNCATED),
    Row("Ollama's reasoning, no answer", OPENAI, reply(completion({"content": "", "reasoning": "4?"})), EMPTY, ("only reasoning",)),
    Row(
        "reasoning_content, no answer", OPENAI, reply(completion({"content": None, "reasoning_content": "4?"})), EMPTY, ("only reasoning",)
    ),
    Row(
        "a gateway accepts streams only",
        OPENAI,
        openai_error(400, "This model only supports streaming: stream must be set to true"),
        UNSUPPORTED,
        ("; set stream: true",),
    ),
    Row(
        "a gateway answers a plain call with nothing", OPENAI, reply(b""), EMPTY, ("set stream: true if this server answers streams only",)
    ),
    Row("a stream with its usage in the last chunk", OPENAI, streamed(*chunks([{"content": "4"}])), None, (), {"usage": Usage(12, 3)}),
    Row(
        "xAI counts reasoning outside of completion_tokens",
        OPENAI,
        reply(completion({"content": "4"}, usage={"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 115})),
        None,
        (),
        {"usage": Usage(12, 103)},
    ),
    Row(
        "the model was retired at Anthropic", ANTHROPIC, anthropic_error(404, "not_found_error", "model: claude-1"), Reason.MODEL_NOT_FOUND
    ),
    Row(
        "the model was retired at OpenAI",
        OPENAI,
        openai_error(404, "The model `x` does not exist", code="model_not_found"),
        Reason.MODEL_NOT_FOUND,
        ("; check model and base_url",),
    ),
    Row("the model was retired at Groq", OPENAI, openai_error(400, "gone", code="model_decommissioned"), Reason.MODEL_NOT_FOUND),
    Row("401", OPENAI, openai_error(401, "no", code="invalid_api_key"), Reason.AUTH, ("; check api_key_file or api_key_env",)),
    Row("403", ANTHROPIC, anthropic_error(403, "permission_error", "no"), Reason.AUTH, ("; check api_key_file or api_key_env",)),
    Row("402", OPENAI, openai_error(402, "no"), Reason.QUOTA),
    Row("408", OPENAI, openai_error(408, "no"), Reason.TIMEOUT),
    Row("409", OPENAI, openai_error(409, "no"), Reason.SERVER_ERROR),
    Row("425", OPENAI, openai_error(425, "no"), Reason.SERVER_ERROR),
    Row("413", ANTHROPIC, anthropic_error(413, "request_too_large", "no"), Reason.BAD_REQUEST),
    Row("the proxy's 502 page", OPENAI, reply(b"<html><title>502 Bad Gateway</title>", 502), Reason.SERVER_ERROR, ("502 Bad Gateway",)),
    Row("a new unknown field", ANTHROPIC, reply(message([{"type": "text", "text": "4"}], container={"id": "c"})), None, (), {"text": "4"}),
    Row(
        "Gemini thinks to the limit",
        GEMINI,
        reply(generation([], "MAX_TOKENS", usageMetadata={"promptTokenCount": 12, "thoughtsTokenCount": 64, "totalTokenCount": 76})),
        TRUNCATED,
        ("raise max_tokens_scale",),
        {"usage": Usage(12, 64, 64), "charge": Charge.REPORTED},
    ),
    Row(
        "Gemini blocks the prompt",
        GEMINI,
        reply({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 12}}),
        FILTER,
        ("PROHIBITED_CONTENT",),
        {"usage": Usage(12, 0)},
    ),
    Row("Gemini filters the answer", GEMINI, reply(generation([], "SAFETY")), FILTER),
    Row(
        "Gemini does not know the key",
        GEMINI,
        reply(
            {"error": {"code": 400, "message": "No.", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}},
            400,
        ),
        Reason.AUTH,
        ("; check api_key_file or api_key_env",),
        {"charge": Charge.NOTHING},
    ),
    Row(
        "Gemini says how long to wait",
        GEMINI,
        reply(
            [{"error": {"code": 429, "message": "No.", "status": "RESOURCE_EXHAUSTED", "details": [{}, {"retryDelay": "34.5s"}]}}],
            429,
        ),
        Reason.RATE_LIMITED,
        (),
        {"retry_after_seconds": 34.5},
    ),
    Row(
        "Gemini does not know a field",
        GEMINI,
        reply({"error": {"code": 400, "message": "Unknown name \"min_p\" at 'generation_config': Cannot find field."}}, 400),
        UNSUPPORTED,
        ("remove min_p from sampling",),
    ),
    Row(
        "Azure knows no such deployment",
        AZURE,
        reply({"error": {"code": "DeploymentNotFound", "message": "No."}}, 404),
        Reason.MODEL_NOT_FOUND,
    ),
    Row(
        "Azure knows no such key",
        AZURE,
        reply({"statusCode": 401, "message": "No."}, 401),
        Reason.AUTH,
        ("; check api_key_file or api_key_env",),
    ),
    Row(
        "Mistral refuses a field",
        MISTRAL,
        reply(
            {
                "object": "error",
                "message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
                "type": "invalid_request_error",
                "code": None,
                "raw_status_code": 422,
            },
            422,
        ),
        UNSUPPORTED,
        ("remove seed from sampling",),
    ),
    Row(
        "Mistral knows no such model",
        MISTRAL,
        reply({"object": "error", "message": "Invalid model: m", "type": "invalid_model", "code": "1500"}, 400),
        Reason.MODEL_NOT_FOUND,
    ),
    Row(
        "Mistral knows no such key", MISTRAL, reply({"detail": "Unauthorized"}, 401), Reason.AUTH, ("; check api_key_file or api_key_env",)
    ),
    Row("Mistral cuts an answer off", MISTRAL, reply(completion({"content": "4"}, "model_length")), TRUNCATED),
    Row("an error event in a stream", OPENAI, streamed(event({"error": {"code": 429, "message": "slow"}})), Reason.RATE_LIMITED),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.api}: {row.name}")
def test_a_shape_has_its_one_right_outcome(row: Row) -> None:
    answer = read(row.api, row.reply)
    assert answer.reason is row.reason
    assert [words for words in row.words if words not in answer.message] == []
    assert {name: getattr(answer, name) for name in row.fields} == row.fields


def test_the_rows_are_named_apart() -> None:
    assert len({(row.api, row.name) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.reason in (UNSUPPORTED, TRUNCATED, FILTER, Reason.REFUSAL, Reason.QUOTA)], ids=lambda row: row.name
)
def test_what_would_come_back_the_same_is_not_retried(row: Row) -> None:
    assert row.reason not in RETRYABLE


@pytest.mark.parametrize("row", [row for row in ROWS if row.reason in STOPS_RUN], ids=lambda row: row.name)
def test_what_stops_a_run_says_what_to_do(row: Row) -> None:
    assert "; " in read(row.api, row.reply).message
