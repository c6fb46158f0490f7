"""Questions and their grading: suite files in, questions and rulings out.

Here files are read and checked, the part of an answer that counts is found, and fixed rules say right or wrong. Nothing here
asks a model, knows a target, keeps a result or says whether anything drifted; no model judges a model.
"""

from exporter.suites.files import BUILTIN
from exporter.suites.grading import check_references, grade
from exporter.suites.instruction import INSTRUCTION_VERSION
from exporter.suites.load import load_suites

__all__ = ["BUILTIN", "INSTRUCTION_VERSION", "check_references", "grade", "load_suites"]
