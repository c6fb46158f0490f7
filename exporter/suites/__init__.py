"""Questions and their grading: suite files in, questions and rulings out.

Here files are read and checked, the part of an answer that counts is found, and fixed rules say right or wrong. An answer that is
a program is run, in a sandbox and never by the interpreter that runs this. Nothing here asks a model, knows a target, keeps a
result or says whether anything drifted; no model judges a model.
"""

from exporter.suites.files import BUILTIN
from exporter.suites.generate import GENERATED, generate_suite
from exporter.suites.grading import answer_of, grade, grades_refusals
from exporter.suites.instruction import INSTRUCTION_VERSION
from exporter.suites.lint import find_warnings
from exporter.suites.load import load_suites, place_suites
from exporter.suites.reading import PlacedQuestion
from exporter.suites.text_tools import TEXT_TOOLS_VERSION, add_tools, read_text_calls

__all__ = [
    "BUILTIN",
    "GENERATED",
    "INSTRUCTION_VERSION",
    "TEXT_TOOLS_VERSION",
    "PlacedQuestion",
    "add_tools",
    "answer_of",
    "find_warnings",
    "generate_suite",
    "grade",
    "grades_refusals",
    "load_suites",
    "place_suites",
    "read_text_calls",
]
