"""A model's life as a timeline: what is said day by day, and what holds in between."""

from __future__ import annotations

import pytest

from exporter.records import CheckKind, EventKind, Evidence, Reason, Signal, VerdictKind
from tests.verdicts.lives import DAY, Life, make_question, make_questions

LOST = tuple(f"reasoning-{number}" for number in range(1, 5))


def live_until_ready() -> Life:
    life = Life()
    life.live(5)
    return life


def test_four_days_collect_the_fifth_is_ready_the_sixth_is_stable() -> None:
    life = Life()
    assert [life.check().kind.value for _ in range(6)] == ["collecting"] * 4 + ["baseline_ready", "stable"]


def test_the_count_of_baseline_runs_is_told_while_collecting() -> None:
    life = Life()
    assert [life.check().baseline.runs for _ in range(5)] == [1, 2, 3, 4, 5]


def test_checks_closer_than_the_gap_do_not_count_for_the_baseline() -> None:
    life = Life()
    life.check()
    assert life.check(after=3600).baseline.runs == 1
    assert life.check(after=DAY / 2).baseline.runs == 2


def test_a_start_a_few_minutes_early_keeps_the_gap_and_one_of_ten_minutes_does_not() -> None:
    life = Life()
    life.check()
    assert life.check(after=DAY / 2 - 300).baseline.runs == 2
    assert life.check(after=DAY / 2 - 600).baseline.runs == 2


def test_a_loss_is_suspect_when_no_second_run_could_be_made() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    verdict = life.check(second_possible=False)
    assert verdict.kind is VerdictKind.SUSPECT
    assert not verdict.signal(Signal.ACCURACY).confirmed


def test_longer_answers_are_suspect_when_no_second_run_could_be_made() -> None:
    life = live_until_ready()
    life.tokens = lambda question, run_id: 400
    verdict = life.check(second_possible=False)
    assert verdict.kind is VerdictKind.SUSPECT
    assert not verdict.signal(Signal.TOKENS).confirmed


def test_a_little_longer_answers_are_stable_when_no_second_run_could_be_made() -> None:
    """The test alone passes; the shift is smaller than anybody has to know of."""
    life = live_until_ready()
    life.tokens = lambda question, run_id: 108
    assert life.check(second_possible=False).kind is VerdictKind.STABLE


def test_a_loss_that_the_second_run_does_not_show_is_unconfirmed() -> None:
    life = live_until_ready()
    first = len(life.runs) + 1
    life.marks = lambda question, run_id: 5 if question.id in LOST and run_id == first else 0
    verdict = life.check()
    assert (verdict.kind, verdict.runs) == (VerdictKind.UNCONFIRMED, 2)


def test_a_loss_that_both_runs_show_is_drift_and_is_conclusive_at_the_second_check() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    first, second = life.check(), life.check()
    assert (first.kind, first.signal(Signal.ACCURACY).confirmed, first.signal(Signal.ACCURACY).conclusive) == (
        VerdictKind.DRIFT,
        True,
        False,
    )
    assert (second.kind, second.signal(Signal.ACCURACY).conclusive) == (VerdictKind.DRIFT, True)
    assert second.signal(Signal.ACCURACY).confirmed_checks == 2


def test_a_recheck_sooner_than_the_gap_confirms_but_is_not_conclusive() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    life.check()
    verdict = life.check(after=3600, kind=CheckKind.RECHECK)
    assert verdict.signal(Signal.ACCURACY).confirmed_checks == 2
    assert not verdict.signal(Signal.ACCURACY).conclusive


def test_a_small_loss_is_drift_though_the_other_questions_have_a_lucky_day() -> None:
    """2 of 34 lost; two others, wrong at their first try in every baseline run, are right at once today: first tries are as ever."""
    life = Life()
    life.marks = lambda question, run_id: 1 if question.id in ("japanese-1", "japanese-2") else 0
    life.live(15)
    life.lose("reasoning-1", "reasoning-2")
    verdict = life.check()
    overall = verdict.accuracy[0]
    assert (overall.change_ratio, overall.drop_ratio) == (0, pytest.approx(2 / 34))
    assert (verdict.kind, verdict.signal(Signal.ACCURACY).confirmed) == (VerdictKind.DRIFT, True)


