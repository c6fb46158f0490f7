"""JSON Schema, draft 2020-12, as suites use it: checked when they are loaded, and linear in time where an answer is held to it.

Patterns are RE2's. What could not be held to is refused when the suite is loaded, never passed over: schemas that would have to be
fetched, formats that nobody checks here, patternProperties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import referencing.exceptions
from jsonschema.exceptions import ValidationError, best_match
from referencing.jsonschema import DRAFT202012

from exporter.suites.json_text import normalise
from exporter.suites.patterns import compile_pattern
from exporter.suites.text import canonical_json
from exporter.suites.wording import did_you_mean, show_path

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FORMATS = ("date", "email", "ipv4", "ipv6", "uuid")
"""What `format` may ask for."""

_LONGEST_SAID = 160
_VALUES = frozenset({"const", "enum", "default", "examples"})
"""Keywords whose values are no schemas, whatever they look like."""
_BY_NAME = frozenset({"properties", "$defs", "definitions", "dependentSchemas", "patternProperties"})
"""Keywords whose values hold a schema for each name."""


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise ValueError("what; how to mend it") where this is no schema of the draft, or not one that stands by itself."""
    if schema.get("$schema", DRAFT).rstrip("#") != DRAFT if isinstance(schema.get("$schema", DRAFT), str) else True:
        raise ValueError(f"is of another draft; write it in draft 2020-12 and leave out $schema, or set it to {DRAFT}")
    fault = best_match(jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA).iter_errors(schema))
    if fault is not None:
        place = show_path(tuple(fault.absolute_path))
        raise ValueError(f"is no JSON Schema: {f'{place}: ' if place else ''}{fault.message[:_LONGEST_SAID]}; see json-schema.org")
    resolver = DRAFT202012.create_resource(schema)
    registry = (resolver @ referencing.Registry()) if resolver.id() else referencing.Registry().with_resource("", resolver)
    lookup = registry.resolver(resolver.id() or "").lookup
    for part in _subschemas(schema):
        for keyword in ("$ref", "$dynamicRef"):
            target = part.get(keyword)
            if isinstance(target, str) and not target.startswith("#"):
                raise ValueError(f'refers to "{target}", which would have to be fetched; put it under $defs and refer to "#/$defs/…"')
            if keyword == "$ref" and isinstance(target, str):
                try:
                    lookup(target)
                except referencing.exceptions.Unresolvable:
                    raise ValueError(f'refers to "{target}", which is not in it; put it there') from None


def check_usable(schema: Mapping[str, Any]) -> None:
    """Raise ValueError likewise where an answer could not be held to all of a schema that is sound."""
    for part in _subschemas(schema):
        if "patternProperties" in part:
            raise ValueError("uses patternProperties, which is not held to here; use propertyNames with a pattern")
        asked = part.get("format", FORMATS[0])
        if asked not in FORMATS:
            fix = did_you_mean(str(asked), FORMATS) or f"use pattern, or one of {', '.join(FORMATS)}"
            raise ValueError(f'asks for the format "{asked}", which is not checked here; {fix}')
        if isinstance(pattern := part.get("pattern"), str):
            try:
                compile_pattern(pattern)
            except ValueError as error:
                raise ValueError(f"has a pattern that does not compile: {error}; write it in RE2's syntax") from None


def is_valid(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a JSON value satisfies a schema that was checked. Never raises."""
    try:
        return bool(_Validator(schema, format_checker=_FORMAT_CHECKER).is_valid(value))
    except (ArithmeticError, RecursionError, ValueError, referencing.exceptions.Unresolvable):
        return False


def _subschemas(schema: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        if not isinstance(part, dict):
            continue
        yield part
        for keyword, inner in part.items():
            if keyword in _BY_NAME and isinstance(inner, dict):
                waiting += inner.values()
            elif keyword not in _VALUES:
                waiting.append(inner)


def _match_pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """As jsonschema's own, whose expressions can take time beyond all bounds."""
    if isinstance(value, str) and not compile_pattern(pattern).matches(value.encode("utf-8", "replace").decode()):
        yield ValidationError("does not match")


def _find_twins(validator: Any, wanted: bool, value: Any, schema: Any) -> Iterator[ValidationError]:
    """As jsonschema's own, which compares each item with each where they cannot be sorted."""
    if wanted and isinstance(value, list) and len({canonical_json(normalise(item)) for item in value}) < len(value):
        yield ValidationError("has an item twice")


_FORMAT_CHECKER = jsonschema.FormatChecker(formats=FORMATS)
_Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": _match_pattern, "uniqueItems": _find_twins})  # type: ignore[no-untyped-call]  # its stubs leave it untyped
