"""How a verdict is reached: history and today's runs in, one Verdict out.

Pure: no clock, no store, no logging, no random numbers. Only the arithmetic of `statistics` is below; what a verdict is
called in words is said in `reports`, and what follows from it is decided in `daemon`.
"""

from exporter.verdicts.flip_view import compare_check
from exporter.verdicts.history import Freeze, History, Subject, accepted_protocols, clears_holds, restart_of, standing_memberships
from exporter.verdicts.judge import Judgement, judge, needs_second_run, refresh
from exporter.verdicts.reach import reaches_far_enough

__all__ = [
    "Freeze",
    "History",
    "Judgement",
    "Subject",
    "accepted_protocols",
    "clears_holds",
    "compare_check",
    "judge",
    "needs_second_run",
    "reaches_far_enough",
    "refresh",
    "restart_of",
    "standing_memberships",
]
