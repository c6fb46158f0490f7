"""The shape of the file, derived from the model: JSON Schema for editors, and one `Key` a setting for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from exporter.config.durations import format_duration
from exporter.config.model import Config
from exporter.config.places import KeyPath

_DURATION = "Duration"
_OVERRIDDEN = ("schedule", "decision", "budget")


@dataclass(frozen=True, slots=True)
class Key:
    """One setting of the file. `path` is ("decision", "alpha"), with "targets[]" for every target.

    `words` says what its value must be, `default` is as the file would write it, None also where `required`.
    `block` is True where the value is a block whose own keys follow.
    """

    path: tuple[str, ...]
    words: str
    default: Any
    required: bool
    block: bool
    description: str


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_file_schema()}


@cache
def _file_schema() -> dict[str, Any]:
    schema = Config.model_json_schema()
    blocks, properties = schema["$defs"], schema["properties"]
    total = properties.pop("total_budget")
    blocks["BudgetWithTotal"] = {**blocks["Budget"], "properties": {**blocks["Budget"]["properties"], "total": total}}
    properties["budget"]["$ref"] = "#/$defs/BudgetWithTotal"
    for name in _OVERRIDDEN:
        blocks["Target"]["properties"][name]["default"] = {}
    properties["targets"]["minItems"] = 1
    del properties["targets"]["default"]
    schema |= {"required": ["targets"], "title": "model-drift-exporter config", "description": "The config file of model-drift-exporter."}
    for block in (schema, *blocks.values()):
        for name, part in block.get("properties", {}).items():
            _tidy(name, part)
    return schema


def _tidy(name: str, part: dict[str, Any]) -> None:
    """Write a default as the file would, and drop a title that only repeats the key's name."""
    if part.get("title") == _DURATION and "default" in part:
        part["default"] = format_duration(part["default"])
    if "$ref" in part:
        part["default"] = {}
    if part.get("title", "").replace(" ", "_").lower() == name:
        del part["title"]


def schema_at(path: KeyPath, root: dict[str, Any] | None = None) -> dict[str, Any]:
    """Schema of the key at `path`, references followed; empty where nothing is known of it. `root` is that of another file, inlined."""
    schema: dict[str, Any] = _file_schema() if root is None else root
    for part in path:
        for form in _forms(schema):
            below = form.get("items") if isinstance(part, int) else form.get("properties", {}).get(part, form.get("additionalProperties"))
            if isinstance(below, dict):
                schema = below
                break
        else:
            return {}
    return _followed(schema)


def known_keys(path: KeyPath, root: dict[str, Any] | None = None) -> tuple[str, ...]:
    """The keys that the block at `path` may have."""
    return tuple(key for form in _forms(schema_at(path, root)) for key in form.get("properties", {}))


def file_keys(root: dict[str, Any] | None = None) -> tuple[Key, ...]:
    """Every setting of the file, in the order of the model."""
    return tuple(_keys(_file_schema() if root is None else root, ()))


def inlined_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of another file, with what it refers to in place of each reference."""
    schema = model.model_json_schema()
    blocks = schema.pop("$defs", {})

    def inline(part: Any) -> Any:
        if isinstance(part, list):
            return [inline(item) for item in part]
        if not isinstance(part, dict):
            return part
        block = blocks[part["$ref"].rpartition("/")[2]] if "$ref" in part else {}
        for name, below in block.get("properties", {}).items():
            _tidy(name, below)
        return {key: inline(below) for key, below in {**block, **part}.items() if key != "$ref"}

    for name, part in schema["properties"].items():
        _tidy(name, part)
    inlined: dict[str, Any] = inline(schema)
    return inlined


def words(schema: dict[str, Any]) -> str:
    """What a value must be, as people say it: "a whole number from 1 to 10"."""
    forms = [_words(form) for form in _forms(schema)]
    return " or ".join(part for part in (", ".join(forms[:-1]), forms[-1]) if part)


def _words(form: dict[str, Any]) -> str:
    if form.get("title") == _DURATION:
        return "a duration"
    if "const" in form:
        return str(form["const"])
    if "enum" in form:
        return f"one of {', '.join(form['enum'])}" if len(form["enum"]) > 1 else str(form["enum"][0])
    match form.get("type"):
        case "string":
            return "text"
        case "boolean":
            return "true or false"
        case "integer":
            return f"a whole number{_range(form, smallest=1)}"
        case "number":
            return f"a number{_range(form, smallest=None)}"
        case "array":
            return f"a list of {_plural(form['items'])}"
        case "null":
            return "null"
        case _:
            texts = isinstance(form.get("additionalProperties"), dict)
            return "a mapping of names to text" if texts else "a mapping"


def _plural(schema: dict[str, Any]) -> str:
    form = _followed(schema)
    if form.get("type") == "integer":
        return f"whole numbers{_range(form, smallest=1)}"
    if form.get("type") == "object":
        return "mappings"
    return f"text, each {_words(form)}" if "enum" in form else "text"


def _range(form: dict[str, Any], smallest: int | None) -> str:
    """The limits in words, a space in front; `smallest` is what an exclusive minimum of a whole number is short of its least value."""
    low, above, high, below = (form.get(name) for name in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"))
    if smallest is not None and above is not None:
        low, above = above + smallest, None
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    start = f"of at least {low:,}" if low is not None else f"above {above:,}" if above is not None else ""
    end = f"at most {high:,}" if high is not None else f"below {below:,}" if below is not None else ""
    text = " and ".join(part for part in (start, end) if part)
    return f" {text}" if text else ""


def _forms(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The alternatives of a schema, flat, references followed."""
    schema = _followed(schema)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    return [form for alternative in alternatives for form in _forms(alternative)] if alternatives else [schema]


def _followed(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    return {**_file_schema()["$defs"][reference.rpartition("/")[2]], **schema} if reference else schema


def _keys(schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[Key]:
    for name, part in schema["properties"].items():
        required = name in schema.get("required", ())
        blocks = [form for form in _forms(part) if "properties" in form]
        override = bool(path) and path[0] == "targets[]" and name in _OVERRIDDEN
        below = _followed(part["items"]) if name == "targets" else next(iter(blocks), None)
        yield Key((*path, name), words(part), part.get("default"), required, below is not None and not override, part["description"])
        if below is not None and not override:
            yield from _keys(below, (*path, "targets[]" if name == "targets" else name))
