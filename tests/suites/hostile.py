"""Answers that try to harm who runs them, or to be taken for right ones. `f` should sum up a list of numbers."""

from __future__ import annotations

WRAPPED = "def f(x):\n    {}\n    return sum(x)"

HOSTILE = {
    "an endless loop": "def f(x):\n    while True:\n        pass",
    "an endless loop that catches everything": (
        "def f(x):\n    while True:\n        try:\n            f = 1 / 0\n        except BaseException:\n            pass"
    ),
    "an endless loop outside of the function": "while True:\n    pass",
    "an endless loop in exec": WRAPPED.format("exec('while True: pass')"),
    "a comparison that takes forever": (
        "def f(x):\n    a = b = []\n    for i in range(60):\n        a, b = [a, a], [b, b]\n    return a == b"
    ),
    "a text that takes forever": "def f(x):\n    for i in range(60):\n        x = [x, x]\n    return str(x)",
    "a number that takes forever": "def f(x):\n    n = 3\n    for i in range(40):\n        n = n * n\n    return n",
    "a sum that takes forever": WRAPPED.format("sum(range(10**15))"),
    "a factorial": WRAPPED.format("import math; math.factorial(10**8)"),
    "a pattern that takes forever": WRAPPED.format("import re; re.match(r'(a|aa)+\\\\1$', 'a' * 60 + 'b').group(0)"),
    "a list that doubles": "def f(x):\n    a = [0]\n    while True:\n        a += a",
    "a list that doubles and catches it": (
        "def f(x):\n    a = [0]\n    while True:\n        try:\n            a += a\n        except MemoryError:\n            return 7"
    ),
    "a huge text": WRAPPED.format("'x' * 10**11"),
    "a huge number": WRAPPED.format("10 ** 10**10"),
    "a huge format": WRAPPED.format("'%0999999999d' % 1"),
    "a huge product": WRAPPED.format("import itertools; list(itertools.product(range(100), repeat=9))"),
    "recursion": "def f(x):\n    return f(x)",
    "recursion that catches itself": "def f(x):\n    try:\n        return f(x)\n    except RecursionError:\n        return f(x)",
    "deep recursion": "def g(n):\n    return 7 if n == 0 else g(n - 1)\ndef f(x):\n    return g(10**6)",
    "a file": WRAPPED.format("open('/etc/passwd').read()"),
    "a file to be written": WRAPPED.format("open('/tmp/hostile', 'w').write('x')"),
    "a path": WRAPPED.format("import pathlib; pathlib.Path('/etc/passwd').read_text()"),
    "a folder": WRAPPED.format("import os; os.listdir('/')"),
    "the environment": WRAPPED.format("import os; os.environ['HOME']"),
    "the environment by another name": WRAPPED.format("import os; os.getenv('HOME')"),
    "a program": WRAPPED.format("import os; os.system('id')"),
    "a subprocess": WRAPPED.format("import subprocess; subprocess.run(['id'])"),
    "a socket": WRAPPED.format("import socket; socket.create_connection(('127.0.0.1', 80))"),
    "a download": WRAPPED.format("from urllib.request import urlopen; urlopen('http://127.0.0.1')"),
    "foreign code": WRAPPED.format("import ctypes; ctypes.string_at(0)"),
    "an import by name": WRAPPED.format("__import__('os').system('id')"),
    "an import of the importer": WRAPPED.format("import importlib; importlib.import_module('os').system('id')"),
    "the builtins": WRAPPED.format("__builtins__['open']('/etc/passwd')"),
    "all classes": WRAPPED.format("().__class__.__base__.__subclasses__()"),
    "the globals of a function": WRAPPED.format("f.__globals__['__builtins__']"),
    "the globals": WRAPPED.format("globals()['outcomes']"),
    "an import in eval": WRAPPED.format("eval(\"__import__('os').system('id')\")"),
    "the end of the program": WRAPPED.format("import sys; sys.exit(0)"),
    "the end of the program by name": WRAPPED.format("exit()"),
    "the end of the program by exception": WRAPPED.format("raise SystemExit"),
    "the keyboard": WRAPPED.format("input()"),
    "an interruption": WRAPPED.format("raise KeyboardInterrupt"),
    "huge output": WRAPPED.format("print('x' * 10**6)"),
    "endless output": "while True:\n    print('x' * 1000)",
    "an exception with a huge message": WRAPPED.format("raise ValueError('x' * 10**7)"),
    "an exception that is none": "class E:\n    def __str__(self):\n        return 1\ndef f(x):\n    raise E()",
    "an exception outside of the function": "raise ValueError('x' * 10**7)",
    "an object equal to everything": (
        "class A:\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 7\ndef f(x):\n    return A()"
    ),
    "an object that reads as the answer": (
        "class A:\n    def __repr__(self):\n        return '7'\n    def __str__(self):\n        return 1\n"
        "    def __int__(self):\n        return 7\ndef f(x):\n    return A()"
    ),
    "a list that holds itself": "def f(x):\n    x.append(x)\n    return x",
    "a list that holds itself twice, sixty deep": "def f(x):\n    for i in range(60):\n        x = [x, x]\n    return x",
    "a deep list": "def f(x):\n    for i in range(10**5):\n        x = [x]\n    return x",
    "a long list": "def f(x):\n    return [0] * 10**6",
    "a set whose members collide": "def f(x):\n    return {i * (2**61 - 1) for i in range(10**5)}",
    "a dict whose keys collide": "def f(x):\n    return {i * (2**61 - 1): 0 for i in range(10**4)}",
    "a long text": "def f(x):\n    return 'x' * 10**7",
    "a long number": "def f(x):\n    return 7 ** 10**5",
    "no number": "def f(x):\n    return float('nan')",
    "a function": "def f(x):\n    return f",
    "a module": "import math\ndef f(x):\n    return math",
    "a coroutine": "async def f(x):\n    return sum(x)",
    "built-in functions replaced": "len = sum = list = isinstance = type = str = lambda *a: 7\ndef f(x):\n    return 0",
    "a syntax error": "def f(:",
    "an indentation error": "def f(x):\nreturn 7",
    "null bytes": "def f(x):\n    return sum(x)\0",
    "a lone surrogate": "def f(x):\n    return '\ud800'",
    "deep brackets": "def f(x):\n    return " + "(" * 10**4 + "7" + ")" * 10**4,
    "many operators": "def f(x):\n    return 7" + "+0" * 40_000,
    "many lines": "x = 1\n" * 15_000 + "def f(x):\n    return 0",
    "a very long answer": "#" * 200_000 + "\ndef f(x):\n    return sum(x)",
    "a function missing": "def g(x):\n    return sum(x)",
    "a function hidden in a class": "class Solution:\n    def f(self, x):\n        return sum(x)",
    "no function": "f = 7",
    "nothing": "",
    "prose": "Here is the function: it sums up the list.",
}
