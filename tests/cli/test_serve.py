"""The daemon as a process: how it starts, refuses to, and stops."""

from __future__ import annotations

import signal
import subprocess
import urllib.request

import pytest

from tests.cli.world import QUESTIONS, World
from tests.ports import free_port

LEVELS = "'debug', 'info', 'warn', 'error'"


def read(url: str) -> str | None:
    """A page's text; None where nobody answers yet, or not with 200."""
    try:
        with urllib.request.urlopen(url) as response:  # noqa: S310 - the exporter's own loopback URL
            return str(response.read().decode())
    except OSError:
        return None


def wait_for(process: subprocess.Popen[str], port: int, family: str, value: str, label: str = 'target="bot"') -> None:
    """Return once /metrics has a series of this family, label and value."""
    while True:
        assert process.poll() is None
        lines = (read(f"http://127.0.0.1:{port}/metrics") or "").splitlines()
        if any(line.startswith(f"{family}{{") and label in line and line.endswith(f"}} {value}") for line in lines):
            return


def test_a_port_in_use_is_told_and_no_store_is_made(world: World) -> None:
    world.write()
    address = world.mock.url.removeprefix("http://")
    said = world.run("serve", "--web.listen-address", address)
    assert (said.code, said.errors) == (
        2,
        [f"--web.listen-address {address}: the port is in use; stop the other process, or choose another port"],
    )
    assert not (world.folder / "history.db").exists()


def test_an_address_that_is_none_is_told(world: World) -> None:
    world.write()
    said = world.run("serve", "--web.listen-address", "127.0.0.1")
    assert (said.code, said.errors) == (
        2,
        ["--web.listen-address '127.0.0.1': has no port; write host:port, such as :10201, 127.0.0.1:10201 or [::1]:10201"],
    )


def test_a_log_level_that_is_none_is_told(world: World) -> None:
    world.write()
    said = world.run("serve", "--log.level", "loud")
    assert (said.code, said.errors) == (
        2,
        [f"usage: Invalid value for '--log.level': 'loud' is not one of {LEVELS}; see model-drift-exporter serve --help"],
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_checks_serves_and_stops_with_0(world: World, number: signal.Signals) -> None:
    world.write()
    port = free_port()
    with world.start("serve", "--web.listen-address", f"127.0.0.1:{port}", "--log.format", "json") as process:
        wait_for(process, port, "model_drift_checks_total", "1.0", 'result="collecting"')
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out) == (0, "")
    assert '"msg": "ready"' in err
    assert "Traceback" not in err
    assert world.asked() == QUESTIONS


def test_a_daemon_stopped_in_the_middle_leaves_a_check_that_check_goes_on_with(world: World) -> None:
    world.write()
    world.behave(latency_seconds=0.2)
    with world.start("serve", "--web.listen-address", "127.0.0.1:0") as process:
        while world.asked() < QUESTIONS // 2:
            assert process.poll() is None
        process.terminate()
        process.communicate()
    assert process.returncode == 0
    world.behave(latency_seconds=0)
    said = world.run("check", "--json")
    assert (said.code, said.document["targets"][0]["questions_asked"]) == (0, QUESTIONS)
    assert world.asked() == QUESTIONS


def test_a_check_beside_a_running_daemon_is_shown_within_seconds(world: World) -> None:
    world.write()
    port = free_port()
    with world.start("serve", "--web.listen-address", f"127.0.0.1:{port}") as process:
        wait_for(process, port, "model_drift_checks_total", "1.0", 'result="collecting"')
        assert world.run("check").code == 0
        wait_for(process, port, "model_drift_checks_total", "2.0", 'result="collecting"')
        process.terminate()
        process.communicate()
    assert process.returncode == 0


def test_status_and_decisions_work_beside_a_running_daemon(world: World) -> None:
    world.write()
    port = free_port()
    with world.start("serve", "--web.listen-address", f"127.0.0.1:{port}") as process:
        wait_for(process, port, "model_drift_baseline_runs", "1.0")
        assert world.run("status", "--json").document["targets"][0]["standing"] == "collecting"
        assert world.run("baseline", "reset", "bot", "--yes").code == 0
        wait_for(process, port, "model_drift_baseline_runs", "0.0")
        process.terminate()
        process.communicate()
    assert process.returncode == 0
