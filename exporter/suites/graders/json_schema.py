"""json_schema: the answer is JSON that a schema accepts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, JsonValue

from exporter.suites.graders.base import Grader
from exporter.suites.json_text import find_json, parse_json
from exporter.suites.schemas import check_schema, check_usable, is_valid


def _check(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    check_schema(schema)
    check_usable(schema)
    return schema


class JsonSchema(Grader):
    """The JSON of the answer satisfies `schema` (draft 2020-12).

    `find: whole` takes the answer as it stands: one word or fence around the JSON makes it wrong. `find: anywhere` takes the last
    object or array in it: of its Markdown fences where one holds JSON, else of the prose. Where the schema's own `type` is object or
    array, only that is looked for.
    """

    # Serialised by its alias, as pydantic's own classes have a method called schema.
    model_config = ConfigDict(serialize_by_alias=True)

    kind: Literal["json_schema"]
    wanted: Annotated[dict[str, JsonValue], AfterValidator(_check), Field(alias="schema")]
    find: Literal["whole", "anywhere"] = "whole"

    def accepts(self, answer: str) -> bool:
        """Whether the JSON found in the answer satisfies the schema."""
        found = self._find(answer)
        return bool(found) and is_valid(self.wanted, found[-1])

    def _find(self, answer: str) -> list[Any]:
        try:
            return [parse_json(answer)]
        except ValueError:
            if self.find == "whole":
                return []
        looked_for = {"object": dict, "array": list}.get(str(self.wanted.get("type")), (dict, list))
        return [value for value in find_json(answer) if isinstance(value, looked_for)]
