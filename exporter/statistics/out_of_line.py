"""Runs of a young baseline that are worse than the others can explain."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.statistics.holm import adjust
from exporter.statistics.stratified import Stratum, exact_test


def find_out_of_line(runs: Sequence[Sequence[int | None]], level: float) -> tuple[int, ...]:
    """Indices of the runs to leave out, in the order in which they were found.

    Rows are runs, columns are questions, entries are scores (higher is worse) or None for no mark. Each run is tested
    against all others that are still in, worse only, over all questions; the p-values are adjusted by Holm over the
    runs. The worst goes if its adjusted p is below `level`, and the rest is tested again, down to three runs: of two
    that differ nobody can say which is the odd one.
    """
    staying = list(range(len(runs)))
    left_out = []
    while len(staying) > 2:
        adjusted = adjust([exact_test(against_others(runs, index, staying)).upper for index in staying])
        worst = min(range(len(staying)), key=lambda place: adjusted[place])
        if adjusted[worst] >= level:
            break
        left_out.append(staying.pop(worst))
    return tuple(left_out)


def against_others(runs: Sequence[Sequence[int | None]], index: int, staying: Sequence[int]) -> list[Stratum]:
    """One stratum a question: the score of run `index` as the new one, those of the other runs of `staying` as the baseline."""
    others = [runs[other] for other in staying if other != index]
    columns = zip(runs[index], *others, strict=True)
    return [Stratum(tuple([score for score in rest if score is not None]), (new,)) for new, *rest in columns if new is not None]
