"""The pod: it may do nothing that it need not, what it mounts is what its config names, and its config loads."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from exporter import __version__
from exporter.daemon.live import load_live
from tests.deploy.dockerfile import final_stage
from tests.deploy.kustomizations import BASE, EXAMPLE, REPLICAS, build, container_of, only, pod_of, workload_of

FOLDERS = pytest.mark.parametrize("folder", [BASE, EXAMPLE, REPLICAS], ids=lambda folder: folder.name)
SINGLE = pytest.mark.parametrize("folder", [BASE, EXAMPLE], ids=lambda folder: folder.name)


def mounts(folder: Path) -> dict[str, str]:
    return {mount["name"]: mount["mountPath"] for mount in container_of(build(folder))["volumeMounts"]}


def test_the_pod_keeps_to_the_restricted_standard() -> None:
    pod, container = pod_of(build(BASE)), container_of(build(BASE))
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(pod) & {"hostNetwork", "hostPID", "hostIPC", "initContainers", "shareProcessNamespace"} == set()
    assert [set(volume) - {"name"} for volume in pod["volumes"]] == [{"configMap"}, {"secret"}]
    assert [set(port) for port in container["ports"]] == [{"name", "containerPort"}]


def test_the_user_is_the_one_of_the_image_and_the_volume_is_its_own() -> None:
    context = pod_of(build(BASE))["securityContext"]
    (user,) = (text for keyword, text in final_stage() if keyword == "USER")
    assert f"{context['runAsUser']}:{context['runAsGroup']}" == user
    assert context["fsGroup"] == context["runAsGroup"]


@FOLDERS
def test_no_secret_and_no_right_to_the_api_is_handed_out(folder: Path) -> None:
    resources = build(folder)
    assert {resource["kind"] for resource in resources} & {"Secret", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"} == set()
    assert only(resources, "ServiceAccount")["automountServiceAccountToken"] is False
    assert pod_of(resources)["automountServiceAccountToken"] is False
    assert pod_of(resources)["serviceAccountName"] == only(resources, "ServiceAccount")["metadata"]["name"]
    assert [variable["name"] for variable in container_of(resources).get("env", ())] == (["TMPDIR"] if folder == REPLICAS else [])


@SINGLE
def test_one_writer_and_nothing_that_forbids_draining_its_node(folder: Path) -> None:
    resources = build(folder)
    assert only(resources, "StatefulSet")["spec"]["replicas"] == 1
    assert only(resources, "StatefulSet")["spec"]["podManagementPolicy"] == "Parallel"
    assert [resource for resource in resources if resource["kind"] in {"PodDisruptionBudget", "HorizontalPodAutoscaler"}] == []


@FOLDERS
def test_the_config_loads_with_its_suites(folder: Path, tmp_path: Path) -> None:
    config_map = only([resource for resource in build(folder) if "config.yml" in resource.get("data", {})], "ConfigMap")
    for name, text in config_map["data"].items():
        for folder_name, key in re.findall(r"/run/secrets/([\w-]+)/([\w.]+)", text):
            (tmp_path / folder_name).mkdir(exist_ok=True)
            (tmp_path / folder_name / key).write_text("sk-1\n")
        (tmp_path / name).write_text(text.replace("/run/secrets", str(tmp_path)))
    live = load_live(tmp_path / "config.yml")
    assert "support-bot" in live.targets


@FOLDERS
def test_what_the_config_names_lies_where_something_is_mounted(folder: Path) -> None:
    mounted = mounts(folder)
    container = container_of(build(folder))
    config_map = only([resource for resource in build(folder) if "config.yml" in resource.get("data", {})], "ConfigMap")
    config = yaml.safe_load(config_map["data"]["config.yml"])
    if folder == REPLICAS:
        files = [config["storage_password_file"], parse_qs(urlsplit(config["storage"]).query)["sslrootcert"][0]]
        assert {Path(file).parent for file in files} == {Path(mounted["postgres"])}
    else:
        assert config["storage"] == f"sqlite:///{mounted['data']}/history.db"
    assert f"--config.file={mounted['config']}/config.yml" in container["args"]
    named = [target["api_key_file"] for target in config["targets"] if "api_key_file" in target]
    assert [file for file in named if Path(file).parent != Path(mounted["keys"])] == []
    assert named != []
    volumes = {volume["name"]: volume for volume in pod_of(build(folder))["volumes"]}
    assert volumes["config"]["configMap"]["name"] == config_map["metadata"]["name"]


def test_another_config_is_another_pod() -> None:
    names = [
        only([r for r in build(folder) if "config.yml" in r.get("data", {})], "ConfigMap")["metadata"]["name"]
        for folder in (BASE, EXAMPLE, REPLICAS)
    ]
    assert [re.sub(r"-[a-z0-9]{10}$", "-…", name) for name in names] == ["model-drift-exporter-config-…"] * 3
    assert len(set(names)) == 3


def test_the_probes_ask_the_program_s_own_paths_and_are_patient() -> None:
    container = container_of(build(BASE))
    probes = {name: container[f"{name}Probe"] for name in ("startup", "liveness", "readiness")}
    assert {name: probe["httpGet"]["path"] for name, probe in probes.items()} == {
        "startup": "/-/healthy",
        "liveness": "/-/healthy",
        "readiness": "/-/ready",
    }
    assert {probe["httpGet"]["port"] for probe in probes.values()} == {port["name"] for port in container["ports"]}
    assert probes["startup"]["periodSeconds"] * probes["startup"]["failureThreshold"] == 300
    assert probes["liveness"]["periodSeconds"] * probes["liveness"]["failureThreshold"] >= 120


def test_answers_under_way_may_be_settled_before_it_is_killed() -> None:
    assert pod_of(build(BASE))["terminationGracePeriodSeconds"] > 90


def test_memory_is_limited_and_cpu_is_not() -> None:
    resources = container_of(build(BASE))["resources"]
    assert set(resources["requests"]) == {"cpu", "memory", "ephemeral-storage"}
    assert set(resources["limits"]) == {"memory", "ephemeral-storage"}


def test_the_image_is_of_this_version() -> None:
    assert container_of(build(BASE))["image"] == f"registry.example.com/model-drift-exporter:{__version__}"
    for example in (EXAMPLE, REPLICAS):
        assert container_of(build(example))["image"] == f"registry.your.org/model-drift-exporter:{__version__}"


@FOLDERS
def test_the_network_policy_is_about_this_pod_and_closes_both_ways(folder: Path) -> None:
    resources = build(folder)
    (policy,) = (resource["spec"] for resource in resources if resource["kind"] == "NetworkPolicy" and "ingress" in resource["spec"])
    labels = workload_of(resources)["spec"]["template"]["metadata"]["labels"]
    assert policy["podSelector"]["matchLabels"] == {"app.kubernetes.io/name": "model-drift-exporter"}
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert [rule for rule in policy["ingress"] if not rule.get("from")] == []
    assert [rule for rule in policy["egress"] if not rule.get("ports")] == []
    reached = [block["ipBlock"] for rule in policy["egress"] for block in rule.get("to", ()) if "ipBlock" in block]
    assert [("169.254.0.0/16" in block["except"]) or ("fe80::/10" in block["except"]) for block in reached] == [True, True]
