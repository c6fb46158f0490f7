"""One class per block of the config file. Cross-checks between keys are in `crosschecks`.

Field descriptions are read by people: the example file, the JSON Schema and docs/configuration.md are made of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, PrivateAttr, Tag

from exporter.config.durations import parse_duration
from exporter.config.places import Places
from exporter.config.scalars import (
    NEVER,
    Age,
    BaseUrl,
    Cron,
    Duration,
    EnvName,
    HeaderName,
    HeaderValue,
    LabelName,
    Level,
    Line,
    Once,
    PositiveDuration,
    StorageUrl,
    TargetName,
    Timezone,
    Tokens,
    Usd,
    UsdPerMtok,
)
from exporter.records import Signal

Api = Literal["openai_chat", "openai_responses", "azure_openai", "anthropic", "gemini", "mistral", "cohere", "ollama"]
ToolCalling = Literal["api", "text"]
Facet = Literal["model", "fingerprint", "host", "tier", "region"]


class Block(BaseModel):
    """Unknown keys are refused; values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)

    _places: Places = PrivateAttr(default_factory=Places)

    def placed(self, places: Places) -> Self:
        """The same block, knowing where it stands in the file."""
        self._places = places
        return self


class Schedule(Block):
    """When a target is checked."""

    cron: Cron = Field(
        "0 9 * * *", description="When checks are due: minute, hour, day of month, month, day of week; a sixth field in front is seconds."
    )
    timezone: Timezone = Field("UTC", description="Time zone of cron, by its IANA name.")
    spread: Duration = Field(900.0, description="Each target is checked later by a fixed offset of its own, shorter than this.")


GAP_SLACK = 0.99
"""A schedule exactly as far apart as `baseline_min_gap` (twice a day) keeps the gap, though one start be some seconds early."""


class RetryFailedCheck(Block):
    """A check that could not be measured is tried again."""

    after: Duration = Field(3600.0, description="How long after a check that could not be measured it is tried again.")
    times: Annotated[int, Field(ge=0)] = Field(3, description="How many times it is tried again before the next scheduled check.")


class Decision(Block):
    """How a verdict is reached."""

    alpha: Level = Field(0.004, description="Level that both runs of a check, pooled, must pass for drift.")
    screen_alpha: Level = Field(0.05, description="Level at which a first run asks for a second one.")
    second_run_alpha: Level = Field(0.05, description="Level that the second run alone must pass too.")
    min_drop_points: Annotated[float, Field(ge=0, le=100)] = Field(
        5, description="Smallest loss that counts as drift, in points of 100: of first tries right, or of questions ever right."
    )
    overall_share: Level = Field(0.6, description="Share of the level that is spent on the whole set; the areas share the rest.")
    trend_alpha: Level = Field(0.001, description="Level of the trend test over the last weeks.")
    trend_rearm: Level = Field(0.01, description="Level above which the trend test is armed again.")
    trend_windows: Annotated[tuple[Annotated[int, Field(ge=2)], ...], Field(min_length=1), Once] = Field(
        (7, 14, 28), description="Windows of the trend test, in runs."
    )
    token_screen_alpha: Level = Field(0.01, description="Level at which answer lengths ask for a second run.")
    token_alpha: Level = Field(0.001, description="Level that answer lengths must pass for token_shift.")
    token_min_log_ratio: Annotated[float, Field(ge=0)] = Field(
        0.12, description="Smallest change in answer length that counts, as a natural logarithm (0.12 is about 13 %)."
    )
    improved_alpha: Level = Field(0.01, description="Level at which a better run is called improved.")
    confirm_after: Duration = Field(3600.0, description="How long after the first run the second one starts.")
    recheck_after: Duration = Field(43200.0, description="How long after a confirmed check an extra one follows.")
    page_checks: Annotated[int, Field(ge=2)] = Field(2, description="Confirmed checks in a row that make a drop conclusive.")
    page_same_day: bool = Field(False, description="Whether one day alone may be conclusive.")
    page_same_day_alpha: Level = Field(1e-6, description="Level that one day must pass to be conclusive alone.")
    tries: Annotated[int, Field(ge=1, le=10)] = Field(6, description="How often a question is asked until it is answered right.")
    samples: Annotated[int, Field(ge=1, le=20)] = Field(
        1, description="How often each question is asked in one run, each time with its own tries."
    )
    baseline_runs: Annotated[int, Field(ge=3)] = Field(5, description="Runs that a baseline needs before anything is judged.")
    baseline_max_runs: Annotated[int, Field(ge=3)] = Field(15, description="Runs at which a baseline is frozen.")
    baseline_min_gap: Duration = Field(43200.0, description="Shortest time between two runs of a baseline.")
    out_of_line_alpha: Level = Field(
        0.01, description="Level at which a run that is worse than the other first runs is left out of the baseline."
    )
    max_error_rate: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.2, description="Share of questions without a usable answer above which a run is a failed measurement."
    )
    retry_failed_check: RetryFailedCheck = Field(RetryFailedCheck(), description="What follows a check that could not be measured.")

    def are_apart(self, earlier_at: float, later_at: float) -> bool:
        """Whether two runs are `baseline_min_gap` apart, give or take 1 %: a start is never to the second where a schedule puts it."""
        return later_at - earlier_at >= GAP_SLACK * self.baseline_min_gap


