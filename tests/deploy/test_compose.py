"""The compose file, without Docker: its keys are those of the compose specification, and what it mounts and names is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from exporter import __version__
from exporter.daemon.live import load_live
from tests.deploy.rules import ALERTMANAGER, RULES_FILE, TOP, load
from tests.tools import require_tool

COMPOSE = TOP / "deploy" / "compose"
FILE = COMPOSE / "compose.yml"
GRAFANA = TOP / "deploy" / "grafana"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Build(Strict):
    context: str
    args: dict[str, str]


class SecretMount(Strict):
    source: str
    target: Annotated[str, Field(pattern=r"^/")]


class Service(Strict):
    image: Annotated[str, Field(pattern=r"^[a-z0-9./-]+:v?\d+\.\d+\.\d+$")]
    build: Build | None = None
    restart: Annotated[str, Field(pattern=r"^unless-stopped$")]
    stop_grace_period: Annotated[str | None, Field(pattern=r"^\d+s$")] = None
    read_only: bool = False
    cap_drop: list[str] = []
    security_opt: list[str] = []
    ports: list[Annotated[str, Field(pattern=r"^127\.0\.0\.1:\d+:\d+$")]]
    environment: dict[str, str] = {}
    volumes: list[Annotated[str, Field(pattern=r"^[a-z./-]+:/[a-z./-]+(:ro)?$")]] = []
    secrets: list[SecretMount] = []


class SecretFile(Strict):
    file: Annotated[str, Field(pattern=r"^\./secrets/[a-z-]+$")]


class Compose(Strict):
    name: str
    services: dict[str, Service]
    volumes: dict[str, dict[str, Any]]
    secrets: dict[str, SecretFile]


def compose() -> Compose:
    return Compose.model_validate(load(FILE))


def mounted(service: str) -> dict[str, str]:
    """Where in the container to what it is."""
    return {place: source for source, place in (volume.removesuffix(":ro").split(":") for volume in compose().services[service].volumes)}


def test_it_holds_no_key_that_compose_does_not_know() -> None:
    assert set(compose().services) == {"exporter", "prometheus", "alertmanager", "grafana"}
    wrong = load(FILE)
    wrong["services"]["exporter"]["readonly"] = True
    with pytest.raises(ValidationError, match="readonly"):
        Compose.model_validate(wrong)


def test_every_file_that_is_mounted_is_there_and_every_volume_is_named_once() -> None:
    sources = [source for name in compose().services for source in mounted(name).values()]
    files = [source for source in sources if source.startswith(".")]
    assert [file for file in files if not (COMPOSE / file).exists()] == []
    assert sorted(source for source in sources if not source.startswith(".")) == sorted(compose().volumes)


def test_every_secret_is_used_and_none_is_kept_in_the_repository() -> None:
    used = [secret.source for service in compose().services.values() for secret in service.secrets]
    assert sorted(used) == sorted(compose().secrets)
    assert (COMPOSE / ".gitignore").read_text(encoding="utf-8") == "/secrets/\n"
    handed = {secret.target for secret in compose().services["alertmanager"].secrets}
    assert handed == set(re.findall(r"_file: (\S+)", (ALERTMANAGER / "alertmanager.yml").read_text(encoding="utf-8")))


def test_the_exporter_may_do_nothing_that_it_need_not() -> None:
    exporter = compose().services["exporter"]
    assert (exporter.read_only, exporter.cap_drop, exporter.security_opt) == (True, ["ALL"], ["no-new-privileges:true"])
    assert exporter.image == f"model-drift-exporter:{__version__}"
    assert exporter.build is not None
    assert exporter.build.args == {"VERSION": __version__}
    assert (COMPOSE / exporter.build.context / "Dockerfile").resolve() == TOP / "Dockerfile"


def test_the_config_loads_and_names_what_is_mounted(tmp_path: Path) -> None:
    (secret,) = compose().services["exporter"].secrets
    text = (COMPOSE / "config.yml").read_text(encoding="utf-8")
    assert f"api_key_file: {secret.target}\n" in text
    assert mounted("exporter")["/data"] == "exporter-data"
    assert "storage: sqlite:////data/history.db\n" in text
    (tmp_path / "key").write_text("sk-1\n")
    (tmp_path / "config.yml").write_text(text.replace(secret.target, str(tmp_path / "key")))
    assert set(load_live(tmp_path / "config.yml").targets) == {"support-bot"}


def test_prometheus_is_set_up_as_the_plain_example_but_for_addresses() -> None:
    text = (
        (COMPOSE / "prometheus.yml")
        .read_text(encoding="utf-8")
        .replace("alertmanager:9093", "localhost:9093")
        .replace("exporter:10201", "localhost:10201")
    )
    assert text.splitlines()[1:] == (ALERTMANAGER / "prometheus.yml").read_text(encoding="utf-8").splitlines()[1:]


def test_prometheus_takes_its_config_with_the_rules_where_they_are_mounted(tmp_path: Path) -> None:
    for place, source in mounted("prometheus").items():
        if source.startswith("."):
            shutil.copy(COMPOSE / source, tmp_path / Path(place).name)
    command = [require_tool("promtool"), "check", "config", str(tmp_path / "prometheus.yml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 rule files found" in done.stdout
    assert (COMPOSE / mounted("prometheus")["/etc/prometheus/model-drift.rules.yml"]).resolve() == RULES_FILE


def test_grafana_finds_its_dashboards_and_prometheus() -> None:
    places = mounted("grafana")
    assert (COMPOSE / places["/etc/grafana/provisioning"]).resolve() == GRAFANA / "provisioning"
    (provider,) = load(GRAFANA / "provisioning" / "dashboards" / "model-drift.yml")["providers"]
    assert (COMPOSE / places[provider["options"]["path"]]).resolve() == GRAFANA / "dashboards"
    (source,) = load(GRAFANA / "provisioning" / "datasources" / "prometheus.yml")["datasources"]
    assert source["url"] == "http://prometheus:9090"
    assert compose().services["prometheus"].ports == ["127.0.0.1:9090:9090"]
