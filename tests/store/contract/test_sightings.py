from __future__ import annotations

from exporter.records import Identity, Reason, RunState
from exporter.store import RecordedError, ServedIdentity, Store
from tests.store.facts import NOW, a_failed_answer, a_grade, an_answer, reserve, settle, start_run


def test_an_identity_is_first_and_last_seen(store: Store) -> None:
    run = start_run(store)
    for seconds in (0, 10, 20):
        settle(store, reserve(store, run), now=NOW + seconds)
    assert store.served("bot") == [ServedIdentity("bot", "gpt-5.5-2027", "fp_1", NOW, NOW + 20)]


def test_identities_come_with_the_one_seen_last_first(store: Store) -> None:
    run = start_run(store)
    for seconds, (identity, fingerprint) in enumerate([("a", None), ("b", "x"), ("b", "y"), ("a", None)]):
        answer = an_answer(identity=Identity(identity, fingerprint=fingerprint))
        settle(store, reserve(store, run), answer=answer, identity=identity, now=NOW + seconds)
    assert [(served.identity, served.fingerprint) for served in store.served("bot", limit=2)] == [("a", ""), ("b", "y")]
    assert len(store.served("bot")) == 3


def test_an_answer_of_nobody_is_no_sighting(store: Store) -> None:
    settle(store, reserve(store, start_run(store)), identity=None)
    assert store.served("bot") == []


def test_a_server_that_makes_up_fingerprints_fills_no_disk(store: Store) -> None:
    run = start_run(store)
    for number in range(60):
        answer = an_answer(identity=Identity("a", fingerprint=f"fp_{number}"))
        settle(store, reserve(store, run), answer=answer, now=NOW + number)
    served = store.served("bot", limit=100)
    assert [each.fingerprint for each in served] == [f"fp_{number}" for number in range(59, 9, -1)]


def test_errors_tell_what_happened_to_which_question(store: Store) -> None:
    run = start_run(store)
    retried, final = reserve(store, run), reserve(store, run)
    settle(store, retried, answer=a_failed_answer(Reason.RATE_LIMITED, "slow down"), question_id="q1")
    grade = a_grade("q1", right=None, reason=Reason.SANDBOX_ERROR, message="out of memory")
    settle(store, final, grade=grade, now=NOW + 1)
    store.close_run(run.id, RunState.FAILED, Reason.QUOTA, "no credit left", NOW + 2)
    assert store.errors("bot", 10) == [
        RecordedError("bot", NOW + 2, Reason.QUOTA, "no credit left", None),
        RecordedError("bot", NOW + 1, Reason.SANDBOX_ERROR, "out of memory", "q1"),
        RecordedError("bot", NOW, Reason.RATE_LIMITED, "slow down", "q1"),
    ]


def test_a_good_answer_is_no_error(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), grade=a_grade("q1", right=False))
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    assert store.errors("bot", 10) == []


def test_the_newest_fifty_errors_of_each_target_are_kept(store: Store) -> None:
    run, other = start_run(store), start_run(store, "cat")
    settle(store, reserve(store, other), answer=a_failed_answer(Reason.TIMEOUT, "the cat's"))
    for number in range(53):
        settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT, f"number {number}"))
    assert [error.message for error in store.errors("bot", 100)] == [f"number {number}" for number in range(52, 2, -1)]
    assert [error.message for error in store.errors("cat", 100)] == ["the cat's"]
    assert len(store.errors("bot", 7)) == 7


def test_foreign_text_is_cut_and_made_safe(store: Store) -> None:
    """A provider's words may hold what UTF-8 and databases refuse."""
    run = start_run(store)
    answer = an_answer(identity=Identity("m\ud800", fingerprint="f\0p"), reason=Reason.BAD_RESPONSE, message="é" * 300)
    settle(
        store,
        reserve(store, run),
        answer=answer,
        identity="m\ud800",
        grade=a_grade(right=None, identity="m\ud800", fingerprint="f\0p", message="\udfff"),
    )
    assert store.errors("bot", 1)[0].message == "é" * 256
    assert [(served.identity, served.fingerprint) for served in store.served("bot")] == [("m\ufffd", "f\ufffdp")]
    (grade,) = store.check(run.check_id).runs[0].grades
    assert (grade.identity, grade.fingerprint, grade.message) == ("m\ufffd", "f\ufffdp", "\ufffd")
