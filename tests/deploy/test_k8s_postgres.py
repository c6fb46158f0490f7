"""Replicas over PostgreSQL: a rolling update and a drained node leave one that works, and no pod keeps a history of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.kustomizations import (
    BASE,
    EXAMPLE,
    POSTGRES,
    REPLICAS,
    Resource,
    build,
    container_of,
    only,
    pod_of,
    with_component,
    workload_of,
)
from tests.tools import require_tool


@pytest.fixture
def replicas(tmp_path: Path) -> list[Resource]:
    """The base with the component and nothing else."""
    return build(with_component(POSTGRES, tmp_path))


def of_postgres(resources: list[Resource]) -> dict[str, Any]:
    """The policy that opens the way to the database."""
    (policy,) = (resource for resource in resources if resource["metadata"]["name"] == "model-drift-exporter-postgres")
    return dict(policy["spec"])


def test_a_new_pod_is_ready_before_an_old_one_goes(replicas: list[Resource]) -> None:
    spec = only(replicas, "Deployment")["spec"]
    assert spec["replicas"] >= 2
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    assert pod_of(replicas)["terminationGracePeriodSeconds"] > 90
    assert set(spec) == {"replicas", "selector", "strategy", "template"}


def test_no_pod_has_a_volume_to_keep_a_history_on(replicas: list[Resource]) -> None:
    kinds = {volume["name"]: sorted(set(volume) - {"name"}) for volume in pod_of(replicas)["volumes"]}
    assert kinds == {"config": ["configMap"], "keys": ["secret"], "postgres": ["secret"], "data": ["emptyDir"], "tmp": ["emptyDir"]}
    assert "PersistentVolumeClaim" not in yaml.safe_dump(replicas)


def test_a_config_that_still_names_a_file_cannot_make_it(replicas: list[Resource]) -> None:
    mounts = {mount["name"]: mount for mount in container_of(replicas)["volumeMounts"]}
    assert [name for name, mount in mounts.items() if not mount.get("readOnly")] == ["tmp"]
    assert container_of(replicas)["env"] == [{"name": "TMPDIR", "value": mounts["tmp"]["mountPath"]}]
    assert mounts["data"]["mountPath"] == "/data", "else the image's own volume would be there, and could be written"
    assert container_of(replicas)["securityContext"]["readOnlyRootFilesystem"] is True


def test_the_pod_is_otherwise_that_of_the_base(replicas: list[Resource]) -> None:
    def common(resources: list[Resource]) -> tuple[Any, ...]:
        pod, container = dict(pod_of(resources)), container_of(resources)
        for changed in ("containers", "volumes", "topologySpreadConstraints"):
            pod.pop(changed, None)
        return pod, {key: value for key, value in container.items() if key not in ("volumeMounts", "env")}

    assert common(replicas) == common(build(BASE))


def test_replicas_are_spread_over_nodes_and_zones_where_there_are_several(replicas: list[Resource]) -> None:
    constraints = pod_of(replicas)["topologySpreadConstraints"]
    assert [(each["topologyKey"], each["maxSkew"], each["whenUnsatisfiable"]) for each in constraints] == [
        ("kubernetes.io/hostname", 1, "ScheduleAnyway"),
        ("topology.kubernetes.io/zone", 1, "ScheduleAnyway"),
    ]
    labels = only(replicas, "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert [each["labelSelector"]["matchLabels"].items() <= labels.items() for each in constraints] == [True, True]


def test_a_drained_node_leaves_one_and_one_that_cannot_start_may_go(replicas: list[Resource]) -> None:
    budget = only(replicas, "PodDisruptionBudget")["spec"]
    assert (budget["minAvailable"], budget["unhealthyPodEvictionPolicy"]) == (1, "AlwaysAllow")
    assert budget["minAvailable"] < only(replicas, "Deployment")["spec"]["replicas"]
    assert budget["selector"] == only(replicas, "Deployment")["spec"]["selector"]


def test_the_password_is_a_file_of_a_secret_that_is_not_made_here(replicas: list[Resource]) -> None:
    mounted = {mount["name"]: mount for mount in container_of(replicas)["volumeMounts"]}["postgres"]
    assert (mounted["mountPath"], mounted["readOnly"]) == ("/run/secrets/model-drift-exporter-postgres", True)
    volume = {volume["name"]: volume for volume in pod_of(replicas)["volumes"]}["postgres"]
    assert volume["secret"] == {"secretName": "model-drift-exporter-postgres", "defaultMode": 0o440}
    config = yaml.safe_load((REPLICAS / "config.yml").read_text(encoding="utf-8"))
    assert config["storage_password_file"] == "/run/secrets/model-drift-exporter-postgres/password"
    assert "password" not in config["storage"]


def test_the_way_to_the_database_is_open_beside_what_the_base_allows(replicas: list[Resource]) -> None:
    policy = of_postgres(replicas)
    assert policy["podSelector"]["matchLabels"].items() <= workload_of(replicas)["spec"]["template"]["metadata"]["labels"].items()
    assert policy["policyTypes"] == ["Egress"]
    (rule,) = policy["egress"]
    assert rule["ports"] == [{"port": 5432, "protocol": "TCP"}]
    assert [peer for peer in rule["to"] if peer.get("ipBlock", {}).get("cidr", "").startswith(("169.254", "fe80"))] == [], (
        "no metadata service"
    )
    (narrowed,) = of_postgres(build(REPLICAS))["egress"]
    assert narrowed["to"] == [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "databases"}}}]


def test_the_example_s_monitor_scrapes_replicas_into_one_job() -> None:
    resources = build(REPLICAS)
    assert only(resources, "Deployment")["spec"]["replicas"] == 3
    assert "jobLabel" not in only(resources, "ServiceMonitor")["spec"], "the job is the service's name, the same for all of its pods"


def test_the_examples_differ_in_nothing_else() -> None:
    ours, theirs = (yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8")) for folder in (EXAMPLE, REPLICAS))
    assert {key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)} == {"components", "replicas", "patches"}


def test_a_base_whose_mounts_were_put_in_another_order_is_noticed(tmp_path: Path) -> None:
    patch = [{"op": "add", "path": "/spec/template/spec/containers/0/volumeMounts/0", "value": {"name": "keys", "mountPath": "/keys"}}]
    folder = with_component(POSTGRES, tmp_path)
    base = tmp_path / "base"
    base.mkdir()
    named = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    changed = {
        "resources": ["../" + named["resources"][0]],
        "patches": [{"target": {"kind": "StatefulSet"}, "patch": yaml.safe_dump(patch)}],
    }
    (base / "kustomization.yaml").write_text(yaml.safe_dump(changed))
    (folder / "kustomization.yaml").write_text(yaml.safe_dump({**named, "resources": ["base"]}))
    done = subprocess.run([require_tool("kubectl"), "kustomize", str(folder)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "volumeMounts/0/name" in done.stderr) == (1, True), done.stderr
