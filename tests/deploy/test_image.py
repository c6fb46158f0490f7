"""The Dockerfile: linted, held to what is promised of the image, and its health check tried."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from exporter.cli.main import commands
from tests.deploy.dockerfile import DOCKERFILE, TOP, build_stage, copied, final_stage, instructions, stages
from tests.tools import require_tool

SCRIPTS = sorted((TOP / "scripts" / "image").glob("*.sh"))


def value(keyword: str) -> str:
    """The text of the one instruction of this kind in the image's stage."""
    (text,) = (text for word, text in final_stage() if word == keyword)
    return text


def health_check(port: int) -> int:
    """The exit code of the image's health check, asked of another port, with this Python."""
    _, _, command = value("HEALTHCHECK").partition(" CMD ")
    python, *arguments = json.loads(command)
    assert python == "/opt/model-drift-exporter/bin/python"
    done = subprocess.run(
        [sys.executable, *(word.replace(":10201/", f":{port}/") for word in arguments)], capture_output=True, timeout=30, check=False
    )
    return done.returncode


@contextmanager
def answering(status: int) -> Iterator[tuple[int, list[str]]]:
    """A server that gives every path this status: its port, and the paths that were asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port, paths
        finally:
            server.shutdown()
            thread.join()


def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run([require_tool("hadolint"), "--no-color", DOCKERFILE], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_base_is_an_argument_and_the_same_for_both_stages() -> None:
    assert instructions()[0] == ("ARG", "BASE_IMAGE=docker.io/library/python:3.11-slim-bookworm")
    assert [stage[0] for stage in stages()] == [("FROM", "${BASE_IMAGE} AS build"), ("FROM", "${BASE_IMAGE}")]


def test_all_that_is_fetched_is_checked_by_hash_and_nothing_is_compiled() -> None:
    installs = [
        part for keyword, text in instructions() if keyword == "RUN" for part in text.split("&&") if "pip" in part and " install " in part
    ]
    assert len(installs) == 3
    for install in installs:
        fetched = {"--require-hashes", "--only-binary", ":all:"} <= set(install.split())
        own = {"--no-index", "--no-deps"} <= set(install.split())
        assert fetched or own, install
    words = {word for keyword, text in instructions() if keyword == "RUN" for word in re.split(r"[\s'\"/]+", text)}
    assert words & {"apt-get", "apk", "curl", "wget", "gcc", "cc", "git"} == set()


def test_of_the_build_only_the_program_is_in_the_image() -> None:
    assert copied(final_stage()) == []
    assert [text for keyword, text in final_stage() if keyword == "COPY"] == [
        "--from=build /opt/model-drift-exporter /opt/model-drift-exporter"
    ]
    assert [text for keyword, text in final_stage() if keyword == "RUN"] == ["install -d -o 10201 -g 10201 -m 0750 /data"]
    assert [keyword for keyword, _ in instructions() if keyword == "ADD"] == []


def test_the_user_is_a_number_and_owns_the_volume() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", value("USER"))
    assert value("VOLUME") == "/data"
    assert value("WORKDIR") == "/"
    last = [keyword for keyword, _ in final_stage()]
    assert last.index("USER") > max(index for index, keyword in enumerate(last) if keyword in {"RUN", "COPY"})


def test_temporary_files_go_to_the_only_place_that_can_be_written() -> None:
    assert dict(pair.split("=", 1) for pair in value("ENV").split())["TMPDIR"] == "/data"


def test_the_program_starts_without_a_shell_with_flags_that_it_has() -> None:
    assert json.loads(value("ENTRYPOINT")) == ["model-drift-exporter"]
    verb, *flags = json.loads(value("CMD"))
    known = {flag for parameter in commands.commands[verb].params for flag in parameter.opts}
    assert {flag.partition("=")[0] for flag in flags} <= known
    (address,) = (parameter.default for parameter in commands.commands[verb].params if "--web.listen-address" in parameter.opts)
    assert address == f":{value('EXPOSE')}"


def test_the_image_says_what_it_is() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]+)"', value("LABEL")))
    assert labels["title"] == "model-drift-exporter"
    assert labels["licenses"] == "MIT"
    assert set(labels) == {"title", "description", "licenses", "version", "revision", "created"}


def test_the_health_check_passes_where_the_program_is_healthy() -> None:
    with answering(200) as (port, paths):
        assert health_check(port) == 0
    assert paths == ["/-/healthy"]


def test_the_health_check_fails_where_it_is_not_and_where_nobody_answers() -> None:
    with answering(503) as (port, _):
        assert health_check(port) == 1
    assert health_check(port) == 1


def test_the_builder_is_given_what_is_copied_and_nothing_else() -> None:
    lines = [line for line in (TOP / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*"
    allowed = {line.removeprefix("!").rstrip("/") for line in lines if line.startswith("!")}
    sources = {source for names, _ in copied(build_stage()) for source in names}
    assert allowed == sources
    assert [source for source in sources if not (TOP / source).exists()] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_without_its_arguments_says_how_to_use_it(script: Path) -> None:
    done = subprocess.run([script], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {script} ")
