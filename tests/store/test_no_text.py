from __future__ import annotations

from dataclasses import fields

from exporter.records import Answer, Reason, RunState, ToolCall
from exporter.store import Store
from exporter.store.tables import metadata
from tests.store.conftest import SqliteBackend
from tests.store.facts import NOW, a_grade, an_answer, finish_check, reserve, settle, start_run

PLANTED = "the-planted-answer-nobody-may-read"
KEPT_NOWHERE = {"text", "tool_calls"}


def test_no_answer_is_found_anywhere_in_the_files(store: Store, backend: SqliteBackend) -> None:
    run = start_run(store)
    answer = an_answer(text=f"ANSWER: {PLANTED}", tool_calls=(ToolCall(PLANTED, {"x": PLANTED}),), finish_reason=PLANTED)
    settle(store, reserve(store, run), answer=answer, grade=a_grade("q1"))
    failed = an_answer(text=PLANTED, reason=Reason.TRUNCATED, message="a message that is kept")
    settle(store, reserve(store, run), answer=failed, grade=a_grade("q2", right=None, reason=Reason.TRUNCATED))
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    finish_check(store, run)

    def all_bytes() -> bytes:
        return b"".join(path.read_bytes() for path in sorted(backend.path.parent.iterdir()))

    written = all_bytes()
    store.close()
    for content in (written, all_bytes()):
        assert b"a message that is kept" in content
        assert PLANTED.encode() not in content


def test_there_is_no_column_for_a_prompt_or_an_answer() -> None:
    columns = {column.name for table in metadata.tables.values() for column in table.columns}
    assert {field.name for field in fields(Answer)} >= KEPT_NOWHERE
    assert not columns & (KEPT_NOWHERE | {"prompt", "system", "answer", "reference"})
