"""YAML text to plain values and back. The only place of this room that knows YAML.

Values are read by the core schema of YAML 1.2: `no` is text, `1e-6` is a number, a date is text. Anchors, aliases and merge
keys work. Every key's line is kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from exporter.config.build import build_config
from exporter.config.complaints import Complaints
from exporter.config.model import Config
from exporter.config.places import KeyPath
from exporter.config.yaml_faults import DEEPEST, TOO_DEEP, explain_syntax
from exporter.errors import ConfigError, Problem, split_told

_MISSING_FIX = "name another with --config.file, or write one: model-drift-exporter config --example > config.yml"
_LARGEST_MIB = 4
_MOST_VALUES = 50_000
_LONGEST_NUMBER = 100
_TAG = "tag:yaml.org,2002:"
_PATTERNS = {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
    "merge": r"<<",
}


class _Reader(yaml.SafeLoader):
    """Composes nodes only; values are made by `_Document`."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.depth += 1
        if self.depth > DEEPEST + 1:
            raise yaml.MarkedYAMLError(problem=TOO_DEEP, problem_mark=self.get_mark())
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


class _Writer(yaml.SafeDumper):
    """Quotes whatever `_Reader` would not read as text, writes texts of several lines in lines, and no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(writer: _Writer, text: str) -> yaml.ScalarNode:
    return writer.represent_scalar(f"{_TAG}str", text, style="|" if "\n" in text else None)


_Writer.add_representer(str, _represent_text)
_Reader.yaml_implicit_resolvers = {}
for _kind, _pattern in _PATTERNS.items():
    _Reader.add_implicit_resolver(_TAG + _kind, re.compile(f"(?:{_pattern})$"), None)
for _kind in ("int", "float"):
    _Writer.add_implicit_resolver(_TAG + _kind, re.compile(f"(?:{_PATTERNS[_kind]})$"), list("-+.0123456789"))


def load_config(path: Path, *, with_keys: bool = True) -> Config:
    """The configuration in a file. Raises ConfigError with everything that is wrong, in the order of the file.

    Relative paths in it (`api_key_file`) start at the file's folder. Key files and variables are looked at, not kept;
    without `with_keys` they are not, for who asks no model.
    """
    return parse_config(read_text(path, _MISSING_FIX), str(path), path.parent, with_keys=with_keys)


def parse_config(text: str, where: str, folder: Path = Path(), *, with_keys: bool = True) -> Config:
    """The configuration in a text; `where` names the text in messages. Raises ConfigError as `load_config` does."""
    complaints = Complaints(where)
    return build_config(_Document(complaints).read(text), complaints, folder, with_keys=with_keys)


def parse_values(text: str, complaints: Complaints) -> object:
    """The plain values of a text, their lines in `complaints`, where lesser faults end too. Raises ConfigError if it is no YAML."""
    return _Document(complaints).read(text)


def dump_yaml(data: object) -> str:
    """Plain values as YAML in block style, keys in their own order."""
    return yaml.dump(data, Dumper=_Writer, sort_keys=False, allow_unicode=True, width=1000)


def flow_yaml(value: object) -> str:
    """One plain value as YAML on one line."""
    text = yaml.dump(value, Dumper=_Writer, default_flow_style=True, sort_keys=False, allow_unicode=True, width=1_000_000)
    return text.removesuffix("\n").removesuffix("\n...")


def read_text(path: Path, missing_fix: str, *, largest_mib: int = _LARGEST_MIB) -> str:
    """The text of a config file. Raises ConfigError where it cannot be read; `missing_fix` is what to do where there is none."""
    largest_bytes = largest_mib << 20
    try:
        with path.open("rb") as file:
            data = file.read(largest_bytes + 1)
    except FileNotFoundError:
        raise ConfigError(Problem(str(path), "no such file", missing_fix)) from None
    except IsADirectoryError:
        raise ConfigError(Problem(str(path), "is a directory", "name the config file in it")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a usable path"
        raise ConfigError(Problem(str(path), f"cannot be read ({reason})", "check the path and its permissions")) from None
    if len(data) > largest_bytes:
        raise ConfigError(Problem(str(path), f"larger than {largest_mib} MiB", "name a config file"))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(Problem(f"{path}:{line}", "not UTF-8 text", "save the file as UTF-8")) from None


class _Document:
    """One YAML text: its values, and the line of each in `complaints`."""

    def __init__(self, complaints: Complaints) -> None:
        self._complaints = complaints
        self._values = 0

    def read(self, text: str) -> object:
        """Plain values, None for an empty text. Raises ConfigError where the text is not YAML; lesser faults become complaints."""
        try:
            node = yaml.compose(text, Loader=_Reader)
        except yaml.MarkedYAMLError as error:
            raise self._unreadable(*_syntax(error)) from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise self._unreadable(line, f"holds the control character U+{ord(text[error.position]):04X}", "remove it") from None
        return None if node is None else self._value(node, ())

    def _unreadable(self, line: int, what: str, fix: str) -> ConfigError:
        return ConfigError(Problem(f"{self._complaints.file}:{line}", what, fix))

    def _value(self, node: yaml.Node, path: KeyPath) -> object:
        line = node.start_mark.line + 1
        self._complaints.lines.setdefault(path, line)
        self._values += 1
        if self._values > _MOST_VALUES:
            raise self._unreadable(line, f"more than {_MOST_VALUES} values once aliases are followed", "use fewer aliases")
        if len(path) > DEEPEST:
            raise self._unreadable(line, "an alias inside its own anchor", "write the value out")
        if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
            return [self._value(item, (*path, index)) for index, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag.removeprefix(_TAG) in _SCALARS:
            try:
                return _SCALARS[node.tag.removeprefix(_TAG)](node.value)
            except ValueError as error:
                self._complaints.add(path, *split_told(error))
                return _encodable(node.value)
        self._complaints.add(path, "has a tag (a word with ! in front) that is not known here", "remove the tag")
        return _encodable(node.value) if isinstance(node, yaml.ScalarNode) else None

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, object]:
        values: dict[str, object] = {}
        for key_node, value_node in self._entries(node, path, set(), len(path)):
            key = key_node.value
            self._complaints.lines[*path, key] = key_node.start_mark.line + 1
            values[key] = self._value(value_node, (*path, key))
        return values

    def _entries(self, node: yaml.MappingNode, path: KeyPath, seen: set[str], depth: int) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        """The mapping's own entries, then those of `<<` that it does not have itself."""
        if depth > DEEPEST:
            raise self._unreadable(node.start_mark.line + 1, "an alias inside its own anchor", "write the value out")
        merged: list[yaml.Node] = []
        own: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag == _TAG + "merge":
                merged += value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
            elif not isinstance(key_node, yaml.ScalarNode):
                self._complaints.add(path, "has a key that is a list or a mapping", "write keys as plain words", line)
            elif key_node.value != _encodable(key_node.value):
                self._complaints.add(path, "has a key with half of a surrogate pair", "remove it", line)
            elif key_node.value in own:
                twice = f"written twice, first on line {own[key_node.value]}"
                self._complaints.add((*path, key_node.value), twice, "remove one", line)
            else:
                own[key_node.value] = line
                if key_node.value not in seen:
                    yield key_node, value_node
        seen.update(own)
        for source in merged:
            if isinstance(source, yaml.MappingNode):
                yield from self._entries(source, path, seen, depth + 1)
            else:
                self._complaints.add(
                    path, "<< merges something that is not a mapping", "merge an alias (*name) of a mapping", source.start_mark.line + 1
                )


def _syntax(error: yaml.MarkedYAMLError) -> tuple[int, str, str]:
    """Line, what and how to mend it."""
    line, context_line = (mark.line if mark else None for mark in (error.problem_mark, error.context_mark))
    return explain_syntax(error.problem or "", line, context_line)


def _null(text: str) -> None:
    return None


def _bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("is not true or false; remove the tag")
    return text.lower() == "true"


def _int(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError("has too many digits; write a smaller number")
    try:
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    except ValueError:
        raise ValueError("is not a whole number; remove the tag") from None


def _float(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError("is not a number; remove the tag") from None
    if not math.isfinite(number) or len(text) > _LONGEST_NUMBER:
        raise ValueError("is not a number that can be used; write a smaller one")
    return number


def _text(text: str) -> str:
    if text != _encodable(text):
        raise ValueError("holds half of a surrogate pair; remove it")
    return text


def _encodable(text: str) -> str:
    return text.encode(errors="replace").decode()


_SCALARS: dict[str, Callable[[str], object]] = {"null": _null, "bool": _bool, "int": _int, "float": _float, "str": _text, "merge": _text}
