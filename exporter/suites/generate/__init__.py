"""Private questions from a seed: the same seed gives the same questions, on every machine and with every Python.

One file a family of questions, each a pure function of a Draw and a Level; the answer is computed, never written down. No clock,
no file, no library's random numbers, and nothing of the seed in what comes out.

Looking to add a family? Start here: write `generate/<family>.py`, name it in FAMILIES of `suite`, and solve its questions in a
second way in tests/suites/generate. The questions of a seed are its users' baseline: a change of any wording or draw needs a
new VERSION in `draw`, and a line in the changelog.
"""

from exporter.suites.generate.suite import AREAS, GENERATED, generate_suite

__all__ = ["AREAS", "GENERATED", "generate_suite"]
