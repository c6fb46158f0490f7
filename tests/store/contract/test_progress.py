from __future__ import annotations

from exporter.records import CheckKind, CheckProgress, RunState, VerdictKind
from exporter.store import Store
from tests.store.facts import NOW, do_check, finish_check, start_run


def test_before_the_first_check_nothing_is_known(store: Store) -> None:
    assert store.progress("bot") == CheckProgress()
    assert store.verdict_changed_at("bot") is None
    assert store.last_due_at("bot") is None


def test_a_failed_check_is_the_last_check_and_no_success(store: Store) -> None:
    do_check(store, due_at=NOW)
    do_check(store, due_at=NOW + 100, kind=VerdictKind.MEASUREMENT_FAILED)
    assert store.progress("bot") == CheckProgress(last_check_at=NOW + 160, last_success_at=NOW + 60, last_duration_seconds=60.0)


def test_a_check_under_way_is_in_progress(store: Store) -> None:
    start_run(store)
    assert store.progress("bot") == CheckProgress(in_progress=True)
    assert store.progress("cat") == CheckProgress()


def test_a_confirmation_is_pending_until_the_check_ends(store: Store) -> None:
    run = start_run(store)
    store.close_run(run.id, RunState.MEASURED, None, "", NOW + 30)
    store.set_confirming(run.check_id, NOW + 3600)
    assert store.progress("bot") == CheckProgress(confirmation_pending=True, confirm_at=NOW + 3600)
    second = store.open_run(run.check_id, 2, "p1", NOW + 3600, NOW + 4200)
    assert store.progress("bot") == CheckProgress(confirmation_pending=True, confirm_at=NOW + 3600, in_progress=True)
    finish_check(store, second, now=NOW + 3640)
    assert store.progress("bot") == CheckProgress(last_check_at=NOW + 3640, last_success_at=NOW + 3640, last_duration_seconds=70.0)


def test_a_check_that_never_ran_took_no_known_time(store: Store) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    run = start_run(store, due_at=NOW + 1)
    finish_check(store, run)
    assert store.progress("bot").in_progress


def test_a_verdict_has_changed_when_another_one_stood_before(store: Store) -> None:
    kinds = [VerdictKind.STABLE, VerdictKind.DRIFT, VerdictKind.MEASUREMENT_FAILED, VerdictKind.DRIFT]
    standing = [VerdictKind.STABLE, VerdictKind.DRIFT, VerdictKind.DRIFT, VerdictKind.DRIFT]
    seen = []
    for day, (kind, stands) in enumerate(zip(kinds, standing, strict=True)):
        do_check(store, due_at=NOW + 100 * day, kind=kind, standing=stands)
        seen.append(store.verdict_changed_at("bot"))
    assert seen == [NOW + 60, NOW + 160, NOW + 160, NOW + 160]


def test_the_last_due_time_is_that_of_a_scheduled_check(store: Store) -> None:
    store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    store.claim_check("bot", CheckKind.RETRY, NOW + 3600, NOW + 3600)
    store.claim_check("cat", CheckKind.SCHEDULED, NOW + 7200, NOW + 7200)
    assert store.last_due_at("bot") == NOW
