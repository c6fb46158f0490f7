"""Taking the dress off an answer: Markdown, LaTeX, HTML tags, quotes, a full stop. Texts here are one line, bounded in length."""

from __future__ import annotations

from exporter.suites.patterns import compile_pattern

_MOST_LAYERS = 8
_TAG = compile_pattern(r"(?i)</?(?:b|strong|i|em|u|p|br|code|span|div|mark)\s*/?>")
_BULLET = compile_pattern(r"^\s*(?:[>#]+\s*)*(?:(?:[*+•-]|\d+[.)])\s+)?")
_ONLY_DRESS = compile_pattern(r"^(?:\*{2,}|(?:```|~~~)[^`~]*|\$+|-{3,}|={3,}|\\[\[\]()])$")
_BOLD_INSIDE = compile_pattern(r"(^|[\s(])\*\*([^\s*][^*]*)\*\*")
_LATEX_TEXT = compile_pattern(r"\\(?:text(?:bf|it|rm|tt)?|math(?:bf|it|rm|tt|sf)|operatorname)\s*\{([^{}]*)\}")
_LATEX_ESCAPE = compile_pattern(r"\\([$%&#_])")
_BOXES = ("\\boxed{", "\\fbox{")
_PAIRS = (
    ("***", "***"),
    ("**", "**"),
    ("*", "*"),
    ("```", "```"),
    ("`", "`"),
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ('"', '"'),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
    ("『", "』"),
)
_OPENING = frozenset(opener[0] for opener, _ in _PAIRS)


def undress(text: str) -> str:
    """The bare answer; empty where there is only dress. Layers may be nested, up to eight deep."""
    if _ONLY_DRESS.matches(text.strip()):
        return ""
    for _ in range(_MOST_LAYERS):
        before = text
        text = drop_full_stop(text.strip())
        text = unwrap_latex(_boxed(text))
        text = _unpair((_BOLD_INSIDE.replace(text, r"\1\2") if "**" in text else text).strip())
        if text == before:
            break
    return text


def drop_bullet(line: str) -> str:
    """The line without its quote marks, heading marks and bullet."""
    spans = _BULLET.spans(line)
    return line[spans[0][1] :] if spans else line


def drop_tags(line: str) -> str:
    """The line without HTML tags that only format."""
    return _TAG.replace(line, "") if "<" in line else line


def drop_full_stop(text: str) -> str:
    """The text without one full stop at its end; an ellipsis stays."""
    if text.endswith(("。", "．")):
        return text[:-1]
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def unwrap_latex(text: str) -> str:
    r"""The text with `\text{…}` and its kin opened and escaped signs (`\$`, `\%`) plain."""
    if "\\" not in text:
        return text
    return _LATEX_ESCAPE.replace(_LATEX_TEXT.replace(text, r"\1"), r"\1")


def _boxed(text: str) -> str:
    """What the last box holds; the text itself where there is no box, or one that is not closed."""
    start = max(text.rfind(box) + len(box) if box in text else -1 for box in _BOXES)
    if start < 0:
        return text
    depth = 1
    for index in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return text[start:index]
    return text


def _unpair(text: str) -> str:
    if text[:1] not in _OPENING:
        return text
    for opener, closer in _PAIRS:
        inner = text[len(opener) : -len(closer)]
        if text.startswith(opener) and text.endswith(closer) and inner.strip() and closer not in inner and opener not in inner:
            return inner
    return text
