"""Who served a run, and from where."""

from __future__ import annotations

from dataclasses import replace

from exporter.records import Evidence, FacetShare, Reason, ServedModel, Verdict, VerdictKind
from exporter.verdicts.baseline import form_baseline
from exporter.verdicts.identity import describe_facets
from exporter.verdicts.measured import measure
from tests.verdicts.lives import Life

FEW = ("reasoning-1", "japanese-1", "japanese-2")


def live_until_ready(evidence: Evidence = Evidence.WEAK) -> Life:
    life = Life(evidence=evidence)
    life.host = lambda question: "north"
    life.live(5)
    return life


def shares(verdict: Verdict) -> list[tuple[str, int, bool, bool]]:
    return [(one.identity, one.answers, one.in_baseline, one.rerouted) for one in verdict.served]


def test_a_minority_that_the_baseline_never_saw_is_rerouted_and_told_with_its_share() -> None:
    life = live_until_ready()
    life.identity = lambda question: "fallback" if question.id in FEW else "model-1"
    verdict = life.check()
    assert verdict.served == (
        ServedModel("model-1", None, 31 / 34, in_baseline=True, answers=31),
        ServedModel("fallback", None, 3 / 34, in_baseline=False, answers=3, rerouted=True),
    )
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ((Reason.REROUTED, 3),))


def test_a_minority_that_the_baseline_saw_too_is_part_of_the_norm() -> None:
    life = Life()
    life.identity = lambda question: "sibling" if question.id in FEW else "model-1"
    verdict = life.live(6)
    assert shares(verdict) == [("model-1", 31, True, False), ("sibling", 3, True, False)]
    assert verdict.measurement_errors == ()


def test_names_that_prove_nothing_reroute_nothing() -> None:
    life = live_until_ready(Evidence.NONE)
    life.identity = lambda question: "fallback" if question.id in FEW else "model-1"
    verdict = life.check()
    assert shares(verdict) == [("model-1", 31, True, False), ("fallback", 3, True, False)]
    assert verdict.measurement_errors == ()


def test_a_majority_of_strangers_is_a_changed_model_and_nobody_is_rerouted() -> None:
    life = live_until_ready()
    life.identity = lambda question: "model-1" if question.id in FEW else "model-2"
    verdict = life.check()
    assert verdict.kind is VerdictKind.MODEL_CHANGED
    assert shares(verdict) == [("model-2", 31, False, False), ("model-1", 3, True, False)]


def test_answers_that_name_nobody_are_counted_apart_and_take_their_part_of_the_shares() -> None:
    life = live_until_ready()
    life.identity = lambda question: "fallback" if question.id in FEW else None
    verdict = life.check()
    assert verdict.unnamed_answers == 31
    assert [(one.identity, one.share_ratio, one.rerouted) for one in verdict.served] == [("fallback", 3 / 34, True)]


def test_the_hosts_of_a_run_are_told_and_decide_nothing() -> None:
    life = live_until_ready()
    life.host = lambda question: "south" if question.id in FEW else "north"
    verdict = life.check()
    assert verdict.facets == (
        FacetShare("host", "north", 31, 31 / 34, in_baseline=True),
        FacetShare("host", "south", 3, 3 / 34, in_baseline=False),
    )
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ())


def test_a_facet_that_the_baseline_tells_nothing_of_is_not_new() -> None:
    life = Life()
    life.live(5)
    life.host = lambda question: "south"
    assert life.check().facets == (FacetShare("host", "south", 34, 1.0, in_baseline=True),)


def test_of_many_values_the_five_most_frequent_are_listed_and_the_others_added_up() -> None:
    life = live_until_ready()
    run = life.run(1)
    grades = tuple(grade._replace(host=None, fingerprint=f"fp-{min(number, 9)}") for number, grade in enumerate(run.grades))
    facets = describe_facets(form_baseline(life.subject, life.history), measure(replace(run, grades=grades), 5))
    assert [(one.facet, one.value, one.answers) for one in facets] == [
        ("fingerprint", "fp-9", 25),
        ("fingerprint", "fp-0", 1),
        ("fingerprint", "fp-1", 1),
        ("fingerprint", "fp-2", 1),
        ("fingerprint", "fp-3", 1),
        ("fingerprint", None, 5),
    ]


def test_unusable_answers_are_nobodys_share() -> None:
    life = live_until_ready()
    life.marks = lambda question, run_id: Reason.REFUSAL if question.id in FEW else 0
    verdict = life.check()
    assert (shares(verdict), verdict.unnamed_answers) == ([("model-1", 31, True, False)], 0)
