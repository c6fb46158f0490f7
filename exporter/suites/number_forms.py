r"""Reading one number out of a short text. What cannot be read for sure is not read: no guess is ever made.

Separators, with the digits before and behind them:

- Several kinds: the last one is the decimal separator and stands once, the others part groups of three (1,234.5 and 1.234,5).
- Commas alone part groups of three (1,234 is 1234); one comma that cannot do so is a decimal comma (3,14 and 0,125).
- One dot alone is a decimal point (1.234 is not 1234); several dots part groups of three (1.234.567).
- Spaces of any width, apostrophes and underscores only ever part groups of three (1 234, 1'234, 1_234).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from exporter.suites.dress import unwrap_latex
from exporter.suites.text import fold

_LONGEST = 200
_LARGEST_EXPONENT = 400
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_LATEX = (
    ("{,}", ","),
    ("{.}", "."),
    (r"\!", ""),
    (r"\times", "×"),
    (r"\cdot", "×"),
    (r"\approx", "≈"),
    *((space, " ") for space in (r"\,", r"\;", r"\:", r"\ ", "~")),
)
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{\s*([0-9]{1,100})\s*\}\s*\{\s*([0-9]{1,100})\s*\}")
_LATEX_EXPONENT = re.compile(r"\^\s*[{(]\s*([-+]?[0-9]{1,9})\s*[)}]")
_REMARK = re.compile(r"\s+\([^()]*\)$")
_AROUND_LEFT = "\"'`*_([{<,:; "
_AROUND_RIGHT = "\"'`*_)]}>.,:;!? "
_SIGN = r"(?P<sign>-|\+|minus |マイナス)?\s*"
_NUMBER = re.compile(
    _SIGN + r"(?:(?:[€£¥₩₹]|us|usd|eur|gbp|jpy)\s*)?(?P<inner>-)?"
    r"(?P<digits>\.?[0-9](?:[0-9.,'_ ]*[0-9])?)"
    r"(?:e(?P<e>[-+]?[0-9]{1,9})|\s*[x×*·]\s*10\s*(?:\^|\*\*)\s*(?P<ten>[-+]?[0-9]{1,9}))?"
    r"(?:\s*(?P<unit>\D.*))?"
)
_POWER = re.compile(_SIGN + r"10\s*(?:\^|\*\*)\s*(?P<ten>[-+]?[0-9]{1,9})")
_FRACTION = re.compile(_SIGN + r"(?:(?P<whole>[0-9]{1,100})\s+)?(?P<over>[0-9]{1,100})\s*/\s*(?P<under>[0-9]{1,100})")
_GROUPS = {separator: re.compile(rf"[1-9][0-9]{{0,2}}(?:{re.escape(separator)}[0-9]{{3}})+") for separator in ",.'_ "}
_SCALES = frozenset(
    {"k", "m", "mn", "mio", "mrd", "bn", "tn", "dozen", "half", "hundred", "lakh", "crore"}
    | {scale + plural for scale in ("thousand", "million", "billion", "trillion") for plural in ("", "s")}
)
_SCALES_JA = "十百千万億兆割半"


def read_number(text: str, *, fractions: bool = False, units: Sequence[str] = ()) -> Fraction | None:
    r"""The number that the text is, or None.

    Understands signs, separators as told above, 1.34e5, 1.34 × 10^5 (10⁵, \times 10^{5}), LaTeX (134{,}022), digits of any
    script, a currency sign, a unit behind, "x = 42", and a remark in brackets behind. `fractions` adds 3/4, 1 3/4, ¾ and \frac{3}{4}.
    Words that scale (million, 万, k) are not read. `units`: see graders.number.
    """
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    if plain is None:
        return None
    if fractions and (match := _FRACTION.fullmatch(plain)):
        return _fraction(match)
    if match := _POWER.fullmatch(plain):
        return _scaled(Fraction(1), match["sign"], match["ten"])
    match = _NUMBER.fullmatch(plain)
    if match is None or not _unit_allowed((match["unit"] or "").strip(), units) or (match["sign"] and match["inner"]):
        return None
    value = _separated(match["digits"])
    return None if value is None else _scaled(value, match["sign"] or match["inner"], match["e"] or match["ten"])


def _plain(text: str) -> str | None:
    """The text folded to ASCII digits and signs, the decoration gone; None where a digit in it cannot be told for sure."""
    if not text.isascii():
        text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
        text = "".join(_digit(character) for character in text)
        if any(unicodedata.category(character) == "No" for character in text):
            return None
    for written, meant in _LATEX:
        text = text.replace(written, meant)
    text = fold(unwrap_latex(text)).replace("$", "").replace("⁄", "/")
    text = _LATEX_EXPONENT.sub(r"^\1", _LATEX_FRACTION.sub(r"\1/\2", text))
    text = re.split("[=≈]", text)[-1].strip()
    return _REMARK.sub("", text).lstrip(_AROUND_LEFT).rstrip(_AROUND_RIGHT)


def _digit(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if unicodedata.category(character) == "No" and "⁄" in (written := unicodedata.normalize("NFKC", character)):
        return f" {written}"
    return character


def _fraction(match: re.Match[str]) -> Fraction | None:
    if int(match["under"]) == 0:
        return None
    value = int(match["whole"] or 0) + Fraction(int(match["over"]), int(match["under"]))
    return _scaled(value, match["sign"], None)


def _scaled(value: Fraction, sign: str | None, exponent: str | None) -> Fraction | None:
    power = int(exponent or 0)
    if abs(power) > _LARGEST_EXPONENT:
        return None
    return (value if sign in (None, "+") else -value) * Fraction(10) ** power


def _unit_allowed(unit: str, units: Sequence[str]) -> bool:
    if units:
        return not unit or unit in {fold(_SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), known)) for known in units}
    if unit in ("", "€", "£", "¥", "₩", "₹"):
        return True
    return unit.isalpha() and unit not in _SCALES and unit[0] not in _SCALES_JA


def _separated(digits: str) -> Fraction | None:
    """The value of digits with separators in them, by the rules at the top of this module."""
    kinds = {character for character in digits if not character.isdigit()}
    if not kinds:
        return Fraction(int(digits))
    if digits.startswith("."):
        return Fraction("0" + digits) if kinds == {"."} and digits.count(".") == 1 else None
    last = max(digits.rfind("."), digits.rfind(","))
    separator = digits[last] if last >= 0 else ""
    decimal = separator and digits.count(separator) == 1 and _is_decimal(digits, separator, kinds)
    whole, part = (digits[:last], digits[last + 1 :]) if decimal else (digits, "")
    if not (part.isdigit() or not decimal) or not _is_grouped(whole):
        return None
    return Fraction("".join(filter(str.isdigit, whole)) + (f".{part}" if part else ""))


def _is_decimal(digits: str, separator: str, kinds: set[str]) -> bool:
    return separator == "." or len(kinds) > 1 or not _GROUPS[","].fullmatch(digits)


def _is_grouped(whole: str) -> bool:
    return whole.isdigit() or any(groups.fullmatch(whole) for groups in _GROUPS.values())
