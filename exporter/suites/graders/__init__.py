"""Fixed rules that say whether an answer is right: one file per kind, pure. No I/O, no clock, no logging, no model.

Looking to add a grader? Start here: write `graders/<kind>.py` with a subclass of `Grader` (its fields are the keys of the suite
file, `accepts` is the rule), add it to GRADERS below, add its row to docs/suites.md, and mirror it in tests/suites/graders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from exporter.suites.graders.base import Grader
from exporter.suites.graders.exact import Exact
from exporter.suites.graders.json_equals import Json
from exporter.suites.graders.json_schema import JsonSchema
from exporter.suites.graders.number import Number
from exporter.suites.graders.python import Python
from exporter.suites.graders.refusal import Refusal
from exporter.suites.graders.regex import Regex
from exporter.suites.graders.tool_call import ToolCall
from exporter.suites.text import canonical_json

GRADERS: dict[str, type[Grader]] = {
    "exact": Exact,
    "json": Json,
    "json_schema": JsonSchema,
    "number": Number,
    "python": Python,
    "refusal": Refusal,
    "regex": Regex,
    "tool_call": ToolCall,
}

__all__ = ["GRADERS", "Grader", "read_grader"]


def read_grader(settings: Mapping[str, Any]) -> Grader:
    """The grader of a loaded question (`Question.grader`). Equal settings give the same object."""
    return _read(canonical_json(dict(settings)))


@lru_cache(maxsize=4096)
def _read(settings: str) -> Grader:
    values = json.loads(settings)
    return GRADERS[values["kind"]].model_validate(values)
