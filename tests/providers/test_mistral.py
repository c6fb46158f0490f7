from __future__ import annotations

from exporter.config.model import Target
from exporter.providers.mistral import build_body
from tests.providers.contract import request

TARGET = Target(name="bot", api="mistral", model="m")


def test_a_stream_is_asked_for_without_fields_that_would_be_refused() -> None:
    assert build_body(request(stream=True, sampling={"random_seed": 7}, reasoning_effort="high"), TARGET) == {
        "model": "model-0",
        "messages": [{"role": "user", "content": "What is 2 + 2?"}],
        "max_tokens": 64,
        "reasoning_effort": "high",
        "random_seed": 7,
        "stream": True,
    }


def test_an_extra_brings_them_back() -> None:
    body = build_body(request(stream=True, extra_body={"stream_options": {"include_usage": True}}), TARGET)
    assert body["stream_options"] == {"include_usage": True}
