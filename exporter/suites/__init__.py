"""Questions and their grading: suite files in, questions and rulings out.

Here files are read and checked, the part of an answer that counts is found, and fixed rules say right or wrong. Nothing here
asks a model, knows a target, keeps a result or says whether anything drifted; no model judges a model.
"""

from exporter.suites.files import BUILTIN
from exporter.suites.grading import answer_of, check_references, grade, grades_refusals
from exporter.suites.instruction import INSTRUCTION_VERSION
from exporter.suites.load import load_suites
from exporter.suites.text_tools import TEXT_TOOLS_VERSION, add_tools, read_text_calls

__all__ = [
    "BUILTIN",
    "INSTRUCTION_VERSION",
    "TEXT_TOOLS_VERSION",
    "add_tools",
    "answer_of",
    "check_references",
    "grade",
    "grades_refusals",
    "load_suites",
    "read_text_calls",
]