def test_a_loss_of_less_than_five_points_is_no_drift() -> None:
    """2 of 41 are 4.9 points."""
    life = Life(questions=make_questions({"a": 41}))
    life.live(17)
    life.lose("a-1", "a-2")
    assert life.check().kind is VerdictKind.UNCONFIRMED


def test_drift_stands_through_a_failed_check_and_one_lucky_check_and_ends_with_two() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    life.check()
    failed = life.check(failed=Reason.RATE_LIMITED)
    assert (failed.kind, failed.standing) == (VerdictKind.MEASUREMENT_FAILED, VerdictKind.DRIFT)
    life.lose()
    lucky = life.check()
    assert (lucky.kind, lucky.standing, lucky.signal(Signal.ACCURACY).confirmed) == (VerdictKind.STABLE, VerdictKind.DRIFT, True)
    life.lose(*LOST)
    assert life.check().kind is VerdictKind.DRIFT
    life.lose()
    assert life.check().standing is VerdictKind.DRIFT
    over = life.check()
    assert (over.kind, over.standing, over.signal(Signal.ACCURACY).confirmed) == (VerdictKind.STABLE, VerdictKind.STABLE, False)


def test_two_lucky_checks_within_the_gap_do_not_end_a_drift() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    life.check()
    life.lose()
    life.check()
    assert life.check(after=60).standing is VerdictKind.DRIFT


def test_failed_checks_count_scheduled_ones_in_a_row() -> None:
    life = live_until_ready()
    counts = [
        life.check(failed=Reason.NETWORK).failed_checks,
        life.check(failed=Reason.NETWORK, kind=CheckKind.RETRY).failed_checks,
        life.check(failed=Reason.AUTH).failed_checks,
        life.check(failed=Reason.AUTH, kind=CheckKind.MANUAL).failed_checks,
        life.check().failed_checks,
    ]
    assert counts == [1, 1, 2, 2, 0]


def test_a_failed_check_tells_its_reason_and_is_never_drift() -> None:
    life = live_until_ready()
    verdict = life.check(failed=Reason.QUOTA)
    assert (verdict.kind, verdict.reason, verdict.reason_message) == (
        VerdictKind.MEASUREMENT_FAILED,
        Reason.QUOTA,
        "the provider says quota",
    )
    assert verdict.measurement_errors == ((Reason.QUOTA, 34),)


def test_more_than_a_fifth_without_a_mark_is_a_failed_measurement_and_seven_of_34_are_too_many() -> None:
    life = live_until_ready()
    unusable = {question.id for question in life.questions[:6]}
    life.marks = lambda question, run_id: Reason.TRUNCATED if question.id in unusable else 0
    assert life.check().kind is VerdictKind.STABLE
    unusable.add(life.questions[6].id)
    verdict = life.check()
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.TRUNCATED)
    assert verdict.reason_message == "7 of 34 questions have no usable answer, most of them truncated"


def test_unusable_answers_are_not_wrong_answers() -> None:
    life = live_until_ready()
    life.marks = lambda question, run_id: Reason.TIMEOUT if question.id in LOST else 0
    verdict = life.check()
    assert (verdict.kind, verdict.accuracy[0].accuracy_ratio) == (VerdictKind.STABLE, 1.0)


def test_a_bad_first_day_is_left_out_of_the_baseline_and_one_more_run_is_collected() -> None:
    life = Life()
    life.marks = lambda question, run_id: 5 if question.area == "reasoning" and run_id == 1 else 0
    kinds = [life.check().kind.value for _ in range(6)]
    assert kinds == ["collecting"] * 5 + ["baseline_ready"]
    assert life.last is not None
    assert (life.last.baseline.left_out_run_ids, life.last.baseline.run_ids) == ((1,), (2, 3, 4, 5, 6))


