"""tool_call: the model called this tool, with these arguments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from exporter.suites.graders.base import Grader
from exporter.suites.json_text import normalise, parse_json
from exporter.suites.text import canonical_json


class ToolCall(Grader):
    """One call of `name` whose arguments equal `arguments` as JSON values.

    Order of keys never matters, 2 equals 2.0, and white space around a text is nothing; nothing else is forgiven. Arguments named
    in `optional` may be there as well, whatever their value. Without `position` it must be the only call; with it, it must be the
    call of that number, counted from 1, and the others do not matter. Words beside the calls never matter.
    """

    kind: Literal["tool_call"]
    name: Annotated[str, Field(pattern=r"\S")]
    arguments: dict[str, JsonValue] = Field({})
    optional: tuple[str, ...] = ()
    position: Annotated[int, Field(ge=1)] | None = None

    def accepts(self, answer: str) -> bool:
        """Whether the calls, as `extract: tool_call` writes them, hold the right one in its place."""
        try:
            calls = parse_json(answer)
        except ValueError:
            return False
        if not isinstance(calls, list) or (len(calls) != 1 if self.position is None else len(calls) < self.position):
            return False
        call = calls[(self.position or 1) - 1]
        return isinstance(call, dict) and call.get("name") == self.name and self._fits(call.get("arguments"))

    def _fits(self, arguments: Any) -> bool:
        if not isinstance(arguments, dict):
            return False
        spare = set(self.optional) - self.arguments.keys()
        given = {name: value for name, value in arguments.items() if name not in spare}
        return canonical_json(_trim(normalise(given))) == canonical_json(_trim(normalise(self.arguments)))


def _trim(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return {key: _trim(inner) for key, inner in value.items()}
    return [_trim(item) for item in value] if isinstance(value, list) else value
