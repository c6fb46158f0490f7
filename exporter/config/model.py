"""One class per block of the config file. Cross-checks between blocks are in `load`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from exporter.config.durations import parse_duration
from exporter.records import Signal

Duration = Annotated[float, BeforeValidator(parse_duration), Field(json_schema_extra={"type": "string"})]
"""Seconds; written as a Go duration ("90s", "1h30m", "250ms") in the file."""

Level = Annotated[float, Field(gt=0, lt=1)]
Api = Literal["openai_chat", "openai_responses", "azure_openai", "anthropic", "gemini", "mistral", "cohere", "ollama"]


class Block(BaseModel):
    """Unknown keys are refused; values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Schedule(Block):
    """When a target is checked. `spread` shifts each target by a fixed offset of its own, smaller than this."""

    cron: str = "0 9 * * *"
    timezone: str = "UTC"
    spread: Duration = 900.0


class RetryFailedCheck(Block):
    """A check that could not be measured is tried again."""

    after: Duration = 3600.0
    times: Annotated[int, Field(ge=0)] = 3


class Decision(Block):
    """How a verdict is reached; docs/decision.md explains each."""

    alpha: Level = 0.004
    screen_alpha: Level = 0.05
    second_run_alpha: Level = 0.05
    min_drop_points: Annotated[float, Field(ge=0, le=100)] = 5
    overall_share: Level = 0.6
    trend_alpha: Level = 0.001
    trend_rearm: Level = 0.01
    trend_windows: tuple[Annotated[int, Field(ge=2)], ...] = (7, 14, 28)
    token_screen_alpha: Level = 0.01
    token_alpha: Level = 0.001
    token_min_log_ratio: Annotated[float, Field(ge=0)] = 0.12
    improved_alpha: Level = 0.01
    confirm_after: Duration = 3600.0
    recheck_after: Duration = 43200.0
    page_checks: Annotated[int, Field(ge=2)] = 2
    page_same_day: bool = False
    page_same_day_alpha: Level = 1e-6
    tries: Annotated[int, Field(ge=1, le=10)] = 5
    samples: Annotated[int, Field(ge=1, le=20)] = 1
    baseline_runs: Annotated[int, Field(ge=3)] = 5
    baseline_max_runs: Annotated[int, Field(ge=3)] = 15
    baseline_min_gap: Duration = 43200.0
    out_of_line_alpha: Level = 0.01
    max_error_rate: Annotated[float, Field(ge=0, lt=1)] = 0.2
    retry_failed_check: RetryFailedCheck = RetryFailedCheck()


class Budget(Block):
    """Caps in dollars and tokens per check, day and month (UTC). None is no cap."""

    usd_per_check: Annotated[float, Field(gt=0)] | None = 0.50
    tokens_per_check: Annotated[int, Field(gt=0)] | None = 120_000
    usd_per_day: Annotated[float, Field(gt=0)] | None = 5.0
    tokens_per_day: Annotated[int, Field(gt=0)] | None = None
    usd_per_month: Annotated[float, Field(gt=0)] | None = 50.0
    tokens_per_month: Annotated[int, Field(gt=0)] | None = None


class Price(Block):
    """Dollars for a million tokens."""

    input_usd_per_mtok: Annotated[float, Field(ge=0)]
    output_usd_per_mtok: Annotated[float, Field(ge=0)]
    cached_input_usd_per_mtok: Annotated[float, Field(ge=0)] | None = None


class Target(Block):
    """An endpoint with a model.

    `schedule`, `decision` and `budget` are complete: the top-level block with the target's own keys laid over it.
    """

    name: Annotated[str, Field(min_length=1, max_length=128)]
    formerly: str | None = None
    api: Api
    base_url: str | None = None
    model: Annotated[str, Field(min_length=1)]
    api_key_file: str | None = None
    api_key_env: str | None = None
    provider: str | None = None
    suites: tuple[str, ...] = ("core",)
    areas: tuple[str, ...] | None = None
    system: str | None = None
    reasoning_effort: str | None = None
    max_tokens_field: str | None = None
    identity: tuple[Literal["model", "fingerprint", "host", "tier", "region"], ...] = ("model",)
    page_signals: tuple[Signal, ...] = (Signal.ACCURACY,)
    price: Price | Literal["unknown"] | None = None
    sampling: dict[str, Any] = {}
    max_tokens_scale: Annotated[float, Field(gt=0)] = 1.0
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    request_timeout: Duration = 90.0
    run_deadline: Duration = 600.0
    stream: bool = False
    headers: dict[str, str] = {}
    extra_body: dict[str, Any] = {}
    labels: dict[str, str] = {}
    schedule: Schedule = Schedule()
    decision: Decision = Decision()
    budget: Budget = Budget()


class TotalBudget(Block):
    """Caps over all targets together; nothing is capped unless set."""

    usd_per_check: Annotated[float, Field(gt=0)] | None = None
    tokens_per_check: Annotated[int, Field(gt=0)] | None = None
    usd_per_day: Annotated[float, Field(gt=0)] | None = None
    tokens_per_day: Annotated[int, Field(gt=0)] | None = None
    usd_per_month: Annotated[float, Field(gt=0)] | None = None
    tokens_per_month: Annotated[int, Field(gt=0)] | None = None


class Config(Block):
    """The whole file. `total_budget` is `budget.total` of the file; `concurrency` limits requests under way over all targets."""

    storage: str = "sqlite:///data/history.db"
    concurrency: Annotated[int, Field(ge=1)] = 64
    export_questions: bool = False
    schedule: Schedule = Schedule()
    decision: Decision = Decision()
    budget: Budget = Budget()
    total_budget: TotalBudget = TotalBudget()
    targets: tuple[Target, ...] = ()
