"""The config in use: config, suites, references and prices checked together, and swapped as one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from exporter.clock import SystemClock
from exporter.config import Config, Price, Target, load_config, read_seed, shown_config
from exporter.daemon.protocol import protocol_hash, question_of
from exporter.errors import ConfigError, ExporterError, Problem, UsageError
from exporter.prices import find_price
from exporter.probing.plan import plan_run
from exporter.providers import open_provider, provider_label
from exporter.records import Evidence, Question
from exporter.suites import GENERATED, generate_suite, load_suites
from exporter.verdicts import Subject

_LoadSuites = Callable[[tuple[str, ...], tuple[str, ...] | None], tuple[tuple[Question, ...], tuple[Problem, ...]]]
"""The questions of these suites in these areas, or what is wrong with them."""


RUNS_A_CHECK = 1.05
"""Runs that a check should take: the first, and a second one in about one of twenty."""


@dataclass(frozen=True)
class LiveTarget:
    """A target with all that its checks need. `price` is None where the target says that it is unknown."""

    target: Target
    questions: tuple[Question, ...]
    price: Price | None
    protocol: str
    evidence: Evidence
    provider: str

    @property
    def name(self) -> str:
        """The target's name."""
        return self.target.name

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """Areas in the order in which they first come."""
        return tuple(dict.fromkeys(question.area for question in self.questions))

    @cached_property
    def question_ids(self) -> tuple[str, ...]:
        """Of all questions, in their order."""
        return tuple(question.id for question in self.questions)

    @cached_property
    def check_estimate_usd(self) -> float | None:
        """What a check should cost by the questions alone; None where the price is not known."""
        return plan_run(self.target, self.questions, self.price).estimate.times(RUNS_A_CHECK).usd

    @property
    def subject(self) -> Subject:
        """The target as the judge sees it."""
        target = self.target
        return Subject(target.name, self.protocol, self.questions, target.decision, self.evidence, target.page_signals)


@dataclass(frozen=True, slots=True)
class LiveConfig:
    """A config that can be run as it is."""

    config: Config
    targets: Mapping[str, LiveTarget]

    @property
    def shown(self) -> str:
        """Its text without secrets. Written when it is asked for: of a thousand targets that takes seconds."""
        return shown_config(self.config)


def find_renames(live: LiveConfig, known: Collection[str]) -> dict[str, str]:
    """Targets whose history is still under their former name, which is given for each. `known` are the targets that have a history."""
    former = {name: target.target.formerly for name, target in live.targets.items() if name not in known}
    return {name: formerly for name, formerly in former.items() if formerly is not None and formerly in known}


def require_same_storage(in_use: Config, loaded: Config) -> None:
    """Raise UsageError where a config that was loaded again names another store, or another file for its password."""
    for key in ("storage", "storage_password_file"):
        if getattr(loaded, key) != getattr(in_use, key):
            raise UsageError(Problem(loaded.locate(key), "cannot be changed by a reload", "restart the program"))


def load_live(path: Path, *, with_keys: bool = True) -> LiveConfig:
    """Read the config file and all that it names. Raises ConfigError with the problems of all rooms at once.

    Without `with_keys` nothing is said of API keys that cannot be read: who only looks needs none.
    """
    return build_live(load_config(path, with_keys=with_keys), path.parent)


def build_live(config: Config, folder: Path) -> LiveConfig:
    """The same for a config that is read already; suites are looked for from `folder`."""
    problems: list[Problem] = []
    targets = {}
    load = _suite_loader(folder, generate_for(config))
    for target in config.targets:
        try:
            targets[target.name] = _build_target(target, load)
        except ExporterError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise ConfigError(problems)
    return LiveConfig(config, targets)


def generate_for(config: Config) -> dict[str, Any] | None:
    """The generated suite, where a target asks it and there is a seed. Raises ConfigError where the seed cannot be used."""
    if not any(GENERATED in target.suites for target in config.targets):
        return None
    seed = read_seed(config)
    return None if seed is None else generate_suite(seed, config.generated.level, config.generated.count)


def build_target(target: Target, folder: Path) -> LiveTarget:
    """One target with its questions and price. Raises ConfigError with all its problems."""
    return _build_target(target, _suite_loader(folder, None))


def _suite_loader(folder: Path, generated: Mapping[str, Any] | None) -> _LoadSuites:
    """Reads suites from `folder`, each choice of them once: targets that ask the same share one tuple of questions."""

    @cache
    def load(suites: tuple[str, ...], areas: tuple[str, ...] | None) -> tuple[tuple[Question, ...], tuple[Problem, ...]]:
        try:
            return load_suites(suites, folder, areas, generated), ()
        except ExporterError as error:
            return (), tuple(error.problems)

    return load


def _build_target(target: Target, load: _LoadSuites) -> LiveTarget:
    problems: list[Problem] = []
    price = None
    evidence = Evidence.NONE
    try:
        evidence = open_provider(target, lambda: None, SystemClock()).evidence
    except ExporterError as error:
        problems += error.problems
    questions, faults = load(target.suites, target.areas)
    problems += faults
    if target.tool_calling == "text":
        questions = tuple(question_of(target, question) for question in questions)
    try:
        price = find_price(target, where=target.locate("price"))
    except ExporterError as error:
        problems += error.problems
    if problems:
        raise ConfigError(problems)
    return LiveTarget(target, questions, price, protocol_hash(target), evidence, provider_label(target))
