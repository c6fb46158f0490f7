from __future__ import annotations

import math
from dataclasses import replace

import pytest

from exporter import __version__
from exporter.errors import Problem, StoreLockedError
from exporter.metrics import MetricsView
from exporter.web import create_app
from exporter.web.links import Links
from exporter.web.site import Site
from tests.metrics.snapshots import NOW, drifted, named, three_targets
from tests.web.api_world import BOT, data, refusal
from tests.web.fake_state import FakeState, ask, get, request


def test_what_json_has_no_word_for_is_null() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    odd = named("a", verdict=replace(verdict, token_shift_ratio=math.inf, input_token_shift_ratio=math.nan, notes=("\ud83d",)))
    state = FakeState(MetricsView(snapshots=(odd,)))
    for shown in (data(state, "/api/v1/targets")["targets"][0], data(state, "/api/v1/targets/a")):
        assert shown["verdict"]["token_shift_ratio"] is None
        assert shown["verdict"]["input_token_shift_ratio"] is None
    assert data(state, "/api/v1/targets/a")["verdict"]["notes"] == ["\ud83d"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a/b c", "a%2Fb%20c"),
        ("a/checks", "a%2Fchecks"),
        ("checks/1", "checks%2F1"),
        ("100%", "100%25"),
        ("a%2Fb", "a%252Fb"),
        ("模型?x=1#y", "%E6%A8%A1%E5%9E%8B%3Fx%3D1%23y"),
        ("</script><b>\"'&", "%3C%2Fscript%3E%3Cb%3E%22%27%26"),
        ("a\nb", "a%0Ab"),
    ],
)
def test_a_target_of_any_name_is_found_by_its_links_and_its_name_is_data(name: str, path: str) -> None:
    state = FakeState(MetricsView(snapshots=(named("a"), named("checks"), named(name)), read_at=NOW), lifecycle=True)
    shown = data(state, "/api/v1/targets")["targets"][2]
    assert (shown["target"], shown["page"], shown["link"]) == (name, f"/targets/{path}", f"/api/v1/targets/{path}")
    assert get(state, shown["page"]).status_code == 200
    assert data(state, shown["link"])["target"] == name
    assert request(state, "POST", f"{shown['link']}/check").status_code == 202
    assert state.actions == [("check", name, "127.0.0.1")]


def test_a_slash_that_is_not_encoded_parts_names() -> None:
    state = FakeState(MetricsView(snapshots=(named("a/b"),)))
    assert refusal(state, "/api/v1/targets/a/b") == (404, "not_found", "no such path; docs/api.md lists what there is")
    assert refusal(state, "/api/v1/targets/a") == (404, "not_found", 'there is no target "a"')


def test_links_stand_below_the_path_under_which_the_server_is_reached() -> None:
    shown = ask(create_app(FakeState(), Site(links=Links("/drift"))), "GET", "/api/v1/targets").json()["data"]["targets"][0]
    assert (shown["page"], shown["link"]) == ("/drift/targets/support-bot", "/drift/api/v1/targets/support-bot")


@pytest.mark.parametrize("name", ["a/b", "drift", "/drift/", "a%2Fb"])
def test_below_a_prefix_names_are_read_as_they_are_without_one(name: str) -> None:
    state = FakeState(MetricsView(snapshots=(named("a"), named(name))))
    app = create_app(state, Site("/drift", Links("/drift")))
    shown = ask(app, "GET", "/drift/api/v1/targets").json()["data"]["targets"][1]
    assert ask(app, "GET", shown["link"]).json()["data"]["target"] == name
    assert ask(app, "GET", shown["link"].removeprefix("/drift")).status_code == 404


def test_which_program_this_is_can_be_asked_for() -> None:
    assert data(FakeState(), "/api/v1/status/buildinfo")["version"] == __version__


def test_how_it_stands_with_the_program_is_told_before_it_is_ready() -> None:
    state = FakeState(replace(three_targets(), web_reload_successful=False, web_reloaded_at=NOW, web_reload_error="web.yml: empty"))
    told = {
        "lifecycle": False,
        "config_reload_successful": False,
        "config_loaded_at": NOW - 7200,
        "config_reload_error": None,
        "web_config_reload_successful": False,
        "web_config_loaded_at": NOW,
        "web_config_reload_error": "web.yml: empty",
        "read_at": NOW,
        "targets": 3,
        "checks_in_progress": 1,
        "confirmations_pending": 1,
        "store_errors": {"settle": 1},
    }
    assert data(state, "/api/v1/status/runtimeinfo") == {"ready": True, "not_ready_because": None, **told}
    state.not_ready = "reading the last values from the store"
    not_yet = {"ready": False, "not_ready_because": "reading the last values from the store", **told}
    assert data(state, "/api/v1/status/runtimeinfo") == not_yet
    for path in ("/api/v1/targets", BOT, "/api/v1/spend"):
        assert refusal(state, path) == (503, "unavailable", "not ready: reading the last values from the store")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1",
        "/api/v1/",
        "/api/v2/targets",
        "/api/v1/targets/",
        "/api/v1/Targets",
        f"{BOT}/",
        f"{BOT}/checks/",
        f"{BOT}/checks/1/x",
        f"{BOT}/nothing",
        "/api/v1/targets//checks",
        "/api/v1//targets",
    ],
)
def test_a_path_that_is_not_there_is_404_in_the_envelope(path: str) -> None:
    refused = refusal(FakeState(), f"http://exporter:10201{path}")
    assert refused == (404, "not_found", "no such path; docs/api.md lists what there is")


def test_a_target_that_is_not_there_is_404_and_its_name_is_cut() -> None:
    assert refusal(FakeState(), "/api/v1/targets/nobody") == (404, "not_found", 'there is no target "nobody"')
    assert refusal(FakeState(), "/api/v1/targets/nobody/checks") == (404, "not_found", 'there is no target "nobody"')
    assert refusal(FakeState(), f"/api/v1/targets/{'x' * 5000}")[2] == f'there is no target "{"x" * 59}…"'


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/api/v1/targets", BOT, f"{BOT}/checks", "/api/v1/spend"])
def test_only_get_and_head_read(path: str, method: str) -> None:
    assert refusal(FakeState(lifecycle=True), path, method) == (405, "method_not_allowed", "use GET")
    assert request(FakeState(), method, path).headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("action", ["check", "reset"])
def test_only_post_acts(action: str, method: str) -> None:
    state = FakeState(lifecycle=True)
    assert refusal(state, f"{BOT}/{action}", method) == (405, "method_not_allowed", "use POST")
    assert request(state, method, f"{BOT}/{action}").headers["allow"] == "POST"
    assert state.actions == []


def test_a_store_that_cannot_be_read_is_503_with_its_own_words() -> None:
    class Locked:
        def checks(self, *_: object) -> None:
            raise StoreLockedError(Problem("storage data/history.db", "is locked", "stop the other program"))

    state = FakeState(store=Locked())  # type: ignore[arg-type]  # nothing else is asked of it
    assert refusal(state, f"{BOT}/checks") == (503, "unavailable", "storage data/history.db: is locked; stop the other program")


def test_an_error_inside_is_500_without_a_traceback() -> None:
    class Broken:
        def checks(self, *_: object) -> None:
            raise RuntimeError("a secret in a message")

    state = FakeState(store=Broken())  # type: ignore[arg-type]  # nothing else is asked of it
    assert refusal(state, f"{BOT}/checks") == (500, "internal", "internal error; the log has it")
