"""Which part of an answer is graded."""

from __future__ import annotations

from dataclasses import dataclass

from exporter.records import Answer, Extract
from exporter.suites.answer_line import find_answer
from exporter.suites.text import canonical_json, clean, drop_thoughts, fenced_blocks


@dataclass(frozen=True, slots=True)
class Extracted:
    """The graded part. Where an ANSWER line was asked for and none came, `text` is the whole answer."""

    text: str
    answer_line_missing: bool = False


def extract(part: Extract, answer: Answer) -> Extracted:
    """The graded part of an answer. A closed block of thoughts before it (`</think>`) is dropped first."""
    whole = drop_thoughts(clean(answer.text)).strip()
    match part:
        case Extract.ANSWER_LINE:
            found = find_answer(whole)
            return Extracted(whole, answer_line_missing=True) if found is None else Extracted(found)
        case Extract.FULL:
            return Extracted(whole)
        case Extract.CODE:
            blocks = fenced_blocks(whole)
            return Extracted(blocks[-1] if blocks else whole)
        case Extract.TOOL_CALL:
            calls = [{"name": call.name, "arguments": call.arguments} for call in answer.tool_calls]
            try:
                return Extracted(canonical_json(calls))
            except RecursionError:
                return Extracted("arguments nested past all reason")
