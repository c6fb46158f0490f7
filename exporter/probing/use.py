"""What past runs used, question by question: the next estimate rests on it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from exporter.records import Run


@dataclass(frozen=True, slots=True)
class PastUse:
    """By question key: mean tokens in and out of a usable answer, the longest one, and the mean number of tries in a run."""

    input_tokens: Mapping[str, float] = field(default_factory=dict)
    output_tokens: Mapping[str, float] = field(default_factory=dict)
    longest_output_tokens: Mapping[str, int] = field(default_factory=dict)
    tries: Mapping[str, float] = field(default_factory=dict)


def past_use(runs: Iterable[Run]) -> PastUse:
    """What `runs` used, from their usable answers. A question they never measured is in none of the mappings."""
    inputs: dict[str, list[int]] = defaultdict(list)
    outputs: dict[str, list[int]] = defaultdict(list)
    tries: dict[str, dict[tuple[int, int], int]] = defaultdict(lambda: defaultdict(int))
    for run in runs:
        for grade in run.grades:
            if grade.right is None:
                continue
            tries[grade.question_key][run.id, grade.sample] += 1
            if grade.input_tokens:
                inputs[grade.question_key].append(grade.input_tokens)
            if grade.output_tokens:
                outputs[grade.question_key].append(grade.output_tokens)
    return PastUse(
        input_tokens={key: fmean(tokens) for key, tokens in inputs.items()},
        output_tokens={key: fmean(tokens) for key, tokens in outputs.items()},
        longest_output_tokens={key: max(tokens) for key, tokens in outputs.items()},
        tries={key: fmean(cells.values()) for key, cells in tries.items()},
    )
