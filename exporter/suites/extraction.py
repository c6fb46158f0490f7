"""Which part of an answer is graded."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from exporter.records import Answer, Extract
from exporter.suites.answer_line import find_answer
from exporter.suites.patterns import compile_pattern
from exporter.suites.text import canonical_json, clean, drop_thoughts, fenced_blocks


@dataclass(frozen=True, slots=True)
class Extracted:
    """The graded part. Where an ANSWER line was asked for and none came, `text` is the whole answer."""

    text: str
    answer_line_missing: bool = False


def extract(part: Extract, answer: Answer, function: str | None = None) -> Extracted:
    """The graded part of an answer. A closed block of thoughts before it (`</think>`) is dropped first.

    Of several blocks of code the last counts, or the last that defines `function`: after it there may be examples of its use.
    """
    whole = drop_thoughts(clean(answer.text)).strip()
    match part:
        case Extract.ANSWER_LINE:
            found = find_answer(whole)
            return Extracted(whole, answer_line_missing=True) if found is None else Extracted(found)
        case Extract.FULL:
            return Extracted(whole)
        case Extract.CODE:
            blocks = [dedent(block) for block in fenced_blocks(whole)] or [whole]
            defining = [block for block in blocks if function is not None and _defines(function, block)]
            return Extracted((defining or blocks)[-1])
        case Extract.TOOL_CALL:
            calls = [{"name": call.name, "arguments": call.arguments} for call in answer.tool_calls]
            try:
                return Extracted(canonical_json(calls))
            except RecursionError:
                return Extracted("arguments nested past all reason")


def _defines(function: str, code: str) -> bool:
    return compile_pattern(rf"(?m)^(?:(?:async[ \t]+)?def[ \t]+{function}[ \t]*[(\[]|{function}[ \t]*[:=])").matches(code)
