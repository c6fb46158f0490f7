"""json: the answer is this JSON value."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import JsonValue

from exporter.suites.graders.base import Grader
from exporter.suites.json_text import normalise
from exporter.suites.text import canonical_json, fenced_blocks


class Json(Grader):
    """The whole answer, or the last Markdown fence in it that holds JSON, equals `equals`.

    Order of keys and white space never matter, and 1 equals 1.0; with `unordered` the order in lists does not matter either.
    """

    kind: Literal["json"]
    equals: JsonValue
    unordered: bool = False

    def accepts(self, answer: str) -> bool:
        """Whether the JSON found in the answer equals the expected value."""
        expected = normalise(self.equals, unordered=self.unordered)
        for text in (answer, *reversed(fenced_blocks(answer))):
            try:
                found = json.loads(text, parse_constant=_refuse)
                return canonical_json(normalise(found, unordered=self.unordered)) == canonical_json(expected)
            except (ValueError, RecursionError):
                continue
        return False


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
