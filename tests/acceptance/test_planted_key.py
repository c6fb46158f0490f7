"""Keys planted wherever one may stand, sent back in every way, and looked for in everything that the program says or keeps."""

from __future__ import annotations

import base64
import json
import math
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.echoing import WAYS, Echoing, echoing, tell
from tests.acceptance.programs import EXPORTER, PYTHON_PATH, Daemon, wait_until
from tests.ports import free_port

CORES = {
    "variable": "VQ7x9Kp2Lm4Vb6Nt8Rs3Wd5",
    "file": "FZ4c6Yh8Gj2Qw9Er5Tb7Nm3",
    "user": "UJ3d5Fg7Hk9Lp2Xc4Vr6Bz8",
    "password": "PW8s6Dq4Zx2Cm9Nb7Yt5Kf3",
    "query": "QH5v7Bn9Mt3Rk2Gw4Lx6Dp8",
    "header": "HX2w4Zr6Kc8Vt9Jq3Fs5Mb7",
    "basic": "BN9k7Tp5Wj3Xd2Lr4Qz6Hv8",
    "extra": "EM6t8Rb2Kw4Zp9Jx3Cv5Fd7",
    "prompt": "XD4p6Nk8Vs2Tz9Lb3Hw5Qr7",
}
"""What is looked for of each secret: letters and digits, which no way of writing changes but base64."""
AROUND = {"variable": '{}+/"=&<', "file": "a/b+{}==", "password": "{}%2F%40x"}
SECRETS = {name: AROUND.get(name, "{}").format(core) for name, core in CORES.items()}
PROMPT = f'Which number follows 3 in the row of {SECRETS["prompt"]}, "as it is called", and which one comes before it?'
SUITE = f"""
suite: planted
questions:
  - {{id: a, area: one, prompt: '{PROMPT}', extract: full, grader: {{kind: exact, answers: ["4"]}}, reference: "4"}}
"""
ENVIRONMENT = {"BOT_KEY": SECRETS["variable"]}


def find(haystack: bytes) -> set[str]:
    """The secrets of which 8 characters on end are there, or 12 of their base64."""
    return {name for name, core in CORES.items() if any(piece in haystack for piece in _pieces(core))}


