"""Telling a mistake in an answer from something that plain Python has and the sandbox lacks. Pure.

The second is no fault of the model: such an answer cannot be graded. What reaches out of the program (files, processes, the
network, the interpreter's own insides) is none of it: no question asks for that, and an answer that tries is wrong. Where the
sandbox tells the two apart in no way, an answer is called unusable rather than wrong.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import importlib
import re
import sys
from collections.abc import Callable, Sequence

from exporter.suites.patterns import Pattern, compile_pattern
from exporter.suites.program import Outcome, Raised


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OUTSIDE_MODULES = _words(
    "_thread aiohttp atexit builtins code codeop concurrent ctypes faulthandler fcntl ftplib getpass glob http httpx imaplib"
    " importlib inspect marshal mmap multiprocessing os pathlib pdb pickle pickletools pip pkgutil platform poplib posix pty"
    " pwd requests resource runpy select selectors shelve shutil signal site smtplib socket socketserver sqlite3 ssl"
    " subprocess sys sysconfig syslog tempfile termios threading tracemalloc trace tty urllib urllib3 venv webbrowser winreg"
    " zipimport"
)
_OUTSIDE_NAMES = _words(
    "__build_class__ __builtins__ __import__ breakpoint compile credits copyright delattr eval exec exit globals help input"
    " license locals open quit vars"
)
_INSIDE_SYS = _words("byteorder float_info getrecursionlimit getsizeof hash_info int_info intern maxsize setrecursionlimit")
"""What a plain function may well ask of sys; the rest of sys is outside."""

_PURE_MODULES = _words(
    "base64 bisect collections copy csv dataclasses datetime decimal functools hashlib itertools json math random re typing unicodedata"
)
"""Modules that the sandbox has in part, and that are safe to look a name up in."""

_TYPES: dict[str, type] = {
    **{name: found for name, found in vars(builtins).items() if isinstance(found, type)},
    **{found.__name__: found for found in (collections.Counter, collections.defaultdict, collections.deque, datetime.date)},
    **{found.__name__: found for found in (datetime.datetime, datetime.timedelta, re.Pattern, re.Match)},
}
_SHORT = 12
"""Messages up to this long may stand in a source by chance."""

_MARKS: tuple[tuple[Pattern, str], ...] = (
    (
        compile_pattern(r"\bdef __(?:lt|le|gt|ge|ne|len|bool|format|getattr|reversed|delitem|set_name|new|init_subclass)__\b"),
        "some special methods of classes",
    ),
    (
        compile_pattern(r"(?m)^[^#\n]*\S[^#\n]*\bfor\b[^:#\n]*\bin\s+(?:itertools\.)?(?:count|cycle|repeat)\("),
        "generator expressions without an end",
    ),
)
"""What the sandbox takes and does otherwise, found in the source: an answer with it that comes out wrong may be right in plain Python."""


def find_gap(source: str, failures: Sequence[Outcome]) -> str:
    """What the sandbox lacks that may have made every one of `failures` fail, in a few words; empty where a failure is the answer's own.

    The words are this program's, never the answer's.
    """
    for mark, words in _MARKS:
        if mark.matches(source):
            return words
    found = [_gap_of(source, outcome) if isinstance(outcome, Raised) else "" for outcome in failures]
    return found[0] if found and all(found) else ""


def _gap_of(source: str, raised: Raised) -> str:
    if len(raised.message) > _SHORT and raised.message in source:
        return ""  # the answer's own words, not the sandbox's
    for pattern, read in _READINGS:
        if pattern.matches(raised.message):
            return read(source, *pattern.groups(raised.message))
    return ""


def _in_modules(_source: str, path: str) -> str:
    module = path.partition(".")[0]
    if module in _OUTSIDE_MODULES:
        return ""
    return f"the module {module}" if module in sys.stdlib_module_names else "a module from outside the standard library"


def _in_module(module: str, name: str) -> str:
    if module == "sys":
        return f"sys.{name}" if name in _INSIDE_SYS else ""
    known = module in _PURE_MODULES and not name.startswith("_") and hasattr(importlib.import_module(module), name)
    return f"{module}.{name}" if known else ""


def _in_type(source: str, type_name: str, name: str) -> str:
    if type_name == "function":
        return "attributes of functions" if f".{name} =" in source else ""
    found = _TYPES.get(type_name.rpartition(".")[2])
    known = found is not None and not name.startswith("_") and hasattr(found, name)
    return f"{type_name}.{name}" if known else ""


def _in_builtins(_source: str, name: str) -> str:
    return f"the name {name}" if hasattr(builtins, name) and name not in _OUTSIDE_NAMES else ""


def _in_arguments(source: str, name: str) -> str:
    own = compile_pattern(rf"\b(?:def|class) {name}\b").matches(source)
    return "" if own else "some arguments of built-in functions"


_READINGS: tuple[tuple[Pattern, Callable[..., str]], ...] = (
    (compile_pattern(r"^The monty syntax parser does not yet support ([\w '/*()-]{1,80})$"), lambda _source, construct: construct),
    (compile_pattern(r"not yet support|^Internal error in monty"), lambda _source: "a construct of the language"),
    (compile_pattern(r"^No module named '([\w.]+)'"), _in_modules),
    (compile_pattern(r"^cannot import name '(\w+)' from '([\w.]+)'"), lambda _source, name, module: _in_module(module, name)),
    (compile_pattern(r"^module '([\w.]+)' has no attribute '(\w+)'"), lambda _source, module, name: _in_module(module, name)),
    (compile_pattern(r"^(?:type object )?'([\w.]+)'(?: object)? has no attribute '(\w+)'"), _in_type),
    (compile_pattern(r"^name '(\w+)' is not defined$"), _in_builtins),
    (compile_pattern(r"^(?:\w+\.)?(\w+)\(\) (?:takes|got|expected|requires|argument) "), _in_arguments),
    (
        compile_pattern(r"^'list' object is not an iterator$"),
        lambda source: "next() of a generator expression" if "next(" in source else "",
    ),
    (compile_pattern(r"^cannot convert '\w+' object to bytes$"), lambda _source: "bytes of that"),
)
"""The sandbox's messages, and what each means."""