def test_a_run_joins_the_baseline_after_two_more_clean_checks_until_fifteen_are_frozen() -> None:
    life = live_until_ready()
    sizes = [life.check().baseline for _ in range(13)]
    assert [state.runs for state in sizes] == [5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15]
    assert [state.frozen for state in sizes[-3:]] == [False, True, True]
    assert [event.run_ids for event in life.events] == [tuple(range(1, 16))]


def test_a_drift_discards_the_runs_that_wait_to_join() -> None:
    life = live_until_ready()
    life.live(1)
    life.lose(*LOST)
    life.live(2)
    assert life.last is not None
    assert life.last.baseline.run_ids == (1, 2, 3, 4, 5)


def test_a_loss_of_two_questions_after_the_freeze_is_a_trend_within_a_week_and_one_onset() -> None:
    life = Life()
    life.live(18)
    life.lose("reasoning-1", "japanese-1")
    days = [life.check() for _ in range(60)]
    onsets = [index for index, day in enumerate(days) if day.signal(Signal.TREND).since_at == day.decided_at - 7200]
    trend = [day.signal(Signal.TREND).confirmed for day in days]
    assert onsets == [trend.index(True)]
    assert trend.index(True) <= 7
    assert all(trend[trend.index(True) :])


def test_the_trend_alone_opens_a_ticket_but_never_pages() -> None:
    life = Life()
    life.live(18)
    life.lose("reasoning-1", "japanese-1")
    assert not any(life.check().signal(Signal.TREND).conclusive for _ in range(30))


def test_answers_half_as_long_are_a_token_shift_and_not_drift() -> None:
    life = live_until_ready()
    life.tokens = lambda question, run_id: 50
    verdict = life.check()
    assert (verdict.kind, verdict.signal(Signal.TOKENS).confirmed) == (VerdictKind.TOKEN_SHIFT, True)
    assert verdict.token_shift_ratio is not None
    assert round(verdict.token_shift_ratio, 6) == 0.5


def test_another_served_model_is_model_changed_and_ends_when_the_old_one_is_back() -> None:
    life = live_until_ready()
    life.identity = lambda question: "model-2"
    life.lose(*LOST)
    changed = life.check()
    assert (changed.kind, changed.tests) == (VerdictKind.MODEL_CHANGED, ())
    assert [(served.identity, served.in_baseline) for served in changed.served] == [("model-2", False)]
    life.identity = lambda question: "model-1"
    life.lose()
    back = life.check()
    assert (back.kind, back.standing) == (VerdictKind.STABLE, VerdictKind.STABLE)


def test_a_server_that_echoes_the_name_never_signals_a_changed_model() -> None:
    life = Life(evidence=Evidence.NONE)
    life.live(5)
    life.identity = lambda question: "model-2"
    assert life.check().kind is VerdictKind.STABLE


def test_a_minority_of_answers_by_an_unknown_model_is_rerouted_and_not_graded() -> None:
    life = live_until_ready()
    life.identity = lambda question: "fallback" if question.id in LOST else "model-1"
    life.lose(*LOST)
    verdict = life.check()
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ((Reason.REROUTED, 4),))


def test_accept_starts_a_new_baseline_with_the_runs_of_the_new_model() -> None:
    life = live_until_ready()
    life.identity = lambda question: "model-2"
    life.live(2)
    life.decide(EventKind.ACCEPT, identity="model-2")
    shown = life.shown()
    assert shown is not None
    assert (shown.standing, shown.baseline.runs) == (VerdictKind.COLLECTING, 2)
    assert [life.check().kind.value for _ in range(4)] == ["collecting", "collecting", "baseline_ready", "stable"]


def test_reset_clears_what_was_held_and_collects_anew() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    life.live(2)
    life.decide(EventKind.RESET)
    shown = life.shown()
    assert shown is not None
    assert (shown.standing, shown.baseline.runs, shown.tests) == (VerdictKind.COLLECTING, 0, ())
    assert not any(state.confirmed or state.conclusive for state in shown.signals)
    assert life.check().kind is VerdictKind.COLLECTING


def test_a_pin_freezes_the_chosen_runs_and_is_tested_against_at_once() -> None:
    life = Life()
    life.live(2)
    life.decide(EventKind.PIN, run_ids=(1, 2))
    verdict = life.check()
    assert (verdict.kind, verdict.baseline.pinned, verdict.baseline.run_ids) == (VerdictKind.STABLE, True, (1, 2))


