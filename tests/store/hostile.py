"""Rows that databases like to change: written past the store's methods, which would not let most of them in.

No zero has a sign here: SQLite keeps none.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from sqlalchemy import insert

from exporter.store.database import connect
from exporter.store.tables import checks, configs, counters, errors, events, grades, identities, replicas, requests, runs, verdicts

HUGE, TINY = sys.float_info.max, 5e-324
TEXTS = (
    "",
    " ",
    "null",
    r"\N",
    r"\.",
    "tab\tnew\nline\r\n",
    "back\\slash",
    "'quotes\"",
    "ß Ω 漢字 😀 e\u0301 é",
    "\ufffd\ufeff",
    "\x01\x7f\x85",
    "Z",
    "a",
    "ä",
    "B",
    "_",
    "0",
)
FLOATS = (0.1 + 0.2, 0.0, 1e-7, 1e22, 123456789.123456789, HUGE, TINY, math.inf, 1_800_000_000.123456)
WHOLES = (0, 1, -1, 2**63 - 1, -(2**63))


def be_hostile(url: str) -> None:
    """Fill the store at `url` with a check that has all of these, and with programs that were there long ago."""
    database = connect(url, read_only=False, busy_timeout_seconds=5.0)
    with database.write("event") as connection:
        sums: dict[str, Any] = {"usd_nanos": 2**62, "estimated_usd_nanos": 0, "tokens": 1, "requests": 1, "priced_requests": 0}
        check = {
            "id": 7,
            "target": "ä",
            "kind": "manual",
            "due_at": HUGE,
            "claimed_at": -1e-7,
            "state": "closed",
            "closed_at": TINY,
            **sums,
        }
        connection.execute(insert(checks), [{**check, "confirm_at": None}, {**check, "id": 2**40, "due_at": 0.1, "confirm_at": 0.0}])
        connection.execute(insert(runs), [_run(7, "p1"), _run(2**40, "")])
        connection.execute(insert(grades), [_grade(number, text) for number, text in enumerate(TEXTS)])
        connection.execute(insert(requests), [_request(number, whole) for number, whole in enumerate(WHOLES, start=1)])
        connection.execute(insert(counters), [{"target": text, "family": "f", "label": text, "value": 1} for text in TEXTS])
        connection.execute(
            insert(identities),
            [{"target": "t", "identity": text, "fingerprint": "", "first_seen_at": 1e-7, "last_seen_at": 1.0} for text in TEXTS],
        )
        record = '{"a":1.0,"a":"\\u0000"}'
        said = {"check_id": 7, "target": "ä", "decided_at": 0.1, "kind": "", "standing": "stable", "record": record}
        connection.execute(insert(verdicts), [said])
        error = {"id": 3, "target": "t", "happened_at": 0.1, "reason": "timeout", "message": "x" * 100_000, "question_id": None}
        connection.execute(insert(errors), [error])
        event = {"id": 9, "target": "t", "kind": "reset", "happened_at": 1.5, "run_ids": "[]", "question_keys": "[]", "note": "a\nb"}
        connection.execute(insert(events), [event])
        connection.execute(insert(configs), [{"hash": "h", "loaded_at": 1.0, "targets": "{}"}])
        long_ago = {"holder": "w", "started_at": 1.0, "seen_at": 1.0, "version": "0", "config_hash": "h", "config_loaded_at": 1.0}
        connection.execute(insert(replicas), [long_ago])
    database.engine.dispose()


def _run(check_id: int, protocol: str) -> dict[str, Any]:
    times = {"started_at": 0.1, "deadline_at": math.inf, "ended_at": None, "grades_pruned_at": 1e22}
    return {
        "id": check_id,
        "check_id": check_id,
        "target": "ä",
        "number": 1,
        "protocol": protocol,
        "state": "measured",
        "message": "",
        **times,
    }


def _grade(number: int, text: str) -> dict[str, Any]:
    flags = {"right": (None, False, True)[number % 3], "answer_line_missing": number % 2 == 0, "reasoning_in_content": number % 2 == 1}
    tokens = {"input_tokens": WHOLES[number % len(WHOLES)], "output_tokens": None}
    return {
        "run_id": 7,
        "question_key": text,
        "sample": number,
        "attempt": 1,
        "question_id": text,
        "suite": text,
        "area": text,
        "graded_at": FLOATS[number % len(FLOATS)],
        "latency_seconds": FLOATS[-number % len(FLOATS)],
        "message": text,
        "identity": text if number % 2 else None,
        **flags,
        **tokens,
    }


def _request(number: int, whole: int) -> dict[str, Any]:
    key = {"id": number * 1000, "run_id": 7, "check_id": 7, "target": "ä", "question_key": "", "sample": 0, "attempt": number, "day": -1}
    return {**key, "reserved_at": 0.1, "reserved_tokens": whole, "usd_nanos": whole, "estimated": None, "orphan": number % 2 == 0}
