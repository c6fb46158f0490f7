"""From history and today's runs to the one verdict of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from exporter.records import (
    Check,
    CheckKind,
    Reason,
    Run,
    RunState,
    Signal,
    SignalState,
    TestResult,
    Verdict,
    VerdictKind,
)
from exporter.verdicts.accuracy import (
    AccuracyTest,
    all_worse,
    areas_to_test,
    describe_accuracy,
    examine_accuracy,
    tested_questions,
)
from exporter.verdicts.baseline import Baseline, describe_baseline, form_baseline
from exporter.verdicts.compare import find_flips
from exporter.verdicts.describe import count_questions, describe_failure, describe_run
from exporter.verdicts.findings import Seconded, asks_for_second_run, find_accuracy, find_tokens, find_trend
from exporter.verdicts.habits import examine_habits
from exporter.verdicts.history import Freeze, History, Subject, accepted_protocols, clears_holds
from exporter.verdicts.holds import Finding, Outcome, advance, clear_by_events, standing_kind
from exporter.verdicts.identity import describe_facets, describe_served
from exporter.verdicts.measured import MeasuredRun, measure
from exporter.verdicts.tokens import confirms_tokens, examine_tokens, input_token_shift_ratio, token_shift_ratio
from exporter.verdicts.trend import examine_trend
from exporter.verdicts.usable import is_changed, known_to, usable_run, usable_runs

COLLECTED_WHILE_DRIFTED = "baseline collected while drifted"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, and the baseline memberships that were reached with it and have to be recorded."""

    verdict: Verdict
    freezes: tuple[Freeze, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tested:
    """What the tests of one check found."""

    kind: VerdictKind
    findings: Mapping[Signal, Finding]
    tests: tuple[TestResult, ...]


def needs_second_run(subject: Subject, history: History, run: Run) -> bool:
    """Whether a first run is positive at the screen, so that a second one has to tell chance from change."""
    baseline = form_baseline(subject, history)
    raw = measure(run, subject.decision.tries)
    if run.state is not RunState.MEASURED or is_changed(subject, baseline, raw):
        return False
    first = usable_run(subject, baseline, run)
    if first is None or _is_foreign(subject, history, run) or not tested_questions(baseline, (first,), subject.questions):
        return False
    accuracy = examine_accuracy(baseline, (first,), subject.questions, subject.decision.overall_share)
    return asks_for_second_run(accuracy, examine_tokens(baseline, (first,), subject.questions), subject.decision)


def judge(subject: Subject, history: History, check: Check, decided_at: float) -> Judgement:
    """The verdict of a check whose runs have ended. `check.runs` has the first run, and the second if one was asked.

    A first run that is positive at the screen and has no measured second one beside it is judged as unconfirmable.
    """
    standing = form_baseline(subject, history)
    foreign = _is_foreign(subject, history, check.runs[0])
    baseline = form_baseline(subject, History()) if foreign else standing
    previous = history.previous
    states = clear_by_events(previous.signals if previous else (), history.events, previous.event_id if previous else 0)
    run = check.runs[0]
    raw = measure(run, subject.decision.tries)
    verdict = Verdict(
        target=subject.target,
        check_id=check.id,
        decided_at=decided_at,
        kind=VerdictKind.MEASUREMENT_FAILED,
        standing=VerdictKind.MEASUREMENT_FAILED,
        protocol=subject.protocol,
        runs=sum(each.state is RunState.MEASURED for each in check.runs),
        questions_asked=sum(grade.right is not None for each in check.runs for grade in each.grades),
        signals=states,
        baseline=describe_baseline(standing, subject.questions),
        served=describe_served(baseline, raw, None if is_changed(subject, baseline, raw) else known_to(subject, baseline)),
        unnamed_answers=raw.usable - sum(raw.identities.values()),
        facets=describe_facets(baseline, raw),
        failed_checks=previous.failed_checks if previous else 0,
        measurement_errors=_count_errors(subject, baseline, check.runs),
        event_id=max((event.id for event in history.events), default=0),
    )
    first = usable_run(subject, baseline, run) if run.state is RunState.MEASURED else None
    changed = run.state is RunState.MEASURED and is_changed(subject, baseline, raw)
    if first is None and not changed:
        failed = describe_failure(verdict, subject, baseline, run, measure(run, subject.decision.tries, known_to(subject, baseline)))
        failed_checks = verdict.failed_checks + (check.kind is CheckKind.SCHEDULED)
        return Judgement(replace(failed, failed_checks=failed_checks, standing=standing_kind(failed.kind, states)))
    runs = (first or raw,) if changed else usable_runs(subject, baseline, check.runs)
    verdict = replace(
        describe_run(verdict, subject, baseline, runs[0]),
        failed_checks=0,
        accuracy=describe_accuracy(baseline, runs, subject.questions),
        questions=count_questions(baseline, runs[0], subject.questions),
        flips=find_flips(baseline, runs, _previous_run(history, subject), subject.questions),
        token_shift_ratio=token_shift_ratio(baseline, runs, subject.questions),
        input_token_shift_ratio=input_token_shift_ratio(baseline, runs, subject.questions),
    )
    if changed:
        verdict = replace(verdict, kind=VerdictKind.MODEL_CHANGED)
        findings: Mapping[Signal, Finding] = {Signal.IDENTITY: Finding(Outcome.CONFIRMED)}
    elif not tested_questions(baseline, runs, subject.questions):
        return _collect(subject, history, check, verdict, standing)
    else:
        tested = _test(subject, baseline, runs)
        verdict = replace(verdict, kind=tested.kind, tests=tested.tests)
        findings = tested.findings
    states = tuple(_advance(subject, state, findings, run.started_at) for state in states)
    verdict = replace(verdict, signals=states, standing=standing_kind(verdict.kind, states))
    after = form_baseline(subject, _with(history, check, verdict))
    return Judgement(replace(verdict, baseline=describe_baseline(after, subject.questions)), after.freezes)


def refresh(subject: Subject, history: History) -> Verdict | None:
    """The last verdict as it stands now: after a reset, pin, accept or keep, or with a protocol changed by the config.

    None before the first check. Figures that rest on a baseline that is gone are dropped.
    """
    previous = history.previous
    if previous is None:
        return None
    newer = [event for event in history.events if event.id > previous.event_id]
    same_protocol = previous.protocol in accepted_protocols(subject.protocol, history.events)
    if same_protocol and not any(clears_holds(event) for event in newer):
        return previous
    states = clear_by_events(previous.signals, history.events, previous.event_id)
    baseline = form_baseline(subject, history)
    kind = VerdictKind.BASELINE_READY if baseline.ready else VerdictKind.COLLECTING
    held = any(state.confirmed for state in states) and not baseline.ready
    return replace(
        previous,
        protocol=subject.protocol,
        kind=kind,
        standing=standing_kind(kind, states),
        signals=states,
        baseline=describe_baseline(baseline, subject.questions, COLLECTED_WHILE_DRIFTED if held else ""),
        tests=(),
        flips=(),
        token_shift_ratio=None,
        input_token_shift_ratio=None,
        baseline_refusal_ratio=None,
        baseline_truncated_ratio=None,
        baseline_reasoning_in_content_ratio=None,
    )


def _collect(subject: Subject, history: History, check: Check, verdict: Verdict, baseline: Baseline) -> Judgement:
    """A measured run that there is nothing to test against yet."""
    after = form_baseline(subject, _with(history, check, None))
    was_ready = _is_testable(subject, baseline)
    ready = _is_testable(subject, after) and not was_ready
    held = tuple(SignalState(state.signal) if _is_over(state, baseline) and not was_ready else state for state in verdict.signals)
    states = tuple(SignalState(state.signal) for state in held) if ready else held
    kind = VerdictKind.BASELINE_READY if ready else VerdictKind.COLLECTING
    note = COLLECTED_WHILE_DRIFTED if any(state.confirmed for state in held) and not was_ready else ""
    verdict = replace(
        verdict,
        kind=kind,
        standing=standing_kind(kind, states),
        signals=states,
        baseline=describe_baseline(after, subject.questions, note),
        notes=(*verdict.notes, note) if note else verdict.notes,
    )
    return Judgement(verdict, after.freezes)


def _is_foreign(subject: Subject, history: History, run: Run) -> bool:
    """Whether the run was asked in another way than this baseline: the config was changed before its check could end."""
    return run.protocol not in accepted_protocols(subject.protocol, history.events)


def _is_testable(subject: Subject, baseline: Baseline) -> bool:
    return any(baseline.tests(question.key) for question in subject.questions)


def _is_over(state: SignalState, baseline: Baseline) -> bool:
    """Whether a changed model was told of against this very baseline, young as it is: then a run of the old one ends it."""
    if state.signal is not Signal.IDENTITY or state.since_at is None or not baseline.runs:
        return False
    return state.since_at > baseline.runs[0].started_at


def _test(subject: Subject, baseline: Baseline, runs: Sequence[MeasuredRun]) -> _Tested:
    decision, questions = subject.decision, subject.questions
    screen = examine_accuracy(baseline, runs[:1], questions, decision.overall_share)
    token_screen = examine_tokens(baseline, runs[:1], questions)
    trend = examine_trend(baseline, runs[0], questions, decision)
    seconded, shifted, looks_bad = None, False, screen.p_value <= decision.alpha
    if len(runs) > 1:
        seconded = _second(subject, baseline, runs)
        pooled_tokens = examine_tokens(baseline, runs, questions)
        shifted = confirms_tokens(baseline, pooled_tokens, runs, questions, decision)
        accuracy_results, tokens_result = (
            seconded.pooled.results(decision.alpha),
            pooled_tokens.result(decision.token_alpha, passed=shifted),
        )
    else:
        passed = token_screen.p_value <= decision.token_screen_alpha
        looks_bad = looks_bad or (passed and confirms_tokens(baseline, token_screen, runs, questions, decision))
        accuracy_results = screen.results(decision.screen_alpha)
        tokens_result = token_screen.result(decision.token_screen_alpha, passed=passed)
    findings = {
        Signal.ACCURACY: find_accuracy(screen, seconded, decision),
        Signal.TOKENS: find_tokens(token_screen, decision, shifted=shifted),
        Signal.TREND: find_trend(trend, decision),
        Signal.IDENTITY: Finding(Outcome.CLEARED),
    }
    kind = _kind_of(findings, screen, decision.improved_alpha, looks_bad=looks_bad, seconded=seconded is not None)
    further = (tokens_result if token_screen.is_known else None, trend)
    deciding = (*accuracy_results, *(result for result in further if result is not None))
    return _Tested(kind, findings, (*deciding, *examine_habits(baseline, runs[0], questions)))


def _kind_of(
    findings: Mapping[Signal, Finding], screen: AccuracyTest, improved_alpha: float, *, looks_bad: bool, seconded: bool
) -> VerdictKind:
    """`looks_bad`: the first run alone passed the level of drift or, where it is the only one, that of token_shift."""
    if Outcome.CONFIRMED in (findings[Signal.ACCURACY].outcome, findings[Signal.TREND].outcome):
        return VerdictKind.DRIFT
    if findings[Signal.TOKENS].outcome is Outcome.CONFIRMED:
        return VerdictKind.TOKEN_SHIFT
    if looks_bad:
        return VerdictKind.UNCONFIRMED if seconded else VerdictKind.SUSPECT
    return VerdictKind.IMPROVED if screen.overall.lower <= improved_alpha else VerdictKind.STABLE


def _second(subject: Subject, baseline: Baseline, runs: Sequence[MeasuredRun]) -> Seconded:
    questions, overall_share = subject.questions, subject.decision.overall_share
    tested = tested_questions(baseline, runs, questions)
    areas = areas_to_test(tested)
    drops = {area.area: area.drop_ratio for area in describe_accuracy(baseline, runs, tested)}
    return Seconded(
        pooled=examine_accuracy(baseline, runs, questions, overall_share, areas=areas),
        alone=examine_accuracy(baseline, runs[-1:], questions, overall_share, areas=areas),
        drops=drops,
        all_worse=all_worse(baseline, runs, questions),
    )


def _advance(subject: Subject, state: SignalState, findings: Mapping[Signal, Finding], checked_at: float) -> SignalState:
    finding = findings.get(state.signal, Finding(Outcome.UNKNOWN))
    return advance(state, finding, checked_at, subject.decision, subject.page_signals)


def _count_errors(subject: Subject, baseline: Baseline, runs: Sequence[Run]) -> tuple[tuple[Reason, int], ...]:
    """Questions left without a mark, by reason, over all runs; those never asked count for the run's own reason."""
    counts: Counter[Reason] = Counter()
    for run in runs:
        changed = is_changed(subject, baseline, measure(run, subject.decision.tries))
        measured = measure(run, subject.decision.tries, None if changed else known_to(subject, baseline))
        for question in subject.questions:
            if question.key not in measured.scores:
                counts[measured.errors.get(question.key, run.reason or Reason.INTERRUPTED)] += 1
    return tuple(sorted(counts.items()))


def _previous_run(history: History, subject: Subject) -> MeasuredRun | None:
    for check in reversed(history.checks):
        for run in check.runs:
            if run.number == 1 and run.state is RunState.MEASURED:
                return measure(run, subject.decision.tries)
    return None


def _with(history: History, check: Check, verdict: Verdict | None) -> History:
    return replace(history, checks=(*history.checks, replace(check, verdict=verdict)))
