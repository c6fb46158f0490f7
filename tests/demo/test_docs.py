from __future__ import annotations

from tests.demo.docs_table import BEGIN, PAGE, with_table


def test_the_table_of_faults_is_the_one_in_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert BEGIN in page
    assert with_table(page) == page
