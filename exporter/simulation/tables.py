"""The three tables, of whatever models, questions and conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from exporter.records import Question
from exporter.simulation.answers import Conditions
from exporter.simulation.day import DayTask, columns_by_area, simulate_days
from exporter.simulation.delay import SPREAD_DAYS, DelayTask, simulate_delays
from exporter.simulation.figures import Table
from exporter.simulation.models import Change, Source, changes_for
from exporter.simulation.procedures import Procedure
from exporter.simulation.quiet import QuietTask, simulate_quiet
from exporter.simulation.work import Report


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated. `trials` are those of each row of the table of one day, `users` those of the others."""

    questions: tuple[Question, ...]
    procedure: Procedure
    conditions: Conditions
    sources: tuple[Source, ...]
    trials: int
    users: int
    quiet_days: int
    delay_days: int
    seed: int

    @property
    def changes(self) -> tuple[Change, ...]:
        """What is looked for."""
        return changes_for(len(self.questions), max(map(len, columns_by_area(self.questions))))


def one_day(plan: Plan, processes: int, report: Report) -> Table:
    """How often one check finds what, at the smallest and at the full size of the baseline."""
    decision = plan.procedure.decision
    template = DayTask(
        plan.questions, plan.procedure, plan.conditions, plan.changes, plan.sources[0], decision.baseline_runs, plan.trials, plan.seed
    )
    sizes = sorted({decision.baseline_runs, decision.baseline_max_runs})
    rows = simulate_days(template, plan.sources, sizes, processes, report)
    return Table("day", f"One day: shares of days in %, and answers asked for on it; {plan.trials} days in each row", tuple(rows))


def quiet_days(plan: Plan, processes: int, report: Report) -> Table:
    """Tickets and pages of users to whose targets nothing happens."""
    template = QuietTask(plan.questions, plan.procedure, plan.conditions, plan.sources[0], plan.users, plan.quiet_days, plan.seed)
    rows = simulate_quiet(template, plan.sources, processes, report)
    title = f"{plan.quiet_days} days on which nothing changes, from the first run on; {plan.users} users with one target each"
    return Table("quiet", title, tuple(rows))


def delays(plan: Plan, processes: int, report: Report) -> Table:
    """How long until a change is told."""
    template = DelayTask(
        plan.questions, plan.procedure, plan.conditions, plan.changes, plan.sources[0], plan.users, plan.delay_days, plan.seed
    )
    rows = simulate_delays(template, plan.sources, processes, report)
    title = (
        f"A change on one of the {SPREAD_DAYS} days after the freeze: users told, and paged, within so many days in %, and the median"
        f" in days; {plan.users} users in each row"
    )
    unknown = f"no median: half of the users or more were not told within {plan.delay_days} days"
    return Table("delay", title, tuple(rows), (unknown,) if any(row.figures["median"].value is None for row in rows) else ())


TABLES: Mapping[str, Callable[[Plan, int, Report], Table]] = {"day": one_day, "quiet": quiet_days, "delay": delays}
"""The tables by name."""