def test_a_protocol_change_while_drifted_holds_the_signal_until_the_new_baseline_is_ready() -> None:
    life = live_until_ready()
    life.lose(*LOST)
    life.check()
    life.protocol = "protocol-2"
    shown = life.shown()
    assert shown is not None
    assert (shown.standing, shown.baseline.note, shown.baseline.runs) == (VerdictKind.DRIFT, "baseline collected while drifted", 0)
    days = [life.check() for _ in range(5)]
    assert [day.standing.value for day in days] == ["drift"] * 4 + ["baseline_ready"]
    assert days[3].notes == ("baseline collected while drifted",)
    assert not days[4].signal(Signal.ACCURACY).confirmed


def test_keep_carries_a_baseline_over_to_another_protocol() -> None:
    life = live_until_ready()
    life.protocol = "protocol-2"
    life.decide(EventKind.KEEP, from_protocol="protocol-1")
    assert life.check().kind is VerdictKind.STABLE


def test_a_question_added_after_the_freeze_collects_five_marks_of_its_own() -> None:
    life = Life()
    life.live(18)
    life.questions = (*life.questions, make_question("new-1", "reasoning"))
    days = [life.check() for _ in range(6)]
    pending = [next(count for count in day.questions if count.area == "reasoning").pending for day in days]
    assert pending == [1, 1, 1, 1, 1, 0]
    assert [event.question_keys for event in life.events] == [(), ("new-1",)]


def test_questions_lost_and_gained_are_told_against_the_baseline_and_the_run_before() -> None:
    life = Life()
    life.lose("japanese-2")
    life.live(5)
    life.lose("reasoning-1")
    verdict = life.check()
    assert [(flips.versus, flips.lost, flips.gained) for flips in verdict.flips] == [
        ("reference", ("reasoning-1",), ("japanese-2",)),
        ("previous", ("reasoning-1",), ("japanese-2",)),
    ]


def test_questions_right_only_some_of_the_time_are_listed_when_the_baseline_is_ready() -> None:
    life = Life()
    life.marks = lambda question, run_id: 1 if question.id == "japanese-3" and run_id % 2 else 0
    assert life.live(5).baseline.sometimes == ("japanese-3",)


def test_the_baseline_tells_the_accuracy_of_its_worst_and_its_best_run() -> None:
    life = Life()
    life.marks = lambda question, run_id: int(question.id == "reasoning-1" and run_id < 3)
    baseline = life.live(5).baseline
    assert (baseline.lowest_ratio, baseline.highest_ratio) == (pytest.approx(33 / 34), 1.0)


def test_an_easy_day_is_improved_and_silent() -> None:
    life = Life()
    life.marks = lambda question, run_id: 1 if int(question.id.rsplit("-", 1)[1]) % 2 == run_id % 2 else 0
    life.live(5)
    life.lose()
    verdict = life.check()
    assert verdict.kind is VerdictKind.IMPROVED
    assert not any(state.confirmed for state in verdict.signals)


def test_paging_on_the_same_day_needs_the_setting_and_an_overwhelming_loss() -> None:
    life = Life()
    life.decision = life.decision.model_copy(update={"page_same_day": True})
    life.live(15)
    life.marks = lambda question, run_id: 5 if question.area == "japanese" else 0
    assert life.check().signal(Signal.ACCURACY).conclusive


def test_three_page_checks_take_three_confirmed_checks() -> None:
    life = Life()
    life.decision = life.decision.model_copy(update={"page_checks": 3})
    life.live(5)
    life.lose(*LOST)
    assert [life.check().signal(Signal.ACCURACY).conclusive for _ in range(3)] == [False, False, True]


def test_a_signal_named_in_page_signals_is_conclusive_with_its_confirmation() -> None:
    life = Life(page_signals=(Signal.ACCURACY, Signal.TOKENS))
    life.live(5)
    life.tokens = lambda question, run_id: 50
    assert life.check().signal(Signal.TOKENS).conclusive
