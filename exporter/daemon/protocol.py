"""How a target is asked. The protocol hash is everything in a request but the question itself; a question asked otherwise has another key.

Another hash, another baseline; another key, other marks of that question alone.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from exporter.config import Target
from exporter.providers import default_base_url
from exporter.records import Question
from exporter.suites import INSTRUCTION_VERSION, TEXT_TOOLS_VERSION

PROTOCOL_VERSION = 1
"""Raised when this program comes to ask in another way: marks before and after are not comparable then."""


def protocol_hash(target: Target) -> str:
    """Twelve hex digits. Concurrency, timeouts, headers, labels and the name do not count; where and how is asked does."""
    asked = {
        "version": PROTOCOL_VERSION,
        "instruction": INSTRUCTION_VERSION,
        "api": target.api,
        "base_url": target.base_url or default_base_url(target.api),
        "model": target.model,
        "system": target.system,
        "reasoning_effort": target.reasoning_effort,
        "max_tokens_field": target.max_tokens_field,
        "max_tokens_scale": target.max_tokens_scale,
        "sampling": target.sampling,
        "extra_body": target.extra_body,
        "stream": target.stream,
        "tries": target.decision.tries,
        "samples": target.decision.samples,
    }
    return _hash(asked)[:12]


def question_of(target: Target, question: Question) -> Question:
    """The question as this target is asked it. Where it is told of tools in words, one with tools is another question than elsewhere."""
    if target.tool_calling == "text" and question.tools:
        return replace(question, key=_hash([question.key, "text_tools", TEXT_TOOLS_VERSION])[:16])
    return question


def _hash(asked: object) -> str:
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
