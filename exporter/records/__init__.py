"""Frozen nouns that cross rooms. Values only: nothing here reads, writes, waits or decides.

Times are Unix seconds (UTC) as float and end in `_at`; durations end in `_seconds`, money in `_usd`, shares (0 to 1) in
`_ratio`. `None` means "not known", never 0.
"""

from exporter.records.history import BaselineEvent, Check, CheckKind, CheckState, EventKind, Run, RunState
from exporter.records.reason import RETRYABLE, STOPS_RUN, Reason
from exporter.records.request import (
    Answer,
    Charge,
    Evidence,
    Extract,
    Grade,
    Identity,
    Question,
    Request,
    Ruling,
    ToolCall,
    ToolSpec,
    Usage,
)
from exporter.records.snapshot import CheckProgress, Counters, Snapshot, Spend, SpendPeriod
from exporter.records.verdict import (
    OVERALL,
    AreaAccuracy,
    BaselineState,
    Flips,
    QuestionCounts,
    ServedModel,
    Signal,
    SignalState,
    TestName,
    TestResult,
    Verdict,
    VerdictKind,
)

__all__ = [
    "OVERALL",
    "RETRYABLE",
    "STOPS_RUN",
    "Answer",
    "AreaAccuracy",
    "BaselineEvent",
    "BaselineState",
    "Charge",
    "Check",
    "CheckKind",
    "CheckProgress",
    "CheckState",
    "Counters",
    "EventKind",
    "Evidence",
    "Extract",
    "Flips",
    "Grade",
    "Identity",
    "Question",
    "QuestionCounts",
    "Reason",
    "Request",
    "Ruling",
    "Run",
    "RunState",
    "ServedModel",
    "Signal",
    "SignalState",
    "Snapshot",
    "Spend",
    "SpendPeriod",
    "TestName",
    "TestResult",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "Verdict",
    "VerdictKind",
]