class Budget(Block):
    """Caps for each target. null is no cap; days and months are UTC."""

    usd_per_check: Usd | None = Field(2.0, description="Most dollars one check may cost, its second run included.")
    tokens_per_check: Tokens | None = Field(300_000, description="Most tokens one check may use, input and output together.")
    usd_per_day: Usd | None = Field(5.0, description="Most dollars a day.")
    tokens_per_day: Tokens | None = Field(None, description="Most tokens a day.")
    usd_per_month: Usd | None = Field(50.0, description="Most dollars a month.")
    tokens_per_month: Tokens | None = Field(None, description="Most tokens a month.")


class TotalBudget(Block):
    """Caps over all targets together. null is no cap; days and months are UTC."""

    usd_per_check: Usd | None = Field(None, description="Most dollars that any one check may cost.")
    tokens_per_check: Tokens | None = Field(None, description="Most tokens that any one check may use.")
    usd_per_day: Usd | None = Field(None, description="Most dollars a day, over all targets.")
    tokens_per_day: Tokens | None = Field(None, description="Most tokens a day, over all targets.")
    usd_per_month: Usd | None = Field(None, description="Most dollars a month, over all targets.")
    tokens_per_month: Tokens | None = Field(None, description="Most tokens a month, over all targets.")


class Price(Block):
    """Dollars for a million tokens."""

    input_usd_per_mtok: UsdPerMtok = Field(description="Dollars for a million input tokens.")
    output_usd_per_mtok: UsdPerMtok = Field(description="Dollars for a million output tokens, reasoning included.")
    cached_input_usd_per_mtok: UsdPerMtok | None = Field(
        None, description="Dollars for a million cached input tokens; null: as other input."
    )


GeneratedLevel = Literal["easy", "medium", "hard"]
FEWEST_GENERATED, MOST_GENERATED = 12, 500


class Generated(Block):
    """The suite `generated`: questions that nobody else knows."""

    seed_file: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="File that holds the seed, a secret; relative to the config file; null: no target asks the suite generated."
    )
    level: GeneratedLevel = Field("medium", description="How hard the generated questions are.")
    count: Annotated[int, Field(ge=FEWEST_GENERATED, le=MOST_GENERATED)] = Field(34, description="How many questions are generated.")


PRICE_FORMS = ("<prices>", "<word>")
"""The two forms of `price`, as they are named in pydantic's locations."""


def _price_form(value: object) -> str:
    return PRICE_FORMS[0] if isinstance(value, dict | Price) else PRICE_FORMS[1]


AnyPrice = Annotated[Annotated[Price, Tag(PRICE_FORMS[0])] | Annotated[Literal["unknown"], Tag(PRICE_FORMS[1])], Discriminator(_price_form)]


