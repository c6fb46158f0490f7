"""Label values and names made safe for both exposition formats."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

MAX_PROVIDER_VALUE_CHARACTERS = 128

_LABEL_NAME = re.compile(r"(?!__)[a-zA-Z_][a-zA-Z0-9_]*", re.ASCII)


@lru_cache(maxsize=4096)
def clean_value(text: str) -> str:
    r"""A value that can be encoded as UTF-8: half a surrogate pair becomes its escape (`\ud83d`), all else stays."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def clean_provider_value(text: str) -> str:
    """A value that somebody else wrote: without control characters, cut to MAX_PROVIDER_VALUE_CHARACTERS."""
    printable = "".join(character for character in clean_value(text) if unicodedata.category(character) != "Cc")
    return printable[:MAX_PROVIDER_VALUE_CHARACTERS]


def keep_legal_labels(labels: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """The labels whose names Prometheus accepts and that are not in `taken`."""
    return {name: value for name, value in labels.items() if _LABEL_NAME.fullmatch(name) and name not in taken}


def escape_value(text: str) -> str:
    """A value as it stands between quotes in both exposition formats."""
    return clean_value(text).replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
