"""The control endpoint, the request log, and the mock in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from exporter.demo.behaviour import PROFILES, Behaviour
from exporter.demo.request_log import Entry, RequestLog
from tests.connections import note_undelayed
from tests.demo.asking import Asker, with_mock
from tests.demo.questions import SUITE

OWN_SUITE = """
suite: own
questions:
  - {id: a, area: sums, prompt: "2 + 2?", extract: full, grader: {kind: number, value: 4}, reference: "4"}
"""
PROFILE_NAMES = ", ".join(PROFILES)
METHODS = ("PUT", "PATCH")
BAD_DOCUMENTS: list[tuple[object, str]] = [
    ([], 'control: not what can be set; give {"models": {name: behaviour, …}}'),
    ({"models": {}, "seed": 1}, 'control: not what can be set; give {"models": {name: behaviour, …}}'),
    ({"models": []}, 'control: not what can be set; give {"models": {name: behaviour, …}}'),
    ({"models": {"m": 1}}, "models.m: not an object; give the fields to set"),
    ({"models": {"m": {"profile": "smart"}}}, f"models.m.profile: cannot be 'smart'; give one of {PROFILE_NAMES}"),
    ({"models": {"m": {"lost_ratio": 2}}}, "models.m.lost_ratio: cannot be 2; give a number from 0 to 1"),
    ({"models": {"m": {"lost_ratio": True}}}, "models.m.lost_ratio: cannot be True; give a number from 0 to 1"),
    ({"models": {"m": {"lost": "q1"}}}, "models.m.lost: cannot be 'q1'; give a list of question ids"),
    ({"models": {"m": {"length_factor": 0}}}, "models.m.length_factor: cannot be 0; give a number above 0, at most 1000"),
    ({"models": {"m": {"served_model": 1}}}, "models.m.served_model: cannot be 1; give a text or null"),
    ({"models": {"m": {"faults": {"reset": 0.6, "auth": 0.6}}}}, "give shares by name that sum up to at most 1"),
    ({"models": {"m": {"faults": {"rain": 1}}}}, "models.m.faults.rain: unknown; the faults are auth, bad_request, "),
    ({"models": {"m": {"latency_seconds": -1}}}, "models.m.latency_seconds: cannot be -1; give seconds from 0 to 3600"),
    ({"models": {"m": {"usage": "no"}}}, "models.m.usage: cannot be 'no'; give true or false"),
    ({"models": {"m": {"mood": 1}}}, "models.m.mood: unknown; the fields are profile, lost_ratio, "),
]


def test_what_is_shown_can_be_put_back() -> None:
    async def talk(asker: Asker) -> None:
        shown = (await asker.client.get("/control")).json()
        assert shown["models"]["m"]["faults"] == {"reset": 0.5}
        put = await asker.client.put("/control", json={"models": shown["models"]})
        assert (put.status_code, put.json()) == (200, shown)

    with_mock(talk, {"m": Behaviour(profile="mixed", lost=("q1",), faults={"reset": 0.5})}, seed=3)


def test_patch_changes_the_fields_it_names_and_null_removes_a_model() -> None:
    async def talk(asker: Asker) -> None:
        models = {"m": {"usage": False}, "gone": None, "new": {}}
        changed = (await asker.client.patch("/control", json={"models": models})).json()["models"]
        assert set(changed) == {"m", "new"}
        assert (changed["m"]["lost_ratio"], changed["m"]["usage"], changed["new"]["usage"]) == (0.5, False, True)

    with_mock(talk, {"m": Behaviour(lost_ratio=0.5), "gone": Behaviour()})


def test_put_leaves_nothing_of_before() -> None:
    async def talk(asker: Asker) -> None:
        changed = (await asker.client.put("/control", json={"models": {"m": {"usage": False}}})).json()["models"]
        assert (set(changed), changed["m"]["lost_ratio"]) == ({"m"}, 0.0)

    with_mock(talk, {"m": Behaviour(lost_ratio=0.5), "gone": Behaviour()})


def test_reset_returns_to_the_beginning() -> None:
    async def talk(asker: Asker) -> None:
        before = (await asker.client.get("/control")).json()
        first = (await asker.ask(SUITE[0].prompt)).json()
        await asker.client.patch("/control", json={"models": {"m": {"lost_ratio": 1}}})
        assert (await asker.client.post("/control/reset")).json() == before
        assert (await asker.client.get("/requests")).json() == {"count": 0, "counts": {}, "requests": []}
        assert (await asker.ask(SUITE[0].prompt)).json() == first

    with_mock(talk)


@pytest.fixture(scope="module")
def refusals() -> dict[tuple[str, int], httpx.Response]:
    """The response to each bad document, by method and its place in the table: one mock for them all."""
    found = {}

    async def talk(asker: Asker) -> None:
        before = (await asker.client.get("/control")).json()
        for method in METHODS:
            for place, (document, _) in enumerate(BAD_DOCUMENTS):
                found[method, place] = await asker.client.request(method, "/control", json=document)
                assert (await asker.client.get("/control")).json() == before

    with_mock(talk)
    return found


@pytest.mark.parametrize("place", range(len(BAD_DOCUMENTS)))
@pytest.mark.parametrize("method", METHODS)
def test_a_document_that_cannot_be_is_refused_and_changes_nothing(
    method: str, place: int, refusals: dict[tuple[str, int], httpx.Response]
) -> None:
    response = refusals[method, place]
    assert response.status_code == 400
    assert BAD_DOCUMENTS[place][1] in response.json()["errors"][0]


def test_all_problems_are_told_at_once_and_the_good_part_is_not_carried_out() -> None:
    async def talk(asker: Asker) -> None:
        models = {"m": {"usage": 1, "cached": 1}, "n": {"usage": 1}, "o": {"usage": False}}
        response = await asker.client.patch("/control", json={"models": models})
        assert len(response.json()["errors"]) == 3
        assert set((await asker.client.get("/control")).json()["models"]) == {"m"}

    with_mock(talk)


def test_the_log_tells_each_request_by_itself() -> None:
    async def talk(asker: Asker) -> None:
        await asker.ask(SUITE[4].prompt, api="anthropic")
        await asker.client.patch("/control", json={"models": {"m": {"faults": {"server_error": 1}}}})
        await asker.ask(SUITE[4].prompt)
        first, second = await asker.log()
        assert first == {
            "id": 1,
            "api": "anthropic",
            "model": "m",
            "question": "q5",
            "attempt": 1,
            "status": 200,
            "fault": None,
            "right": True,
            "input_tokens": 14,
            "output_tokens": 77,
        }
        assert {name: second[name] for name in ("id", "attempt", "status", "fault", "right", "output_tokens")} == {
            "id": 2,
            "attempt": 2,
            "status": 500,
            "fault": "server_error",
            "right": None,
            "output_tokens": None,
        }

    with_mock(talk)


def test_the_log_keeps_the_newest_and_counts_them_all() -> None:
    log = RequestLog(limit=2)
    for number in range(1, 4):
        log.add(Entry(number, "openai_chat", "m", "q", number, 200, None, True, 1, 1))
    assert [entry.id for entry in log.entries()] == [2, 3]
    assert (log.as_dict()["count"], log.as_dict("n")["count"]) == (3, 0)


def test_models_are_listed_as_servers_list_them() -> None:
    async def talk(asker: Asker) -> None:
        listed = (await asker.client.get("/v1/models")).json()
        assert [model["id"] for model in listed["data"]] == ["a", "b"]

    with_mock(talk, {"a": Behaviour(), "b": Behaviour()})


def test_the_mock_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    suite = tmp_path / "own.yml"
    suite.write_text(OWN_SUITE)
    url_file = tmp_path / "url"
    command = [sys.executable, "-m", "exporter.demo.mock", "--suite", str(suite), "--model", "m", "--url-file", str(url_file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            url = await_file(url_file, process)
            body = {"model": "m", "messages": [{"role": "user", "content": "2 + 2?"}]}
            answer = httpx.post(f"{url}/v1/chat/completions", json=body, trust_env=False, timeout=60).json()
            assert answer["choices"][0]["message"]["content"] == "4"
        finally:
            process.terminate()


def await_file(path: Path, process: subprocess.Popen[str]) -> str:
    """The content of a file that `process` writes when it is ready."""
    pause = threading.Event()
    while not path.exists():
        assert process.poll() is None, process.stderr and process.stderr.read()
        pause.wait(0.05)
    return path.read_text()


def test_the_mock_does_not_wait_for_an_ack(monkeypatch: pytest.MonkeyPatch) -> None:
    undelayed = note_undelayed(monkeypatch)

    async def talk(asker: Asker) -> None:
        await asker.ask("x")

    with_mock(talk)
    assert undelayed == [True]
