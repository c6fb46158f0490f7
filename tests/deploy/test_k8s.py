"""What kustomize makes of deploy/k8s is what Kubernetes takes, in the oldest version that is meant and in the newest."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from pydantic import ValidationError

from scripts.prometheusrule import RESOURCE, render
from tests.deploy.kustomizations import (
    BASE,
    COMPONENTS,
    EXAMPLE,
    POSTGRES,
    REPLICAS,
    TOP,
    Resource,
    build,
    only,
    with_component,
    workload_of,
)
from tests.deploy.operator_resources import MODELS
from tests.deploy.rules import RULES_FILE, load

VERSIONS = ("1.28", "1.37")
DASHBOARDS = TOP / "deploy" / "grafana" / "dashboards"
LARGEST_CONFIG_MAP_BYTES = 2**20
EXAMPLES = pytest.mark.parametrize("example", [EXAMPLE, REPLICAS], ids=lambda folder: folder.name)


def check(resource: Resource) -> None:
    """Raise where Kubernetes or the Prometheus operator would refuse it, unknown keys included."""
    if resource["apiVersion"].startswith("monitoring.coreos.com/"):
        MODELS[resource["kind"]].model_validate(resource)
        return
    for version in VERSIONS:
        kubernetes_validate.validate(resource, version, strict=True)


@pytest.mark.parametrize("folder", [BASE, EXAMPLE, REPLICAS], ids=lambda folder: folder.name)
def test_each_kustomization_builds_what_kubernetes_takes(folder: Path) -> None:
    resources = build(folder)
    assert len(resources) >= 5
    for resource in resources:
        check(resource)


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda folder: folder.name)
def test_each_component_adds_to_the_base_what_kubernetes_takes(component: Path, tmp_path: Path) -> None:
    base, both = build(BASE), build(with_component(component, tmp_path))
    added, gone = [resource for resource in both if resource not in base], [resource for resource in base if resource not in both]
    assert [resource["kind"] for resource in gone] == (["StatefulSet"] if component == POSTGRES else [])
    assert len(both) == len(base) + len(added) - len(gone)
    assert added != []
    for resource in added:
        check(resource)


@pytest.mark.parametrize(("example", "left_out"), [(EXAMPLE, {POSTGRES}), (REPLICAS, set())], ids=["one", "replicas"])
def test_every_component_is_in_an_example(example: Path, left_out: set[Path]) -> None:
    named = yaml.safe_load((example / "kustomization.yaml").read_text(encoding="utf-8"))["components"]
    assert {(example / name).resolve() for name in named} == set(COMPONENTS) - left_out


def test_a_key_that_kubernetes_does_not_know_is_refused() -> None:
    for resource in build(BASE):
        if resource["kind"] != "ConfigMap":
            wrong = copy.deepcopy(resource)
            wrong.get("spec", wrong)["replica"] = 1
            with pytest.raises(kubernetes_validate.ValidationError, match="replica"):
                check(wrong)


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("ServiceMonitor", ("spec", "endpoints", 0, "scrape_timeout"), "10s"),
        ("ServiceMonitor", ("spec", "endpoints", 0, "interval"), "30 seconds"),
        ("PrometheusRule", ("spec", "groups", 0, "rules", 0, "expression"), "up"),
        ("PrometheusRule", ("spec", "group"), []),
        ("PrometheusRule", ("metadata", "label"), {}),
    ],
)
def test_a_key_that_the_operator_does_not_know_is_refused(kind: str, path: tuple[str | int, ...], value: object) -> None:
    resource = only(build(EXAMPLE), kind)
    check(resource)
    place = resource
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]  # lists and mappings in turn
    place[path[-1]] = value  # type: ignore[index]  # as above
    with pytest.raises(ValidationError, match=rf"{path[-1]}"):
        check(resource)


def test_the_rules_of_the_operator_are_the_plain_rules() -> None:
    assert RESOURCE.read_text(encoding="utf-8") == render(RULES_FILE.read_text(encoding="utf-8")), "run: python scripts/prometheusrule.py"
    assert load(RESOURCE)["spec"] == load(RULES_FILE)


def test_the_dashboards_of_the_sidecar_are_the_dashboards() -> None:
    maps = [resource for resource in build(EXAMPLE) if resource["metadata"].get("labels", {}).get("grafana_dashboard") == "1"]
    held = {name: json.loads(text) for resource in maps for name, text in resource["data"].items()}
    assert held == {file.name: json.loads(file.read_text(encoding="utf-8")) for file in DASHBOARDS.glob("*.json")}
    assert len(maps) == len(held) >= 2


def test_no_config_map_is_larger_than_kubernetes_allows() -> None:
    sizes = {
        resource["metadata"]["name"]: len(json.dumps(resource["data"])) for resource in build(EXAMPLE) if resource["kind"] == "ConfigMap"
    }
    assert {name: size for name, size in sizes.items() if size >= LARGEST_CONFIG_MAP_BYTES} == {}


@EXAMPLES
def test_everything_of_an_example_is_in_its_namespace(example: Path) -> None:
    outside = [
        resource for resource in build(example) if resource["kind"] != "Namespace" and resource["metadata"]["namespace"] != "model-drift"
    ]
    assert outside == []


@EXAMPLES
def test_the_monitor_finds_the_service_and_its_port_and_the_service_every_pod(example: Path) -> None:
    resources = build(example)
    monitor, service, pod = only(resources, "ServiceMonitor"), only(resources, "Service"), workload_of(resources)
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert [endpoint["port"] for endpoint in monitor["spec"]["endpoints"]] == [port["name"] for port in service["spec"]["ports"]]
    assert service["spec"]["selector"].items() <= pod["spec"]["template"]["metadata"]["labels"].items()
    assert service["spec"]["clusterIP"] == "None"
    assert pod["spec"].get("serviceName", service["metadata"]["name"]) == service["metadata"]["name"]
