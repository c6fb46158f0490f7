"""Finding the answer on the line that the instruction asks for, in whatever dress models put it.

The last line that begins with ANSWER: (after decoration) and holds a real answer counts; an echoed template never does. Only
where there is none, an ANSWER: in capitals in the middle of a line counts. All work is bounded: linear time on hostile text.
"""

from __future__ import annotations

from exporter.suites.dress import drop_bullet, drop_full_stop, drop_tags, undress
from exporter.suites.patterns import compile_pattern

_LONGEST_LINE = 10_000
_MOST_MARKERS = 1000
_MOST_LINES_BELOW = 8

_FULL_WIDTH = str.maketrans("".join(map(chr, range(0xFF01, 0xFF5F))) + "\u3000", "".join(map(chr, range(0x21, 0x7F))) + " ")
_AT_START = compile_pattern(
    r"""(?i)^[^\p{L}]*(?:\\[a-z]+\s*\{[^\p{L}]*)*"""  # decoration, LaTeX commands included
    r"""(?:(?:my |the )?final[\s*_]+)?answer[\s*_`"'’”」』)\]}]*:"""
)
_IN_LINE = compile_pattern(r"[^A-Za-z0-9_]ANSWER[*_`]*\s?:")
_CLOSERS = {
    **dict(zip("([{「『【（<“‘«", ")]}」』】）>”’»", strict=True)),
    **{character: character for character in "*_`\"'|$"},
}
_PLACEHOLDER_OPENERS = "<[({＜〈《【（「…"
_PLACEHOLDER_EDGE = " <>[](){}＜＞〈〉《》【】（）「」.…。_*`\"'\\"
_PLACEHOLDER_NOUNS = frozenset({"answer", "integer", "number", "result", "value", "word"})
_PLACEHOLDER_WORDS = _PLACEHOLDER_NOUNS | {"a", "an", "correct", "final", "goes", "here", "just", "my", "only", "single", "the", "your"}
_PLACEHOLDER_JA = ("答え", "回答", "解答")


def find_answer(text: str) -> str | None:
    """The answer without its dress, or None where no line holds one."""
    lines = text.split("\n")
    folded_lines = _narrow(text).lower().split("\n")
    in_line: str | None = None
    markers = 0
    for index in range(len(lines) - 1, -1, -1):
        if "answer" not in folded_lines[index]:
            continue
        markers += 1
        if markers > _MOST_MARKERS:
            break
        line = drop_tags(lines[index][-_LONGEST_LINE:])
        content = _content_at_start(line)
        if content is not None:
            found = undress(content) or _answer_below(lines, index)
            if found and not is_placeholder(found):
                return found
        elif in_line is None:
            in_line = _content_in_line(line)
    return in_line


def is_placeholder(text: str) -> bool:
    """Whether this only stands where an answer should: an ellipsis, "<your answer>", "[number]", "<答え>"."""
    inner = text.strip(_PLACEHOLDER_EDGE)
    if not inner:
        return any(mark in text for mark in ".…_")
    bracketed = text.lstrip("\\ \"'`")[:1] in _PLACEHOLDER_OPENERS
    words = inner.casefold().split()
    if bracketed and any(word in inner for word in _PLACEHOLDER_JA):
        return True
    if not _PLACEHOLDER_WORDS.issuperset(words):
        return False
    return words[:2] == ["your", "answer"] or (bracketed and not _PLACEHOLDER_NOUNS.isdisjoint(words))


def _narrow(text: str) -> str:
    return text if text.isascii() else text.translate(_FULL_WIDTH)


def _content_at_start(line: str) -> str | None:
    folded = _narrow(line)
    spans = _AT_START.spans(folded)
    if not spans:
        return None
    end = spans[0][1]
    word = folded.lower().rfind("answer", 0, end)
    closers = _open_at(drop_bullet(line[:word]))
    for character in line[word + len("answer") : end - 1]:
        if character in closers:
            closers.remove(character)
    return _close(line[end:], closers)


def _content_in_line(line: str) -> str | None:
    spans = _IN_LINE.spans(_narrow(line))
    if not spans:
        return None
    start = spans[-1][0] + 1
    while start and not line[start - 1].isalnum() and not line[start - 1].isspace():
        start -= 1
    found = undress(_content_at_start(line[start:]) or "")
    return found if found and not is_placeholder(found) else None


def _open_at(prefix: str) -> list[str]:
    """The closing marks that the decoration before the marker waits for, the outermost first."""
    closers: list[str] = []
    for character in prefix:
        if character in _CLOSERS:
            closers.append(_CLOSERS[character])
        elif character in closers:
            closers.remove(character)
    return closers


def _close(content: str, closers: list[str]) -> str:
    """What follows the marker without the closing marks of decoration that was opened before it."""
    while closers and content.lstrip()[:1] in closers:
        content = content.lstrip()
        closers.remove(content[0])
        content = content[1:]
    if closers:
        content = drop_full_stop(content.rstrip())
    for closer in closers:
        if content.rstrip("\\ ").endswith(closer):
            content = content.rstrip("\\ ")[: -len(closer)]
    return content


def _answer_below(lines: list[str], index: int) -> str:
    """The first line below the marker that says anything; empty where another marker comes first."""
    for line in lines[index + 1 : index + 1 + _MOST_LINES_BELOW]:
        line = drop_tags(line[-_LONGEST_LINE:])
        if _content_at_start(line) is not None:
            return ""
        found = undress(drop_bullet(line))
        if found:
            return found
    return ""
