"""Every metric family that this program adds to /metrics, in the order in which they appear there.

The only place that names them. The exposition, docs/metrics.md, dashboards and rules are tested against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from exporter.metrics.family import PREFIX, Family, FamilyType, Label, Origin
from exporter.metrics.tallies import DURATION_BOUNDS_SECONDS, LOG_LEVELS
from exporter.records import Evidence, Reason, Signal, SpendPeriod, TestName, VerdictKind
from exporter.store.database import OPERATIONS

_UNITS = frozenset({"ratio", "seconds", "tokens", "usd"})

TARGET = Label("target", None, "`name` of the target in the config")
AREA = Label("area", None, "an area of the target's suites, or `overall` for the whole set")
OWN_AREA = Label("area", None, "an area of the target's suites")
VERDICT = Label("verdict", tuple(VerdictKind))
RESULT = Label("result", tuple(VerdictKind))
SIGNAL = Label("signal", tuple(Signal))
TEST = Label("test", tuple(TestName))
REASON = Label("reason", tuple(Reason))
PERIOD = Label("period", tuple(SpendPeriod), "days and months are UTC")
ALL_OR_TARGET = Label("target", None, 'as above; `""` for the caps over all targets together')
BOUND = Label("bound", ("estimate", "lower", "upper"))
STATE = Label("state", ("tested", "pending", "unusable"))
VERSUS = Label("versus", ("reference", "previous"))
DIRECTION = Label("direction", ("lost", "gained"))
IN_BASELINE = Label("baseline", ("true", "false"))
OPERATION = Label("operation", OPERATIONS)
LEVEL = Label("level", LOG_LEVELS)
EVIDENCE = Label("identity_evidence", tuple(Evidence))

_SERVED_MODEL = Label("served_model")
_SERVED = (TARGET, _SERVED_MODEL, Label("fingerprint"), IN_BASELINE)
_TARGET_INFO = (
    TARGET,
    Label("provider", None, "`provider` of the config, else the preset's name or the host of `base_url`"),
    Label("api"),
    Label("model"),
    Label("suites", None, "separated by commas"),
    Label("protocol", None, "short hash of everything that is sent but the question itself"),
    EVIDENCE,
)


def _unit(name: str) -> str:
    word = name.removesuffix("_total").rpartition("_")[2]
    return word if word in _UNITS else ""


def _gauge(name: str, summary: str, *labels: Label, origin: Origin = Origin.CHECK, extra_labels: bool = False) -> Family:
    return Family(PREFIX + name, FamilyType.GAUGE, summary, labels, _unit(name), origin, extra_labels)


def _counter(name: str, summary: str, *labels: Label, origin: Origin = Origin.STORE) -> Family:
    return Family(PREFIX + name, FamilyType.COUNTER, summary, labels, _unit(name), origin)


FAMILIES: tuple[Family, ...] = (
    _gauge(
        "build_info",
        "Always 1. The running version of this exporter, its source revision and its Python.",
        Label("version"),
        Label("revision"),
        Label("python_version"),
        origin=Origin.STATE,
    ),
    _gauge(
        "target_info",
        "Always 1. What the config says of a target, with the target's own labels; join on target.",
        *_TARGET_INFO,
        origin=Origin.STATE,
        extra_labels=True,
    ),
    _gauge("verdict", "1 for the verdict that stands for the target, 0 for all others.", TARGET, VERDICT),
    _gauge(
        "verdict_changed_timestamp_seconds",
        "Unix time of the check or decision since which the present verdict stands. Absent where a changed protocol ended the one before.",
        TARGET,
    ),
    _gauge("confirmed", "1 from the check that confirmed a change until it is over: worth a ticket, not yet a page.", TARGET, SIGNAL),
    _gauge("conclusive", "1 while a confirmed change is beyond what one bad day explains: worth a page.", TARGET, SIGNAL),
    _gauge("confirmed_checks", "Checks in a row, up to the last one, whose own test confirmed the change.", TARGET, SIGNAL),
    _gauge("confirmation_pending", "1 while a check has asked for a second run and waits for it.", TARGET, origin=Origin.STATE),
    _gauge("failed_checks", "Scheduled checks in a row, up to the last one, that could not be measured.", TARGET),
    _gauge("accuracy_ratio", "Share of questions answered right at the first try.", TARGET, AREA),
    _gauge("baseline_accuracy_ratio", "Share of the same questions answered right at the first try in the baseline.", TARGET, AREA),
    _gauge(
        "accuracy_change_ratio",
        "Accuracy less baseline accuracy, with its 95 % bounds. For people to read: no verdict rests on it.",
        TARGET,
        AREA,
        BOUND,
    ),
    _gauge(
        "p_value",
        "Adjusted p-value: how likely a result this far from the baseline would be had nothing changed. "
        "input_tokens, refusals, truncated and reasoning_in_content only inform.",
        TARGET,
        TEST,
        AREA,
    ),
    _gauge("significance_threshold", "Level that the p-value of the whole set is held against.", TARGET, TEST),
    _gauge(
        "baseline_overdispersion_p_value",
        "How likely it is that baseline runs differ this much by chance; a small value means that days differ among themselves.",
        TARGET,
    ),
    _gauge("token_shift_ratio", "Length of answers in output tokens over that of the baseline; 1 is the same length.", TARGET),
    _gauge("input_token_shift_ratio", "Input tokens over those of the baseline; not 1: tokenizer or prompt template changed.", TARGET),
    _gauge("refusal_ratio", "Share of questions that the model refused to answer.", TARGET),
    _gauge("truncated_ratio", "Share of questions whose answer was cut off at the token limit.", TARGET),
    _gauge("reasoning_in_content_ratio", "Share of questions whose answer carried the model's reasoning in its text.", TARGET),
    _gauge("questions", "Questions by state: tested, still collecting a baseline, or not usable in this check.", TARGET, OWN_AREA, STATE),
    _gauge("questions_flipped", "Questions lost or gained against the reference or the run before.", TARGET, VERSUS, DIRECTION),
    _gauge(
        "served_model_info",
        "Always 1. The newest models that the provider said had answered, at most 5, and whether the baseline knows them.",
        *_SERVED,
    ),
    _gauge(
        "served_ratio",
        "Share of answers by the model that the provider said had served, the 5 largest. More than one: a run was served by several.",
        TARGET,
        _SERVED_MODEL,
        IN_BASELINE,
    ),
    _gauge("served_model_changed_timestamp_seconds", "Unix time when the provider last named another model than before.", TARGET),
    _counter("measurement_errors_total", "Questions left without a usable answer after all retries.", TARGET, REASON),
    _gauge("unusable_answers_ratio", "Share of questions without a usable answer.", TARGET),
    _counter("checks_total", "Finished checks by their own verdict.", TARGET, RESULT),
    _counter("requests_total", "Requests to the provider, retries included.", TARGET),
    _counter("request_failures_total", "Requests to the provider that brought no usable answer.", TARGET, REASON),
    Family(
        PREFIX + "request_duration_seconds",
        FamilyType.HISTOGRAM,
        "Time from sending a request to the last byte of its answer.",
        (TARGET,),
        "seconds",
        Origin.PROCESS,
        buckets=DURATION_BOUNDS_SECONDS,
    ),
    _counter("input_tokens_total", "Input tokens used.", TARGET),
    _counter("output_tokens_total", "Output tokens used, reasoning included.", TARGET),
    _counter("reasoning_tokens_total", "Output tokens used for reasoning.", TARGET),
    _counter("spend_usd_total", "Dollars spent. Absent where the price is not known.", TARGET),
    _counter("spend_estimated_usd_total", "Part of the dollars spent that rests on estimates.", TARGET),
    _gauge("budget_limit_usd", "Cap in dollars. Absent where there is none.", ALL_OR_TARGET, PERIOD, origin=Origin.STATE),
    _gauge("budget_spent_usd", "Dollars spent or reserved in the present period.", ALL_OR_TARGET, PERIOD, origin=Origin.STATE),
    _gauge("budget_limit_tokens", "Cap in tokens. Absent where there is none.", ALL_OR_TARGET, PERIOD, origin=Origin.STATE),
    _gauge("budget_spent_tokens", "Tokens spent or reserved in the present period.", ALL_OR_TARGET, PERIOD, origin=Origin.STATE),
    _gauge("check_estimate_usd", "Dollars that the next check should cost.", TARGET, origin=Origin.STATE),
    _gauge("baseline_runs", "Runs that the baseline is made of.", TARGET),
    _gauge("baseline_runs_required", "Runs that a baseline needs before anything is tested.", TARGET, origin=Origin.STATE),
    _gauge("baseline_frozen", "1 once the baseline takes in no further runs.", TARGET),
    _gauge("last_check_timestamp_seconds", "Unix time when the last check ended, measured or not.", TARGET, origin=Origin.STATE),
    _gauge("last_success_timestamp_seconds", "Unix time when the last check that could be measured ended.", TARGET, origin=Origin.STATE),
    _gauge(
        "next_check_timestamp_seconds",
        "Unix time when the next check is due; stays at a missed time until it runs.",
        TARGET,
        origin=Origin.STATE,
    ),
    _gauge("last_check_duration_seconds", "Time that the last check took, without the wait for its second run.", TARGET),
    _gauge("check_in_progress", "1 while a check asks its questions.", TARGET, origin=Origin.STATE),
    _gauge("snapshot_timestamp_seconds", "Unix time when the values shown here were last read from the store.", origin=Origin.STATE),
    _gauge(
        "config_last_reload_successful",
        "1 if the last load of the config file worked, 0 if the one before is still in use.",
        origin=Origin.DAEMON,
    ),
    _gauge(
        "config_last_reload_success_timestamp_seconds",
        "Unix time of the last load of the config file that worked.",
        origin=Origin.DAEMON,
    ),
    _gauge(
        "web_config_last_reload_successful",
        "1 if the last load of the web config file worked, 0 if the one before is still in use. Absent where there is no such file.",
        origin=Origin.DAEMON,
    ),
    _gauge(
        "web_config_last_reload_success_timestamp_seconds",
        "Unix time of the last load of the web config file that worked. What has not changed is not loaded anew.",
        origin=Origin.DAEMON,
    ),
    _gauge(
        "config_outdated",
        "1 if another replica with this store has loaded another config since: what that one defines otherwise is left to it.",
        origin=Origin.DAEMON,
    ),
    _gauge("replicas", "Replicas that serve from this store, this one included.", origin=Origin.DAEMON),
    _counter("store_errors_total", "Failed operations on the store.", OPERATION, origin=Origin.PROCESS),
    _counter("log_messages_total", "Log lines.", LEVEL, origin=Origin.PROCESS),
)

BY_NAME: Mapping[str, Family] = MappingProxyType({family.name.removeprefix(PREFIX): family for family in FAMILIES})
"""The families by their names without the prefix."""
