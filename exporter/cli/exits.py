"""Exit codes, and which of them a check ends with."""

from __future__ import annotations

from collections.abc import Iterable

from exporter.records import Verdict, VerdictKind

EXIT_OK = 0
EXIT_CONFIRMED = 1
EXIT_DAMAGED = 1
"""A store that is not whole: found, not failed."""

EXIT_USAGE = 2
EXIT_UNKNOWN = 3
"""Could not measure, or suspect: nothing is known, and nothing is said of the model."""

EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

_CONFIRMED = (VerdictKind.DRIFT, VerdictKind.TOKEN_SHIFT, VerdictKind.MODEL_CHANGED)
_UNKNOWN = (VerdictKind.MEASUREMENT_FAILED, VerdictKind.SUSPECT)


def exit_code_of(verdicts: Iterable[Verdict], *, failed: bool) -> int:
    """The gravest: a confirmed change, new or still standing; then something that went wrong (`failed`); then not knowing.

    Unconfirmed is 0: the first run was worse and the second, asked to tell, did not agree.
    """
    listed = list(verdicts)
    if any(verdict.standing in _CONFIRMED for verdict in listed):
        return EXIT_CONFIRMED
    if failed:
        return EXIT_USAGE
    return EXIT_UNKNOWN if any(verdict.kind in _UNKNOWN for verdict in listed) else EXIT_OK
