from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from exporter.suites.graders import read_grader
from exporter.suites.graders.python import Python
from exporter.suites.program import Call, Fault, Program, Raised, Report, Returned, Strange


def grader(*cases: dict[str, Any], **settings: Any) -> Python:
    read = read_grader({"kind": "python", "function": "share", "cases": list(cases), **settings})
    assert isinstance(read, Python)
    return read


def returned(value: Any) -> Report:
    return Report((Returned(value),))


def test_every_case_becomes_a_call() -> None:
    cases = ({"args": [10, 4], "returns": 2.5}, {"args": [10], "kwargs": {"among": 0}, "raises": "ValueError"}, {})
    assert grader(*cases).write_program("def share(): ...") == Program(
        "def share(): ...", "share", (Call((10, 4)), Call((10,), {"among": 0}), Call())
    )


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (None, None),
        (True, True),
        (2, 2),
        (2, 2.0),
        (2.0, 2),
        (0.3, 0.1 + 0.2),
        (1e300, 1e300 + 1e285),
        (10**40, 10**40),
        ("é", "é"),
        ([], []),
        ([1, [2.0, "x"]], [1.0, [2, "x"]]),
        ({"a": {"b": [None]}, "c": 1}, {"c": 1, "a": {"b": [None]}}),
    ],
)
def test_equal_values_are_right(expected: Any, found: Any) -> None:
    assert grader({"returns": expected}).accepts_report(returned(found))


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (None, False),
        (None, 0),
        (None, Strange("object")),
        (True, 1),
        (1, True),
        (0, False),
        (1.0, True),
        (0, None),
        (2, 2.0000000001),
        (2.0, 2.0001),
        (2.0, float("nan")),
        (2.0, float("inf")),
        (2.0, 10**400),
        (2, "2"),
        ("2", 2),
        ("a", "A"),
        ("a", "a "),
        ("", None),
        ([], {}),
        ({}, []),
        ([], None),
        ([1, 2], [2, 1]),
        ([1], [1, 2]),
        ([1, 2], [1]),
        ([1], [True]),
        ([1], Strange("set")),
        ("ab", ["a", "b"]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, [["a", 1]]),
    ],
)
def test_other_values_are_wrong(expected: Any, found: Any) -> None:
    assert not grader({"returns": expected}).accepts_report(returned(found))


def test_tolerance_is_set_by_the_author() -> None:
    assert grader({"returns": 3.14}, tolerance=0.01).accepts_report(returned(3.1416))
    assert not grader({"returns": 3.14}, tolerance=0).accepts_report(returned(3.1400000000001))
    assert not grader({"returns": 3}, tolerance=0.5).accepts_report(returned(3.1))


@pytest.mark.parametrize(
    ("expected", "raised"),
    [("ValueError", "ValueError"), ("ValueError", "JSONDecodeError"), ("LookupError", "KeyError"), ("Exception", "ZeroDivisionError")],
)
def test_an_exception_of_the_kind_is_right(expected: str, raised: str) -> None:
    assert grader({"raises": expected}).accepts_report(Report((Raised(raised),)))


@pytest.mark.parametrize("raised", ["TypeError", "Exception", "KeyError", "SystemExit", "Made up", ""])
def test_another_exception_is_wrong(raised: str) -> None:
    assert not grader({"raises": "ValueError"}).accepts_report(Report((Raised(raised, "ValueError"),)))


def test_an_exception_is_no_value_and_a_value_no_exception() -> None:
    assert not grader({"returns": None}).accepts_report(Report((Raised("ValueError"),)))
    assert not grader({"raises": "ValueError"}).accepts_report(returned(None))
    assert not grader({"raises": "ValueError"}).accepts_report(returned("ValueError"))


def test_every_case_has_to_be_right() -> None:
    both = grader({"returns": 1}, {"returns": 2})
    assert both.accepts_report(Report((Returned(1), Returned(2))))
    assert not both.accepts_report(Report((Returned(1), Returned(3))))
    assert both.failures(Report((Returned(1), Returned(3)))) == [Returned(3)]


@pytest.mark.parametrize(
    "report",
    [
        Report(),
        Report(fault=Fault.LIMIT),
        Report(fault=Fault.BROKEN),
        Report(loading=Raised("SyntaxError", "invalid")),
        Report((Returned(None), Returned(None))),
        Report((Returned(None),), fault=Fault.LIMIT),
    ],
)
def test_nothing_is_right_that_did_not_run_to_its_end(report: Report) -> None:
    assert not grader({"returns": None}).accepts_report(report)


def test_code_that_was_not_run_is_never_right() -> None:
    assert not grader({"returns": None}).accepts("def share(): pass")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"function": "no name"}, '"no name" is no name of a function; write it as in the prompt, without brackets'),
        ({"function": "share()"}, '"share()" is no name of a function; write it as in the prompt, without brackets'),
        ({"function": "class"}, '"class" is no name of a function; write it as in the prompt, without brackets'),
        ({"cases": [{"raises": "Mistake"}]}, '"Mistake" is no exception of plain Python; write one such as ValueError'),
        ({"cases": [{"raises": "print"}]}, '"print" is no exception of plain Python; write one such as ValueError'),
        ({"cases": [{"raises": "SystemExit"}]}, '"SystemExit" is no exception of plain Python; write one such as ValueError'),
        ({"cases": [{"raises": "ValueError", "returns": 1}]}, "both returns and raises; keep one of them"),
        ({"cases": []}, "at least 1 item"),
        ({"tolerance": -1}, "greater than or equal to 0"),
        ({"tests": "assert True"}, "Extra inputs are not permitted"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(settings: dict[str, Any], message: str) -> None:
    sound = {"kind": "python", "function": "share", "cases": [{"returns": 1}]}
    with pytest.raises(ValidationError) as refused:
        Python.model_validate(sound | settings)
    assert message in str(refused.value)
