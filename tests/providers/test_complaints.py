from __future__ import annotations

from typing import Any

import pytest

from exporter.records import Reason
from tests.providers.replies import read, reply

BAD, UNSUPPORTED = Reason.BAD_REQUEST, Reason.UNSUPPORTED_PARAMETER


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"message": "No."}}, "No."),
        ({"error": "No."}, "No."),
        ({"error": {"error": "No."}}, "No."),
        ({"error": {"detail": "No."}}, "No."),
        ({"errors": [{"message": "No."}]}, "No."),
        ([{"error": {"code": 400, "message": "No.", "status": "INVALID_ARGUMENT"}}], "No."),
        ({"message": "No."}, "No."),
        ({"detail": "No."}, "No."),
        ({"detail": [{"loc": ["body", "messages"], "msg": "No.", "type": "value_error"}]}, "No."),
        ({"error_description": "No."}, "No."),
        ("No.", "No."),
        (b"No.", "No."),
        ({"error": {"message": "Provider returned error", "metadata": {"raw": "No."}}}, "Provider returned error: No."),
        ({"error": {"message": ["No."]}}, "HTTP 400"),
        ({"error": 7}, "HTTP 400"),
        ([], "HTTP 400"),
    ],
)
def test_an_error_is_understood_in_every_shape(body: object, text: str) -> None:
    answer = read("openai_chat", reply(body, 400))
    assert answer.reason is BAD
    assert answer.message.endswith(text)


@pytest.mark.parametrize(
    ("status", "error", "reason", "hint"),
    [
        (400, {"message": "Unrecognized request argument supplied: foo"}, UNSUPPORTED, "remove foo from extra_body"),
        (
            400,
            {"message": "Unknown parameter: 'foo.bar'.", "code": "unknown_parameter", "param": "foo.bar"},
            UNSUPPORTED,
            "remove foo.bar from extra_body",
        ),
        (400, {"message": "reasoning_effort is not supported"}, UNSUPPORTED, "change or remove reasoning_effort"),
        (400, {"message": "output_config.effort: Extra inputs are not permitted"}, UNSUPPORTED, "change or remove reasoning_effort"),
        (400, {"message": "max_completion_tokens is not supported"}, UNSUPPORTED, "set max_tokens_field: max_tokens"),
        (400, {"message": "stream_options is not allowed"}, UNSUPPORTED, "set extra_body: {stream_options: null}"),
        (400, {"message": "stream is not supported here"}, UNSUPPORTED, "set stream: false"),
        (400, {"message": "seed is not supported"}, UNSUPPORTED, "remove seed from sampling"),
        (400, {"message": "no", "code": "unsupported_value", "param": "messages[0].role"}, UNSUPPORTED, "remove system"),
        (400, {"message": "no", "code": "unsupported_value"}, UNSUPPORTED, "remove it from sampling or extra_body"),
        (422, {"message": "top_p must be at most 1"}, UNSUPPORTED, "remove top_p from sampling"),
        (400, {"message": "seed must be a number"}, BAD, None),
        (
            400,
            {"message": "max_tokens is too large: 9. This model supports at most 4", "param": "max_tokens"},
            BAD,
            "lower max_tokens_scale",
        ),
        (400, {"message": "max_tokens: 100000 > 64000, which is the maximum"}, BAD, "lower max_tokens_scale"),
        (400, {"message": "This model's maximum context length is 128 tokens"}, BAD, None),
        (400, {"message": "prompt is too long: 9 tokens > 8 maximum"}, BAD, None),
        (400, {"message": "Model foo does not exist"}, Reason.MODEL_NOT_FOUND, "check model and base_url"),
        (400, {"message": "foo is not a valid model ID"}, Reason.MODEL_NOT_FOUND, "check model and base_url"),
        (400, {"message": "Invalid model name passed in model=foo", "code": "400"}, Reason.MODEL_NOT_FOUND, "check model and base_url"),
        (400, {"message": "No connected db.", "type": "no_db_connection"}, Reason.AUTH, "check api_key_file or api_key_env"),
        (429, {"message": "You have reached your spend limit"}, Reason.QUOTA, "add credit or raise the limit at the provider"),
        (
            400,
            {"message": "You have reached your specified API usage limits."},
            Reason.QUOTA,
            "add credit or raise the limit at the provider",
        ),
        (429, {"message": "limit", "code": "rate_limit_exceeded"}, Reason.RATE_LIMITED, "lower concurrency if this stays"),
        (500, {"message": "unknown argument temperature in the planner"}, Reason.SERVER_ERROR, None),
        (500, {"message": "The engine is currently overloaded"}, Reason.OVERLOADED, None),
        (503, {"message": "Loading model", "type": "unavailable_error"}, Reason.SERVER_ERROR, None),
        (400, {"message": "no", "code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}, Reason.CONTENT_FILTER, None),
        (502, {"message": "no", "code": 502, "metadata": {"error_type": "overloaded"}}, Reason.OVERLOADED, None),
        (400, {"message": "no", "code": "unsupported_value", "param": "x" * 99}, UNSUPPORTED, "remove it from sampling or extra_body"),
        (400, {"message": "no", "code": "unsupported_value", "param": ["x"]}, UNSUPPORTED, "remove it from sampling or extra_body"),
        (418, {"message": "no", "code": 401}, Reason.AUTH, "check api_key_file or api_key_env"),
        (401, {"message": "no", "code": 200}, Reason.AUTH, "check api_key_file or api_key_env"),
        (401, {"message": "no", "code": True}, Reason.AUTH, "check api_key_file or api_key_env"),
    ],
)
def test_an_error_has_its_reason_and_says_what_to_set(status: int, error: dict[str, Any], reason: Reason, hint: str | None) -> None:
    answer = read("openai_chat", reply({"error": error}, status))
    assert answer.reason is reason
    assert answer.message.partition("; ")[2] == (hint or "")
