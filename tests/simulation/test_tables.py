from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exporter.config import Decision
from exporter.simulation.answers import Conditions
from exporter.simulation.figures import Figure, Row, Table, largest, mean, mean_count, quantile, share
from exporter.simulation.judging import Bench
from exporter.simulation.models import NOTHING, PROFILES, Change, Profile, make_questions
from exporter.simulation.procedures import counting, product
from exporter.simulation.runs import Norms, Runs
from exporter.simulation.tables import TABLES, Plan
from exporter.simulation.words import describe
from exporter.simulation.work import generator, spread
from exporter.verdicts.holds import Outcome

PERFECT = Profile("perfect", 1.0, 1.0)
PLAN = Plan(
    questions=make_questions({"a": 8, "b": 8}),
    procedure=product(Decision()),
    conditions=Conditions(),
    sources=(PERFECT,),
    trials=40,
    users=30,
    quiet_days=30,
    delay_days=7,
    seed=1,
)


def unheard(done: int, total: int) -> None:
    """Nobody watches."""


def make(name: str, plan: Plan) -> Table:
    return TABLES[name](plan, 1, unheard)


def values(table: Table, column: str) -> list[float | None]:
    return [row.figures[column].value for row in table.rows]


def test_a_perfect_model_shows_each_loss_and_nothing_else_in_the_table_of_one_day() -> None:
    table = make("day", PLAN)
    assert [(row.labels["baseline"], row.labels["change"]) for row in table.rows][:7] == [
        ("5 runs", "nothing"),
        ("5 runs", "1 lost (5 %)"),
        ("5 runs", "2 lost (10 %)"),
        ("5 runs", "3 lost (20 %)"),
        ("5 runs", "logit -0.5"),
        ("5 runs", "logit -1"),
        ("5 runs", "4 of one area lost"),
    ]
    rows = {row.labels["change"]: row.figures for row in table.rows if row.labels["baseline"] == "15 runs"}
    # one of 16 runs the worst is no sign; two questions are 1/256 of 60 %, three 1/4096
    assert {change: figures["one run"].value for change, figures in rows.items()} == {
        "nothing": 0,
        "1 lost (5 %)": 0,
        "2 lost (10 %)": 0,
        "3 lost (20 %)": 100,
        "logit -0.5": 0,
        "logit -1": 0,
        "4 of one area lost": 100,
        "15 % shorter": 0,
    }
    assert [rows[change]["drift"].value for change in ("nothing", "2 lost (10 %)", "3 lost (20 %)")] == [0, 100, 100]
    # five more tries for each lost question, in both runs; now and then a second run for its lengths
    assert rows["3 lost (20 %)"]["asked"].value == 2 * (16 + 3 * 5)
    assert rows["nothing"]["asked"] == Figure(
        pytest.approx(16 + 16 * (rows["nothing"]["screen"].value or 0) / 100), rows["nothing"]["asked"].error
    )


def test_nothing_happens_to_a_perfect_model_on_quiet_days() -> None:
    table = make("quiet", replace(PLAN, procedure=counting(Decision())))
    assert [row.labels["counted"] for row in table.rows] == [
        "tickets, accuracy",
        "tickets, trend",
        "tickets, tokens",
        "tickets, all",
        "pages",
        "asked a day",
    ]
    for column in ("mean", "median", "95 % of users", "worst user"):
        assert values(table, column) == [0, 0, 0, 0, 0, 16]


def test_a_perfect_model_s_losses_are_told_and_paged_at_once() -> None:
    table = make("delay", PLAN)
    told = {row.labels["change"]: row.figures for row in table.rows}
    assert [told["3 lost (20 %)"][column].value for column in ("1 d", "7 d", "median", "paged 1 d", "paged 7 d")] == [100, 100, 1, 100, 100]
    assert told["nothing"]["median"] == Figure(None, None)
    assert table.notes == ("no median: half of the users or more were not told within 7 days",)
    assert "14 d" not in told["nothing"]


def test_a_bad_first_day_is_left_out_where_it_is_bad_enough() -> None:
    plan = replace(PLAN, users=4, conditions=Conditions(bad_first_day=6))
    assert set(values(make("delay", plan), "left out")) == {100}
    assert "left out" not in make("delay", replace(PLAN, users=2)).rows[0].figures


@pytest.mark.parametrize("name", TABLES)
def test_the_same_seed_gives_the_same_figures_and_another_others(name: str) -> None:
    plan = replace(PLAN, sources=(PROFILES["mixed"],), users=3, quiet_days=12, delay_days=7)
    assert make(name, plan) == make(name, plan)
    assert make(name, plan) != make(name, replace(plan, seed=2))


def test_the_same_figures_come_from_one_process_and_from_two() -> None:
    plan = replace(PLAN, sources=(PERFECT, PROFILES["mixed"]), trials=30)
    heard: list[tuple[int, int]] = []
    assert TABLES["day"](plan, 2, lambda done, total: heard.append((done, total))) == make("day", plan)
    assert heard[-1] == (4, 4)


def test_results_come_in_the_order_of_the_tasks() -> None:
    heard: list[tuple[int, int]] = []
    assert spread(abs, [-3, 2, -1], 1, lambda done, total: heard.append((done, total))) == [3, 2, 1]
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_each_place_has_chance_of_its_own() -> None:
    drawn = [generator(*place).random() for place in [(1, "day", 2), (1, "day", 3), (1, "quiet", 2), (2, "day", 2), (1, "day", 2)]]
    assert len(set(drawn)) == 4
    assert drawn[0] == drawn[-1]


