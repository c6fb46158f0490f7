"""The Prometheus operator's resources (monitoring.coreos.com/v1) as far as one may use them here: another key is a mistake.

The operator's own checks refuse an unknown key only on a server; field names and patterns are those of its API reference.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Duration = Annotated[str, Field(pattern=r"^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$")]
NonEmptyDuration = Annotated[Duration, Field(min_length=1)]
LabelName = Annotated[str, Field(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]*$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Metadata(Strict):
    name: Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length=253)]
    namespace: str | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}


class Selector(Strict):
    matchLabels: dict[str, str]  # noqa: N815 - the API's own spelling


class Endpoint(Strict):
    port: Annotated[str, Field(min_length=1)]
    path: str
    scheme: Literal["http", "https"] = "http"
    interval: NonEmptyDuration
    scrapeTimeout: NonEmptyDuration  # noqa: N815 - the API's own spelling
    honorLabels: bool = False  # noqa: N815 - the API's own spelling


class ServiceMonitorSpec(Strict):
    selector: Selector
    endpoints: Annotated[list[Endpoint], Field(min_length=1)]
    jobLabel: str | None = None  # noqa: N815 - the API's own spelling
    targetLabels: list[str] = []  # noqa: N815 - the API's own spelling


class ServiceMonitor(Strict):
    apiVersion: Literal["monitoring.coreos.com/v1"]  # noqa: N815 - the API's own spelling
    kind: Literal["ServiceMonitor"]
    metadata: Metadata
    spec: ServiceMonitorSpec


class RecordingRule(Strict):
    record: Annotated[str, Field(pattern=r"^[a-zA-Z_:][a-zA-Z0-9_:]*$")]
    expr: Annotated[str, Field(min_length=1)]
    labels: dict[LabelName, str] = {}


class AlertingRule(Strict):
    alert: Annotated[str, Field(min_length=1)]
    expr: Annotated[str, Field(min_length=1)]
    for_: Annotated[NonEmptyDuration | None, Field(alias="for")] = None
    keep_firing_for: NonEmptyDuration | None = None
    labels: dict[LabelName, str] = {}
    annotations: dict[LabelName, str] = {}


class RuleGroup(Strict):
    name: Annotated[str, Field(min_length=1)]
    interval: NonEmptyDuration | None = None
    limit: int | None = None
    rules: list[RecordingRule | AlertingRule]


class PrometheusRuleSpec(Strict):
    groups: Annotated[list[RuleGroup], Field(min_length=1)]


class PrometheusRule(Strict):
    apiVersion: Literal["monitoring.coreos.com/v1"]  # noqa: N815 - the API's own spelling
    kind: Literal["PrometheusRule"]
    metadata: Metadata
    spec: PrometheusRuleSpec


MODELS: dict[str, type[ServiceMonitor] | type[PrometheusRule]] = {"ServiceMonitor": ServiceMonitor, "PrometheusRule": PrometheusRule}
