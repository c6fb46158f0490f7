"""What a table holds, in one number that is the same whichever database holds it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from exporter.store.copies import Rows

_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Digest:
    """How many rows, and the SHA-256 of them, in hex."""

    rows: int
    sha256: str


def digest(parts: Iterable[Rows]) -> Digest:
    """The digest of rows in their order: each as an ASCII JSON array of its columns, followed by a comma.

    JSON tells null, false, 0, "" and "0" apart, and writes a float with the fewest digits that read back as the same float.
    """
    count, hashed = 0, hashlib.sha256()
    for part in parts:
        hashed.update(_ENCODE([tuple(row) for row in part])[1:-1].encode() + b",")
        count += len(part)
    return Digest(count, hashed.hexdigest())
