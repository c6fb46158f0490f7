"""Run the image for real, as little allowed as it will be, and look at it from outside.

    python scripts/image/try_image.py IMAGE BASE        needs root, podman and runc, and ports 10201 and 10301

The image runs twice: as the made-up provider, and as the exporter that watches it, with a read-only root, without
capabilities and without any place for temporary files but its volume. Exit codes: 0 all held, 1 something did not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

MOST_BYTES = 110_000_000
URL, MOCK_PORT = "http://127.0.0.1:10201", 10301
USER, FOREIGN_USER = 10201, 4711
PATIENCE_SECONDS = 120
PODMAN = ("podman", "--log-level=fatal", "--runtime", "runc", "--cgroup-manager=cgroupfs")
LIMITS = (
    "--network=host",
    "--read-only",
    "--read-only-tmpfs=false",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--ulimit=nofile=1024:1024",
    "--ulimit=nproc=1024:1024",
)
CONFIG = f"""\
schedule: {{cron: "*/10 * * * * *", spread: 1s}}
decision: {{baseline_min_gap: 2s, confirm_after: 0s, recheck_after: 0s}}
budget: {{usd_per_day: 1000, usd_per_month: null, usd_per_check: 10, tokens_per_check: null}}
targets:
  - name: support-bot
    api: openai_chat
    base_url: http://127.0.0.1:{MOCK_PORT}/v1
    model: strong
    api_key_file: /etc/model-drift-exporter/key
    provider: demo
    suites: [core, code]
    price: {{input_usd_per_mtok: 1.25, output_usd_per_mtok: 10}}
    concurrency: 8
"""


def podman(*arguments: str) -> subprocess.CompletedProcess[str]:
    """One podman command, whatever comes of it."""
    return subprocess.run([*PODMAN, *arguments], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)  # noqa: S603 - ours


def start(name: str, image: str, *options: str, command: tuple[str, ...] = ()) -> str:
    """Start a container; its name."""
    done = podman("run", "--detach", f"--name={name}", *LIMITS, *options, image, *command)
    hold(f"{name} starts", done.returncode == 0, done.stderr)
    return name


def get(path: str) -> str | None:
    """The body of a page of the exporter; None where it does not answer with 200."""
    try:
        with urllib.request.urlopen(URL + path, timeout=5) as answer:  # noqa: S310 - our own address
            return str(answer.read().decode())
    except OSError:
        return None


def checks() -> int:
    """How many checks /metrics says were made."""
    lines = [line for line in (get("/metrics") or "").splitlines() if line.startswith("model_drift_checks_total{")]
    return sum(int(float(line.rpartition(" ")[2])) for line in lines)


def hold(promise: str, kept: bool, otherwise: object = "") -> None:
    """Say whether a promise is kept; end with 1 where it is not."""
    sys.stdout.write(f"{'ok  ' if kept else 'FAIL'} {promise}{'' if kept else f': {otherwise}'}\n")
    sys.stdout.flush()
    if not kept:
        sys.exit(1)


def wait_for_checks(promise: str, count: int) -> None:
    """Wait until at least so many checks were made."""
    until = time.monotonic() + PATIENCE_SECONDS
    while checks() < count and time.monotonic() < until:
        time.sleep(0.5)
    hold(promise, checks() >= count, podman("logs", "mdx-exporter").stderr)


def look_inside(image: str, base: str) -> None:
    """What the image is, before it runs."""
    sizes = [int(json.loads(podman("image", "inspect", name).stdout)[0]["Size"]) for name in (image, base)]
    hold(f"own layers: {(sizes[0] - sizes[1]) / 1e6:.1f} MB", sizes[0] - sizes[1] <= MOST_BYTES, f"more than {MOST_BYTES}")
    tools = (
        "import shutil, importlib.util as u; print([x for x in ('gcc', 'cc', 'g++', 'ld', 'make') if shutil.which(x)], u.find_spec('pip'))"
    )
    done = podman("run", "--rm", *LIMITS, "--entrypoint=python", image, "-c", tools)
    hold("no compiler and no pip", done.stdout == "[] None\n", done.stdout + done.stderr)
    who = podman("run", "--rm", *LIMITS, "--entrypoint=python", image, "-c", "import os; print(os.getuid(), os.getgid())")
    hold("a user by number", who.stdout == f"{USER} {USER}\n", who.stdout + who.stderr)


def live_through(image: str, folder: Path) -> None:
    """Run, be scraped, be killed, go on, stop; then as somebody else."""
    mounts = (f"--volume={folder}/config:/etc/model-drift-exporter:ro", f"--volume={folder}/data:/data")
    mock = ("-m", "exporter.demo.mock", "--suite=core", "--suite=code", "--model=strong", f"--port={MOCK_PORT}")
    start("mdx-mock", image, "--entrypoint=python", command=mock)
    start("mdx-exporter", image, *mounts)
    wait_for_checks("checks are made, answers run in the sandbox, /metrics is answered from outside", 2)
    accuracy = 'model_drift_accuracy_ratio{area="code",target="support-bot"} 1.0'
    hold("the answers of the suite code are right", accuracy in (get("/metrics") or ""))
    hold("healthy and ready", None not in (get("/-/healthy"), get("/-/ready")))
    hold("the health check of the image passes", podman("healthcheck", "run", "mdx-exporter").returncode == 0)

    before = checks()
    podman("kill", "--signal=KILL", "mdx-exporter")
    hold("starts again after kill -9", podman("start", "mdx-exporter").returncode == 0)
    wait_for_checks(f"goes on after {before} checks: none is lost", before + 1)

    podman("stop", "--time=100", "mdx-exporter")
    code = podman("inspect", "--format={{.State.ExitCode}}", "mdx-exporter").stdout.strip()
    hold("SIGTERM stops it, with exit code 0", code == "0", code)

    foreign = podman("run", "--rm", f"--user={FOREIGN_USER}:{FOREIGN_USER}", *LIMITS, *mounts, image)
    told = "; let this user " in foreign.stderr
    hold("another user's volume: one line says what is wrong", told and foreign.returncode == 2, foreign.stderr)
    data = folder / "foreign"
    data.mkdir()
    os.chown(data, FOREIGN_USER, FOREIGN_USER)
    mine = (mounts[0], f"--volume={data}:/data", f"--user={FOREIGN_USER}:{FOREIGN_USER}")
    podman("rm", "--force", "mdx-exporter")
    start("mdx-exporter", image, *mine)
    wait_for_checks("any user may run it on a volume of its own", 1)


def main() -> None:
    """Try it, and leave nothing behind."""
    parser = argparse.ArgumentParser(description="Run the image for real, and look at it from outside.")
    parser.add_argument("image")
    parser.add_argument("base", help="the base that it was built on, to tell its own layers")
    arguments = parser.parse_args()
    look_inside(arguments.image, arguments.base)
    with tempfile.TemporaryDirectory(prefix="model-drift-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "config").mkdir()
        (folder / "config" / "config.yml").write_text(CONFIG)
        (folder / "config" / "key").write_text("sk-made-up\n")
        (folder / "data").mkdir()
        os.chown(folder / "data", USER, USER)
        try:
            live_through(arguments.image, folder)
        finally:
            podman("rm", "--force", "--time=5", "mdx-exporter", "mdx-mock")


if __name__ == "__main__":
    main()
