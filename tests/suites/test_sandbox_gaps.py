from __future__ import annotations

import pytest

from exporter.records import Answer, Extract, Reason, Ruling
from exporter.suites import grade
from tests.suites.examples import make_question

QUESTION = make_question({"kind": "python", "function": "f", "cases": [{"args": [3], "returns": 4}]}, Extract.CODE)

LACKING = [
    ("def f(x):\n    yield x + 1", "yield expressions"),
    ("def f(x):\n    def g():\n        yield from [x + 1]\n    return list(g())[0]", "yield from expressions"),
    ("def f(x):\n    a = [x]\n    del a[0]\n    return x + 1", "the 'del' statement"),
    ("class A:\n    pass\nclass B(A):\n    pass\ndef f(x):\n    return x + 1", "class inheritance and metaclasses"),
    ("class Wrong(Exception):\n    pass\ndef f(x):\n    return x + 1", "class inheritance and metaclasses"),
    (
        "class A:\n    @property\n    def p(self):\n        return 1\ndef f(x):\n    return x + A().p",
        "method decorators (classmethod/staticmethod/property)",
    ),
    ("def f(x):\n    raise ValueError('a', 1)", "a construct of the language"),
    ("import re\ndef f(x):\n    return len(re.sub('a', lambda m: 'bb', 'aa'))", "a construct of the language"),
    ("import heapq\ndef f(x):\n    return x + 1", "the module heapq"),
    ("import statistics\ndef f(x):\n    return x + 1", "the module statistics"),
    ("def f(x):\n    from string import digits\n    return x + 1", "the module string"),
    ("from collections.abc import Sequence\ndef f(x):\n    return x + 1", "the module collections"),
    ("import numpy as np\ndef f(x):\n    return x + 1", "a module from outside the standard library"),
    ("from functools import cmp_to_key\ndef f(x):\n    return x + 1", "functools.cmp_to_key"),
    ("from collections import OrderedDict\ndef f(x):\n    return x + 1", "collections.OrderedDict"),
    ("from typing import NamedTuple\ndef f(x):\n    return x + 1", "typing.NamedTuple"),
    ("import functools\ndef f(x):\n    return functools.cmp_to_key(x)", "functools.cmp_to_key"),
    ("import sys\nsys.setrecursionlimit(10**6)\ndef f(x):\n    return x + 1", "sys.setrecursionlimit"),
    ("def f(x):\n    return x.bit_length() + 2", "int.bit_length"),
    ("def f(x):\n    return len('abcd'.translate(str.maketrans('a', 'b')))", "str.maketrans"),
    ("def f(x):\n    return len(sorted('abcd', key=str.lower))", "str.lower"),
    ("def f(x):\n    f.calls = 4\n    return f.calls", "attributes of functions"),
    ("def f(x):\n    return x + callable(f)", "the name callable"),
    ("def f(x):\n    return next(i for i in range(9) if i > x)", "next() of a generator expression"),
    ("import re\ndef f(x):\n    return re.compile('b').match('aaab', x).end()", "some arguments of built-in functions"),
    ("from itertools import count\ndef f(x):\n    return next(i for i in count() if i > x)", "generator expressions without an end"),
    ("class A:\n    def __lt__(self, other):\n        return True\ndef f(x):\n    return A() < A()", "some special methods of classes"),
    ("class A:\n    def __bool__(self):\n        return False\ndef f(x):\n    return 5 if A() else 4", "some special methods of classes"),
]

OWN_FAULT = [
    "def f(x):\n    return x.append(1)",
    "def f(x):\n    return x + undefined",
    "def f(x):\n    return 'a' + x",
    "def f(x):\n    return [1].size()",
    "def f(x):\n    return len(x)",
    "def f(x, y):\n    return x + y",
    "def g(a):\n    return a\ndef f(x):\n    return g(x, 1)",
    "import math\ndef f(x):\n    return math.increment(x)",
    "from math import increment\ndef f(x):\n    return increment(x)",
    "from collections import Bag\ndef f(x):\n    return x + 1",
    "def f(x):\n    raise NotImplementedError",
    "def f(x):\n    raise NotImplementedError('f is not yet supported')",
    "raise NotImplementedError('The monty syntax parser does not yet support yield expressions')",
    "def f(x):\n    raise ImportError(\"No module named 'heapq'\")",
    "from itertools import count\ndef f(x):\n    for i in count():\n        if i >= x:\n            return i",
    "class A:\n    def __eq__(self, other):\n        return True\ndef f(x):\n    return A()",
]


def ruling_of(code: str) -> Ruling:
    return grade(QUESTION, Answer(text=f"```python\n{code}\n```"))


@pytest.mark.parametrize(("code", "words"), LACKING)
def test_good_python_that_the_sandbox_lacks_is_unusable_and_not_wrong(code: str, words: str) -> None:
    ruling = ruling_of(code)
    assert (ruling.right, ruling.reason, ruling.message) == (False, Reason.SANDBOX_ERROR, f"the sandbox lacks {words}")


@pytest.mark.parametrize("code", OWN_FAULT)
def test_a_mistake_of_the_answer_itself_is_wrong(code: str) -> None:
    ruling = ruling_of(code)
    assert (ruling.right, ruling.reason, ruling.message) == (False, None, "")


def test_a_right_answer_is_right_whatever_it_uses() -> None:
    helper = "class A:\n    def __lt__(self, other):\n        return True\n"
    assert ruling_of(helper + "def f(x):\n    try:\n        import heapq\n    except ImportError:\n        return x + 1").right


def test_an_answer_that_is_wrong_anyway_is_not_excused_by_what_the_sandbox_lacks() -> None:
    cases = [{"args": [1], "returns": 2}, {"args": [2], "returns": 3}]
    question = make_question({"kind": "python", "function": "f", "cases": cases}, Extract.CODE)
    excused = grade(question, Answer(text="def f(x):\n    return x.bit_length() if x > 1 else 2"))
    wrong = grade(question, Answer(text="def f(x):\n    return x.bit_length() if x > 1 else 7"))
    assert (excused.reason, wrong.reason) == (Reason.SANDBOX_ERROR, None)
