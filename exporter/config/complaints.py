"""What is wrong with a file, collected: every complaint with its line, said in words of the file.

Nothing of what pydantic says reaches a person, and no value of a key that may hold a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic_core import ErrorDetails

from exporter.config.places import KeyPath, Places
from exporter.config.schema import file_keys, known_keys, schema_at, words
from exporter.config.words import closest, kind, quote
from exporter.errors import ConfigError, Problem, split_told

_NEVER_SHOWN = frozenset(
    {"headers", "extra_body", "api_key_file", "api_key_env", "seed_file", "base_url", "storage", "storage_password_file"}
)


class Complaints:
    """Complaints about one file. `lines` is filled by the reader of the file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[KeyPath, int] = {}
        self._found: dict[tuple[KeyPath, int | None], tuple[int, Problem]] = {}

    @property
    def places(self) -> Places:
        """The line of every setting."""
        return Places(self.file, self.lines)

    def add(self, path: KeyPath, what: str, fix: str, line: int | None = None) -> None:
        """One complaint, about the key at `path`; `line` where it is not the key's own. Only the first about a key in a line counts."""
        places = self.places if line is None else Places(self.file, {(): line})
        self._found.setdefault((path, line), (places.line(*path) or 0, Problem(places.locate(*path), what, fix)))

    def __bool__(self) -> bool:
        return bool(self._found)

    def error(self) -> ConfigError:
        """All complaints, in the order of the file."""
        return ConfigError([problem for _, problem in sorted(self._found.values(), key=lambda found: found[0])])


def explain(error: ErrorDetails, path: KeyPath, data: object, shape: Shape | None = None) -> tuple[str, str]:
    """What is wrong with the key at `path` of `data`, and how to mend it, for an error that pydantic found there."""
    shape = shape or _CONFIG_FILE
    match error["type"]:
        case "missing":
            return "missing", f"add it: {_meaning(path)}"
        case "extra_forbidden":
            return shape.unknown(path)
        case "value_error":
            return split_told(error["ctx"]["error"])
        case "string_too_short" | "too_short":
            return _empty(path, shape)
        case "string_too_long" | "too_long":
            return f"longer than {error['ctx']['max_length']} characters", "shorten it"
    value = value_at(data, path)
    if value is None:
        return _empty(path, shape)
    schema = schema_at(path, shape.root)
    shown = kind(value) if shape.never_shown.intersection(path) else quote(value)
    return f"must be {words(schema)}, not {shown}", _hint(value, words(schema), schema.get("enum", ()))


def _empty(path: KeyPath, shape: Shape) -> tuple[str, str]:
    required = path[-1] in schema_at(path[:-1], shape.root).get("required", ())
    return "empty", "give it a value" if required else "give it a value, or remove the line"


def _hint(value: object, wanted: str, choices: Iterable[str]) -> str:
    if wanted.startswith("text") and isinstance(value, bool | int | float):
        return "put it in quotes"
    if wanted.startswith("a list") and isinstance(value, str):
        return "put it in brackets"
    near = closest(value, choices) if isinstance(value, str) else None
    return f"did you mean {near}?" if near else ""


def _meaning(path: KeyPath) -> str:
    description = str(schema_at(path).get("description", "")).rstrip(".")
    return description[:1].lower() + description[1:]


def _unknown(path: KeyPath) -> tuple[str, str]:
    key = str(path[-1])
    if key in ("api_key", "key", "apikey", "token"):
        return "unknown key", "keys are not written into this file: use api_key_file or api_key_env"
    if elsewhere := [known for known in file_keys() if known.path[-1] == key]:
        return "unknown key here", f"it belongs at {'.'.join(elsewhere[0].path)}"
    if near := closest(key, known_keys(path[:-1])):
        return "unknown key", f"did you mean {near}?"
    return "unknown key", "remove it; model-drift-exporter config --example shows every key"


@dataclass(frozen=True, slots=True)
class Shape:
    """What complaints need to know of a kind of file: what is said of an unknown key, whose values are never shown, and its schema.

    Without `root` the schema is the config file's.
    """

    unknown: Callable[[KeyPath], tuple[str, str]]
    never_shown: frozenset[str]
    root: dict[str, Any] | None = None


_CONFIG_FILE = Shape(_unknown, _NEVER_SHOWN)


def value_at(data: object, path: KeyPath) -> object:
    """The plain value at `path`; None where there is none."""
    for part in path:
        match data, part:
            case dict(), str() if part in data:
                data = data[part]
            case list(), int() if part < len(data):
                data = data[part]
            case _:
                return None
    return data