def counted(first: int, second: int, questions: int = 6) -> tuple[Norms, Runs]:
    """Five runs without a wrong answer; today so many questions wrong, the same ones from the left."""

    def runs(wrong: list[int]) -> Runs:
        scores = np.array([[[int(question < lost) for question in range(questions)] for lost in wrong]])
        return Runs(scores, 1.0 - scores, 1.0 - scores, np.zeros(scores.shape), np.zeros(scores.shape, dtype=np.int64))

    return Norms(runs([0] * 5), np.ones((1, 5), dtype=np.bool_)), runs([first, second])


@pytest.mark.parametrize(
    ("first", "second", "screen", "pooled", "seconded", "outcome"),
    [
        # one question: the worst of six runs; both runs the worst two of seven, one of 21 pairs
        (1, 1, 1 / 6, 1 / 21, False, Outcome.NEGATIVE),
        (2, 2, 1 / 36, 1 / 441, True, Outcome.CONFIRMED),
        # six of 21 pairs hold a run that is wrong once in seven: 2/7 for each question
        (2, 0, 1 / 36, 4 / 49, True, Outcome.NEITHER),
        # one question twice and one once: 1/21 · 2/7 is not 1 %
        (2, 1, 1 / 36, 2 / 147, True, Outcome.NEITHER),
        # the pooled 1/21² · 2/7 is, and the second run has 1/36
        (3, 2, 1 / 216, 2 / 3087, True, Outcome.CONFIRMED),
        # and with one question less it has 1/6
        (4, 1, 1 / 1296, 8 / 7203, True, Outcome.NEITHER),
    ],
)
def test_right_answers_are_counted_as_by_hand(
    first: int, second: int, screen: float, pooled: float, seconded: bool, outcome: Outcome
) -> None:
    procedure = counting(Decision())
    bench = Bench(make_questions({"a": 6}), procedure.decision, tokens=procedure.tokens)
    norms, runs = counted(first, second)
    assert bench.test_accuracy(norms, runs.at(np.s_[:, :1]))[0].p_value == pytest.approx(screen, abs=1e-14)
    assert bench.test_accuracy(norms, runs)[0].p_value == pytest.approx(pooled, abs=1e-14)
    (found,) = bench.judge(norms, runs)
    assert (found.seconded, found.accuracy.outcome) == (seconded, outcome)


def test_counting_has_the_levels_of_the_published_monitors() -> None:
    decision = counting(Decision()).decision
    levels = (decision.alpha, decision.screen_alpha, decision.second_run_alpha, decision.overall_share, decision.min_drop_points)
    assert levels == (0.01, 0.05, 0.05, 0.6, 5)


def test_a_drop_below_five_points_is_not_counted_as_drift() -> None:
    """Two of 41 questions are 4.9 points."""
    procedure = counting(Decision())
    outcomes = []
    for questions in (40, 41):
        bench = Bench(make_questions({"a": questions}), procedure.decision, tokens=False)
        (found,) = bench.judge(*counted(2, 2, questions))
        outcomes.append(found.accuracy.outcome)
    assert outcomes == [Outcome.CONFIRMED, Outcome.NEITHER]


def test_figures_with_their_errors() -> None:
    assert share(50, 100) == Figure(50, pytest.approx(5))
    assert share(0, 98) == Figure(0, pytest.approx(100 * (0.01 * 0.99 / 98) ** 0.5))
    assert mean(np.array([1.0, 2.0, 3.0])) == Figure(2, pytest.approx(1 / 3**0.5))
    assert mean_count(np.zeros(3)) == Figure(0, pytest.approx(0.5 / 3**0.5))
    assert largest(np.array([1.0, 4.0])) == Figure(4, None)
    assert quantile(np.full(9, 7.0), 0.95, generator(1)) == Figure(7, 0)
    assert quantile(np.arange(101.0), 0.5, generator(1)).value == 50
    assert quantile(np.arange(101.0), 0.5, generator(1)).error == pytest.approx(5, abs=1.5)


def test_what_tables_say_in_sentences() -> None:
    def row(label: str, **figures: tuple[float, float]) -> Row:
        return Row(
            {"model": "bot", **dict([label.split(": ")])}, {name.replace("_", " "): Figure(*figure) for name, figure in figures.items()}
        )

    changes = (NOTHING, Change("1 lost", lost=1), Change("2 lost", lost=2))
    delay = Table("delay", "", tuple(row(f"change: {change.name}", **told) for change, told in zip(changes, TOLD, strict=True)))
    quiet = Table("quiet", "", (row("counted: tickets, all", mean=(0.3, 0.02)), row("counted: pages", mean=(0.001, 0.001))))
    assert describe({"delay": delay, "quiet": quiet}, changes, 300, 3) == [
        "You would be told of a loss of 1 question within 30 days in 88 ± 2.0 % of cases.",
        "You would be told of a loss of 2 questions within 1 day in 94 ± 1.5 % of cases.",
        "Expect 1.1 ± 0.07 false alarms a year over 3 targets like this one, and 0.0037 ± 0.004 false pages.",
    ]
    assert describe({}, changes, 300, 3) == []


TOLD = (
    {"1_d": (0.0, 1.0), "30_d": (2.0, 1.0)},
    {"1_d": (10.0, 3.0), "7_d": (60.0, 3.0), "30_d": (88.0, 2.0)},
    {"1_d": (94.0, 1.5), "7_d": (100.0, 0.5)},
)