def _pieces(core: str) -> Iterator[bytes]:
    yield from (core[start : start + 8].encode() for start in range(len(core) - 7))
    for before in range(3):
        packed = base64.b64encode(b"." * before + core.encode())[math.ceil(before * 4 / 3) : (before + len(core)) * 4 // 3]
        yield from (packed[start : start + 12] for start in range(len(packed) - 11))


def write_scene(folder: Path, port: int, key: Mapping[str, str]) -> Path:
    """A target for each way, with everything that is secret; one more that nobody answers."""
    (folder / "planted.yml").write_text(SUITE)
    (folder / "key").write_text(SECRETS["file"] + "\n")
    # User and password of a URL take the place of a bearer's key, so they go with a key that has a header of its own.
    user = f"{SECRETS['user']}:{SECRETS['password']}@" if key["api"] == "azure_openai" else ""
    url = f"http://{user}127.0.0.1:{{}}/v1?token={SECRETS['query']}"
    targets = [
        {
            "name": way,
            "base_url": url.format(free_port() if way == "nobody" else port),
            "model": way,
            "suites": ["planted.yml"],
            "price": "unknown",
            "headers": {"X-Gateway-Key": SECRETS["header"], "X-Upstream": f"Basic {_packed('me', SECRETS['basic'])}"},
            "extra_body": {"auth": {"deep": [SECRETS["extra"]]}},
            "run_deadline": "20s",
            "stream": way.startswith("stream"),
            **key,
        }
        for way in (*WAYS, "nobody")
    ]
    document: dict[str, Any] = {
        "storage": f"sqlite:///{folder / 'history.db'}",
        "schedule": {"cron": "0 0 1 1 *", "spread": "0s"},
        "decision": {"tries": 1, "confirm_after": "0s", "retry_failed_check": {"times": 0}},
        "targets": targets,
    }
    config = folder / "config.yml"
    config.write_text(json.dumps(document))
    return config


def _packed(user: str, password: str) -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def look_at(daemon: Daemon, folder: Path) -> dict[str, bytes]:
    """Everything that can be seen of a running daemon, by where it is seen."""
    seen = {"command line": Path(f"/proc/{daemon.process.pid}/cmdline").read_bytes()}
    with httpx.Client(base_url=daemon.url, trust_env=False, timeout=60) as client:
        pages = ["/", "/config", "/metrics", "/api/v1/targets", "/-/ready", *(f"/targets/{way}" for way in WAYS)]
        for page in pages:
            response = client.get(page)
            assert response.status_code == 200, page
            seen[page] = response.content
        seen["/metrics, OpenMetrics"] = client.get("/metrics", headers={"Accept": "application/openmetrics-text"}).content
    return seen | {path.name: path.read_bytes() for path in folder.glob("history.db*") if path.suffix != ".turn"}  # empty, and soon gone


def checks_shown(daemon: Daemon) -> float:
    """How many closed checks its page tells of."""
    return sum(float(value) for series, value in daemon.series().items() if series.startswith("model_drift_checks_total{"))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    """One command, to its end."""
    environment = {**ENVIRONMENT, **PYTHON_PATH}
    return subprocess.run([*EXPORTER, *command], cwd=folder, env=environment, capture_output=True, timeout=120, check=False)


BROKEN = [
    f"targets: [{{name: a, api_key: {SECRETS['file']}, base_url: 'http://{SECRETS['password']}@'}}]",
    f"targets: [{{name: a, headers: [{SECRETS['header']}]",
    f"storage: postgresql://{SECRETS['user']}:{SECRETS['password']}@127.0.0.1:9/x?sslpassword={SECRETS['query']}\ntargets: []",
]


@pytest.fixture(scope="module")
def provider() -> Iterator[Echoing]:
    with echoing() as running:
        yield running


COMMANDS = (["status", "--json"], ["check", "--json", "--target", "json", "--target", "model"], ["config"])


@pytest.mark.parametrize(
    ("key", "level", "commands"),
    [({"api": "openai_chat", "api_key_env": "BOT_KEY"}, "info", COMMANDS), ({"api": "azure_openai", "api_key_file": "key"}, "debug", ())],
    ids=["variable, info", "file and URL, debug"],
)
def test_no_secret_is_logged_stored_or_shown(
    key: Mapping[str, str], level: str, commands: tuple[list[str], ...], tmp_path: Path, provider: Echoing
) -> None:
    provider.received.clear()
    config = write_scene(tmp_path, provider.port, key)
    flags = ("--log.level", level, "--log.format", "json" if level == "debug" else "logfmt", "--web.enable-lifecycle")
    with Daemon(config, *flags, environment=ENVIRONMENT) as daemon:
        daemon.wait_until_ready()
        wait_until(lambda: checks_shown(daemon) == len(WAYS) + 1, 120, "all checked")
        seen = look_at(daemon, tmp_path)
        good = config.read_text()
        for number, text in enumerate(BROKEN):
            config.write_text(text)
            seen[f"reload {number}"] = daemon.reload().content
        config.write_text(good)
        daemon.tell(signal.SIGTERM)
        daemon.wait()
        seen["log"] = daemon.said().encode()
    for command in commands:
        ran = run(tmp_path, *command, "--config.file", str(config))
        seen[" ".join(command)] = ran.stdout + ran.stderr
    seen |= {f"{path.name} at last": path.read_bytes() for path in tmp_path.glob("history.db*")}
    leaks = {place: found for place, content in seen.items() if (found := find(content))}
    assert leaks == {}
    assert b"&lt;secret&gt;" in seen["/targets/json"]
    assert b"&lt;secret&gt;" in seen["/targets/model"]
    require_echoes(provider, {"variable"} if level == "info" else {"file", "user", "password"})


def require_echoes(provider: Echoing, sent: set[str]) -> None:
    """Fail unless every way was gone, and sent the secrets back."""
    spoken = {received.json()["model"]: WAYS[received.json()["model"]](tell(received)) for received in provider.received}
    assert set(spoken) == set(WAYS)
    assert find(spoken["json"]) == find(spoken["stream-model"]) == sent | {"query", "header", "basic", "extra", "prompt"}
    assert [way for way, said in spoken.items() if not find(said) & sent] == []


@pytest.mark.parametrize("command", [["serve", "--web.listen-address", "127.0.0.1:0"], ["status", "--json"], ["config"]])
def test_the_password_of_a_store_that_cannot_be_had_is_not_told(command: list[str], tmp_path: Path) -> None:
    config = write_scene(tmp_path, free_port(), {"api": "openai_chat", "api_key_env": "BOT_KEY"})
    storage = "postgresql+psycopg://{user}:{password}@127.0.0.1:9/drift?sslpassword={query}".format(**SECRETS)
    config.write_text(json.dumps({**json.loads(config.read_text()), "storage": storage}))
    ran = run(tmp_path, *command, "--config.file", str(config))
    assert ran.stdout + ran.stderr
    assert find(ran.stdout + ran.stderr) == set()
