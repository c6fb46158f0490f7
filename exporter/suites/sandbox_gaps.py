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
from collections.abc import Sequence

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
_NO_SUCH_MODULE = compile_pattern(r"^No module named '([\w.]+)'")
_NO_SUCH_IMPORT = compile_pattern(r"^cannot import name '(\w+)' from '([\w.]+)'")
_NO_SUCH_MEMBER = compile_pattern(r"^module '([\w.]+)' has no attribute '(\w+)'")
_NO_SUCH_ATTRIBUTE = compile_pattern(r"^(?:type object )?'([\w.]+)'(?: object)? has no attribute '(\w+)'")
_NO_SUCH_NAME = compile_pattern(r"^name '(\w+)' is not defined$")
_NOT_YET = compile_pattern(r"not yet support|^Internal error in monty")
_NO_SUCH_ARGUMENT = compile_pattern(r"^(?:\w+\.)?(\w+)\(\) (?:takes|got|expected|requires|argument) ")
_NO_ITERATOR = compile_pattern(r"^'list' object is not an iterator$")
_NO_BYTES = compile_pattern(r"^cannot convert '\w+' object to bytes$")

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
    message = raised.message
    if len(message) > 12 and message in source:
        return ""  # the answer's own words, not the sandbox's
    if _NOT_YET.matches(message):
        return "a construct of the language"
    if groups := _NO_SUCH_MODULE.groups(message):
        return _gap_in_module(groups[0].partition(".")[0])
    if groups := _NO_SUCH_IMPORT.groups(message):
        return _gap_in_member(groups[1], groups[0])
    if groups := _NO_SUCH_MEMBER.groups(message):
        return _gap_in_member(groups[0], groups[1])
    if groups := _NO_SUCH_ATTRIBUTE.groups(message):
        return _gap_in_type(groups[0], groups[1], source)
    if groups := _NO_SUCH_NAME.groups(message):
        return f"the name {groups[0]}" if hasattr(builtins, groups[0]) and groups[0] not in _OUTSIDE_NAMES else ""
    if raised.kind == "TypeError" and (groups := _NO_SUCH_ARGUMENT.groups(message)):
        return "" if compile_pattern(rf"\b(?:def|class) {groups[0]}\b").matches(source) else "some arguments of built-in functions"
    if _NO_ITERATOR.matches(message) and "next(" in source:
        return "next() of a generator expression"
    return "bytes of that" if _NO_BYTES.matches(message) else ""


def _gap_in_module(module: str) -> str:
    if module in _OUTSIDE_MODULES:
        return ""
    return f"the module {module}" if module in sys.stdlib_module_names else "a module from outside the standard library"


def _gap_in_member(module: str, name: str) -> str:
    if module == "sys":
        return f"sys.{name}" if name in _INSIDE_SYS else ""
    known = module in _PURE_MODULES and not name.startswith("_") and hasattr(importlib.import_module(module), name)
    return f"{module}.{name}" if known else ""


def _gap_in_type(type_name: str, name: str, source: str) -> str:
    if type_name == "function":
        return "attributes of functions" if f".{name} =" in source else ""
    found = _TYPES.get(type_name.rpartition(".")[2])
    known = found is not None and not name.startswith("_") and hasattr(found, name)
    return f"{type_name}.{name}" if known else ""
