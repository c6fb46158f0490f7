from __future__ import annotations

import pytest

from exporter.suites.dress import drop_bullet, drop_full_stop, drop_tags, undress, unwrap_latex


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("**`42`**", "42"),
        ("“**42**.”", "42"),
        (r"$$\boxed{\mathbf{42}}$$", "42"),
        (r"\fbox{42}", "42"),
        (r"\boxed{42", r"\boxed{42"),
        ("2**3 and 4**5", "2**3 and 4**5"),
        ("**a** and **b**", "a and b"),
        ("'tis", "'tis"),
        ("$5 or $6", "$5 or $6"),
        ("```", ""),
        ("---", ""),
        ("$$", ""),
        (" ", ""),
    ],
)
def test_undress_leaves_the_bare_answer(text: str, bare: str) -> None:
    assert undress(text) == bare


def test_eight_layers_come_off_and_no_more() -> None:
    assert undress(r"\text{" * 8 + "42" + "}" * 8) == "42"
    assert undress(r"\text{" * 9 + "42" + "}" * 9) == r"\text{42}"


@pytest.mark.parametrize(
    ("line", "bare"), [("> - 42", "42"), ("## 42", "42"), ("12) 42", "42"), ("-42", "-42"), ("3.5", "3.5"), ("**42**", "**42**")]
)
def test_drop_bullet_takes_marks_but_no_part_of_the_answer(line: str, bare: str) -> None:
    assert drop_bullet(line) == bare


def test_only_one_full_stop_is_dropped_and_no_ellipsis() -> None:
    assert [drop_full_stop(text) for text in ("yes.", "はい。", "and so on...", "yes")] == ["yes", "はい", "and so on...", "yes"]


def test_only_tags_that_format_are_dropped() -> None:
    assert drop_tags("<STRONG>1</strong> <br/> <td> a < b") == "1  <td> a < b"


def test_text_commands_are_opened_and_signs_unescaped() -> None:
    assert unwrap_latex(r"\$5 \text{ or } \mathrm{6}\% of \frac{1}{2}") == r"$5  or  6% of \frac{1}{2}"
