from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.suites.number_forms import read_number

READ = {
    "42": "42",
    "+42": "42",
    "-42": "-42",
    "−42": "-42",
    "–42": "-42",
    "- 42": "-42",
    "minus 42": "-42",
    "マイナス42": "-42",
    "007": "7",
    "42.": "42",
    "42.00": "42",
    ".5": "0.5",
    "1,234": "1234",
    "1,234,567.89": "1234567.89",
    "1 234": "1234",
    "1\u2009234\u2009567": "1234567",
    "1\u00a0234": "1234",
    "1\u202f234,5": "1234.5",
    "1'234": "1234",
    "1’234.5": "1234.5",
    "1_234": "1234",
    "１，２３４．５": "1234.5",
    "٣٤": "34",
    "1.234,5": "1234.5",
    "1.234.567": "1234567",
    "1.234": "1.234",
    "3,14": "3.14",
    "0,125": "0.125",
    "1234,567": "1234.567",
    "$134{,}022$": "134022",
    r"134{,}022": "134022",
    r"134\,022": "134022",
    r"134,\!022": "134022",
    "$42": "42",
    "-$42": "-42",
    "$-42": "-42",
    "€42.50": "42.50",
    "￥1,200": "1200",
    "USD 42": "42",
    "42 €": "42",
    "42 EUR": "42",
    "42円": "42",
    "1.34e5": "134000",
    "1.34E+05": "134000",
    "1.34 × 10^5": "134000",
    "1.34 x 10^5": "134000",
    "1.34*10**5": "134000",
    r"1.34 \times 10^{5}": "134000",
    r"$1.34 \cdot 10^{-5}$": "0.0000134",
    "1.34 × 10⁵": "134000",
    "1.34×10⁻⁵": "0.0000134",
    "10^5": "100000",
    "-10⁵": "-100000",
    "42 km": "42",
    "42km": "42",
    "42 km.": "42",
    r"42\text{ km}": "42",
    "3つ": "3",
    "448分": "448",
    "x = 42": "42",
    "6 × 7 = 42": "42",
    r"\approx 3.14": "3.14",
    "~3.14": "3.14",
    "(42)": "42",
    "**42**": "42",
    "448 minutes (7 h 28 min)": "448",
}

NOT_READ = [
    "",
    "-",
    "forty-two",
    "about 42",
    "42 or 43",
    "42, 43",
    "42 43",
    "1 2",
    "12 34",
    "1,2,3",
    "12,34,5",
    "1,234 567",
    "1,5.2",
    "1,234.567.8",
    "0 123",
    "1..2",
    "--42",
    "-$-42",
    "1.34 × 105",
    "1.34 × 10",
    "1e401",
    "1e-401",
    "42 million",
    "42k",
    "42 M",
    "13万",
    "13億",
    "3 dozen",
    "42 square metres",
    "42%",
    "42 m²",
    "0x2A",
    "①",
    "H₂",
    "½",
    "3/4",
    r"\frac{3}{4}",
    "12:30",
    "2024-06-04",
    "nan",
    "inf",
    "1" * 201,
]


@pytest.mark.parametrize(("text", "value"), READ.items(), ids=repr)
def test_a_number_is_read_in_every_form(text: str, value: str) -> None:
    assert read_number(text) == Fraction(value)


@pytest.mark.parametrize("text", NOT_READ, ids=repr)
def test_what_cannot_be_read_for_sure_is_not_read(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize("text", ["3/4", "6/8", " 3 / 4 ", r"\frac{3}{4}", r"$\dfrac{3}{4}$", "¾", "0.75", "0,75", "x = 3/4"])
def test_fractions_are_read_where_asked_for(text: str) -> None:
    assert read_number(text, fractions=True) == Fraction(3, 4)


@pytest.mark.parametrize(("text", "value"), [("1 3/4", "7/4"), ("1¾", "7/4"), ("-3/4", "-3/4"), ("42", "42")])
def test_mixed_and_negative_fractions(text: str, value: str) -> None:
    assert read_number(text, fractions=True) == Fraction(value)


def test_a_fraction_over_nothing_is_not_read() -> None:
    assert read_number("3/0", fractions=True) is None


@pytest.mark.parametrize(
    ("text", "read"),
    [("42", True), ("42%", True), ("42 %", True), ("42 km²", True), ("42 km^2", True), ("42 km", False), ("42 €", False), ("42 KM²", True)],
)
def test_listed_units_are_the_only_ones(text: str, read: bool) -> None:
    assert (read_number(text, units=["%", "km²"]) is not None) == read


def _superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


INTEGER_FORMS = {
    "plain": str,
    "commas": "{:,}".format,
    "underscores": "{:_}".format,
    "spaces": lambda n: f"{n:,}".replace(",", " "),
    "thin spaces": lambda n: f"{n:,}".replace(",", "\u2009"),
    "no-break spaces": lambda n: f"{n:,}".replace(",", "\u00a0"),
    "narrow no-break spaces": lambda n: f"{n:,}".replace(",", "\u202f"),
    "apostrophes": lambda n: f"{n:,}".replace(",", "’"),
    "LaTeX": lambda n: f"${n:,}$".replace(",", "{,}"),
    "LaTeX thin spaces": lambda n: f"{n:,}".replace(",", r"\,"),
    "full width": lambda n: "".join(chr(ord(c) + 0xFEE0) for c in f"{n:,}"),
    "minus sign": lambda n: str(n).replace("-", "−"),
    "en dash": lambda n: str(n).replace("-", "–"),
    "unit": lambda n: f"{n:,} km",
    "dollars": lambda n: f"${n:,}".replace("$-", "-$"),
    "yen": "{}円".format,
    "decimals": "{:,}.00".format,
    "decimal comma": lambda n: f"{n:,}".replace(",", " ") + ",0",
    "full stop": "{}.".format,
    "bold": "**{}**".format,
}


@given(st.integers(-(10**30), 10**30), st.sampled_from(sorted(INTEGER_FORMS)))
def test_every_whole_number_is_read_in_every_form(number: int, form: str) -> None:
    assert read_number(INTEGER_FORMS[form](number)) == number


@given(st.decimals(-(10**12), 10**12, places=4).filter(lambda d: d == d), st.sampled_from(["english", "european", "spaces", "plain"]))
def test_every_decimal_is_read_with_either_decimal_separator(number: object, form: str) -> None:
    written = f"{number:,.4f}"
    forms = {
        "english": written,
        "european": written.translate(str.maketrans(",.", ".,")),
        "spaces": written.replace(",", " ").replace(".", ","),
        "plain": written.replace(",", ""),
    }
    assert read_number(forms[form]) == Fraction(str(number))


@given(
    st.integers(-999_999, 999_999), st.integers(-30, 30), st.sampled_from(["e", "E", " × 10^", r" \times 10^{", " x 10**", " superscript"])
)
def test_every_power_of_ten_is_read(mantissa: int, power: int, form: str) -> None:
    written = f"{mantissa}{form}{power}" + ("}" if "{" in form else "")
    if form == " superscript":
        written = f"{mantissa} × 10{_superscript(power)}"
    assert read_number(written) == mantissa * Fraction(10) ** power


@given(st.text(max_size=250) | st.text("0123456789.,'_ -+e×^{}()$€/=½⁵₂万k", max_size=40))
def test_reading_never_raises(text: str) -> None:
    for fractions in (False, True):
        assert isinstance(read_number(text, fractions=fractions), Fraction | None)
