"""The Kubernetes manifests as kustomize makes them."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.tools import require_tool

TOP = Path(__file__).parents[2]
K8S = TOP / "deploy" / "k8s"
BASE, EXAMPLE, REPLICAS = K8S / "base", K8S / "example", K8S / "example-postgres"
COMPONENTS = sorted(folder for folder in (K8S / "components").iterdir())
POSTGRES = K8S / "components" / "postgres"

Resource = dict[str, Any]


def build(folder: Path) -> list[Resource]:
    """All resources of a kustomization. Skips where kubectl is missing."""
    return list(yaml.load_all(_built(folder), Loader=yaml.CSafeLoader))


@cache
def _built(folder: Path) -> str:
    command = [require_tool("kubectl"), "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def with_component(component: Path, folder: Path) -> Path:
    """A kustomization, made in the folder, of the base and one component."""
    named = {"resources": [os.path.relpath(BASE, folder.resolve())], "components": [os.path.relpath(component, folder.resolve())]}
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(named))
    return folder


def only(resources: list[Resource], kind: str) -> Resource:
    """The one resource of a kind."""
    (found,) = (resource for resource in resources if resource["kind"] == kind)
    return found


def workload_of(resources: list[Resource]) -> Resource:
    """What keeps the exporter's pods: a StatefulSet, or with replicas a Deployment."""
    (found,) = (resource for resource in resources if resource["kind"] in ("StatefulSet", "Deployment"))
    return found


def pod_of(resources: list[Resource]) -> dict[str, Any]:
    """The spec of the exporter's pod."""
    spec: dict[str, Any] = workload_of(resources)["spec"]["template"]["spec"]
    return spec


def container_of(resources: list[Resource]) -> dict[str, Any]:
    """The one container of the exporter's pod."""
    (container,) = pod_of(resources)["containers"]
    return dict(container)