class Target(Block):
    """An endpoint with a model.

    `schedule`, `decision` and `budget` are complete: the top-level block with the target's own keys laid over it.
    """

    name: TargetName = Field(description="What the target is called, in metrics, commands and the history.")
    formerly: TargetName | None = Field(None, description="The target's name before it was renamed; history and holds are kept.")
    api: Api = Field(description="The API that the endpoint speaks.")
    base_url: BaseUrl | None = Field(None, repr=False, description="URL of the endpoint; null: the vendor's own.")
    model: Line = Field(description="The model to ask for, as the endpoint names it.")
    api_key_file: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="File that holds the API key and nothing else; relative to the config file; read again at each check."
    )
    api_key_env: EnvName | None = Field(None, description="Environment variable that holds the API key.")
    provider: Line | None = Field(None, description="Label to group targets by; null: the API's own provider, else the host of base_url.")
    suites: Annotated[tuple[Line, ...], Field(min_length=1), Once] = Field(
        ("core",), description="Suites to ask: names of built-in ones, generated, or files and folders, relative to the config file."
    )
    areas: Annotated[tuple[Line, ...], Field(min_length=1), Once] | None = Field(
        None, description="The only areas to ask; null: all of the suites."
    )
    system: str | None = Field(None, description="System prompt that is sent with every question.")
    reasoning_effort: Line | None = Field(None, description="Reasoning effort to ask for, in the API's own words.")
    max_tokens_field: Line | None = Field(None, description="Name of the request field that limits the answer; null: the API's own.")
    identity: Annotated[tuple[Facet, ...], Field(min_length=1), Once] = Field(
        ("model",), description="What of a response makes up the served identity."
    )
    page_signals: Annotated[tuple[Signal, ...], Once] = Field(
        (Signal.ACCURACY,), description="Signals that may become conclusive, and so page."
    )
    price: AnyPrice | None = Field(
        None, description="Prices for spend and caps; null: looked up by model; unknown: caps count tokens only."
    )
    sampling: dict[str, Any] = Field({}, description="Sampling parameters to send, such as temperature; newest models refuse some.")
    max_tokens_scale: Annotated[float, Field(gt=0, le=1000)] = Field(1.0, description="Factor on the answer limit of every question.")
    concurrency: Annotated[int, Field(ge=1, le=256)] = Field(4, description="Requests under way at once.")
    request_timeout: PositiveDuration = Field(90.0, description="Longest time for one request.")
    run_deadline: PositiveDuration = Field(600.0, description="Longest time for one run; the second run has its own.")
    tool_calling: ToolCalling = Field(
        "api", description="How tools are offered: api, through the API's own tool calling; text, in the prompt, for servers without it."
    )
    stream: bool = Field(False, description="Whether answers are streamed, for gateways that accept nothing else.")
    headers: dict[HeaderName, HeaderValue] = Field({}, repr=False, description="HTTP headers to send with every request.")
    extra_body: dict[str, Any] = Field({}, repr=False, description="Fields to add to the body of every request.")
    labels: dict[LabelName, str] = Field({}, description="Labels of this target on model_drift_target_info.")
    schedule: Schedule = Field(Schedule(), description="Keys of the top-level block to set otherwise for this target.")
    decision: Decision = Field(Decision(), description="Keys of the top-level block to set otherwise for this target.")
    budget: Budget = Field(Budget(), description="Keys of the top-level block to set otherwise for this target.")

    def locate(self, *path: str | int) -> str:
        """Where a key of this target stands: `config.yml:14: targets[1].price`; for a target of no file, by its name."""
        places = self._places if self._places.file else Places(f"target {self.name}")
        return places.locate(*path)


class Retention(Block):
    """How long what is kept for looking back stays. What judging needs stays whatever its age."""

    grades: Age = Field("400d", description="How long grades and single requests are kept; never: for good.")
    errors: Age = Field("90d", description="How long errors are kept, of each target's newest 50; never: for good.")

    @property
    def grades_seconds(self) -> float | None:
        """None is for good."""
        return _seconds(self.grades)

    @property
    def errors_seconds(self) -> float | None:
        """None is for good."""
        return _seconds(self.errors)


def _seconds(age: str) -> float | None:
    return None if age == NEVER else parse_duration(age)


class Config(Block):
    """The whole file. `total_budget` is `budget.total` of the file."""

    storage: StorageUrl = Field(
        "sqlite:///data/history.db",
        repr=False,
        description="Where history is kept; a file relative to the working directory, four slashes for an absolute path; or a PostgreSQL.",
    )
    storage_password_file: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="File that holds the password of a PostgreSQL; relative to the config file; read again at each connection."
    )
    retention: Retention = Field(Retention(), description="How long old grades and errors are kept; docs/storage.md explains it.")
    concurrency: Annotated[int, Field(ge=1)] = Field(64, description="Requests under way at once, over all targets.")
    export_questions: bool = Field(False, description="Whether question ids may become labels.")
    schedule: Schedule = Field(Schedule(), description="When targets are checked.")
    decision: Decision = Field(Decision(), description="How a verdict is reached; docs/decision.md explains each.")
    budget: Budget = Field(Budget(), description="Caps for each target; null is no cap. Days and months are UTC.")
    total_budget: TotalBudget = Field(TotalBudget(), description="Caps over all targets together; null is no cap.")
    generated: Generated = Field(Generated(), description="The suite generated: private questions from a seed; docs/suites.md explains it.")
    targets: tuple[Target, ...] = Field((), description="The endpoints to watch, each with its model.")

    def locate(self, *path: str | int) -> str:
        """Where a key stands: `locate("targets", 1, "price")` is `config.yml:14: targets[1].price`."""
        return self._places.locate(*path)
