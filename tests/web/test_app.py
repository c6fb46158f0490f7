from __future__ import annotations

import gzip
import threading
from dataclasses import replace

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics

from exporter.metrics import Exposition, MetricsView
from tests.metrics.snapshots import three_targets
from tests.web.fake_state import FakeState, get, request

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
PATHS = ["/metrics", "/-/healthy", "/-/ready", "/config", "/", "/targets/support-bot", "/api/v1/targets"]


def without_process(text: str) -> str:
    return text[: text.index("# HELP process_")]


def test_metrics_are_the_exposition_of_the_view() -> None:
    response = get(FakeState(), "/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["vary"] == "Accept, Accept-Encoding"
    assert without_process(response.text) == without_process(Exposition().render(three_targets(), "")[0].decode())


def test_metrics_are_openmetrics_for_who_asks_for_it() -> None:
    response = get(FakeState(), "/metrics", accept="application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
    assert response.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert "model_drift_verdict" in {family.name for family in parse_openmetrics(response.text)}


def test_metrics_are_compressed_for_who_can_read_it() -> None:
    plain = get(FakeState(), "/metrics", accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    packed = get(FakeState(), "/metrics", accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 4
    assert without_process(packed.text) == without_process(plain.text)


def test_metrics_are_rendered_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    compress = gzip.compress

    def note_thread(*arguments: object, **options: object) -> bytes:
        threads.append(threading.current_thread())
        return compress(*arguments, **options)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(gzip, "compress", note_thread)
    get(FakeState(), "/metrics", accept_encoding="gzip")
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


@pytest.mark.parametrize(
    "path",
    ["/metrics/", "/metrics/x", "/Metrics", "//metrics", "/targets", "/targets/", "/config/", "/-/", "/favicon.ico", "/targets/nobody"],
)
def test_a_path_that_is_not_there_is_404_and_never_redirects(path: str) -> None:
    response = request(FakeState(), "GET", f"http://exporter:10201{path}")
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == "not found; / lists what there is\n"


@pytest.mark.parametrize("path", [path for path in PATHS if not path.startswith("/api/")])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_get_and_head_are_allowed(path: str, method: str) -> None:
    response = request(FakeState(), method, path)
    assert response.status_code == 405
    assert response.text == "method not allowed\n"
    assert {word.strip() for word in response.headers["allow"].split(",")} == {"GET", "HEAD"}


@pytest.mark.parametrize("path", PATHS)
def test_head_is_answered_like_get(path: str) -> None:
    response = request(FakeState(), "HEAD", path)
    assert response.status_code == 200
    assert response.headers["content-type"] == get(FakeState(), path).headers["content-type"]


def test_healthy_even_before_ready() -> None:
    state = FakeState()
    state.not_ready = "the store is not open"
    response = get(state, "/-/healthy")
    assert (response.status_code, response.text) == (200, "healthy\n")


def test_ready_says_what_is_missing_until_it_is_ready() -> None:
    state = FakeState()
    state.not_ready = "the last values are not restored"
    response = get(state, "/-/ready")
    assert (response.status_code, response.text) == (503, "not ready: the last values are not restored\n")
    state.not_ready = None
    response = get(state, "/-/ready")
    assert (response.status_code, response.text) == (200, "ready\n")


def test_the_config_is_shown_as_text() -> None:
    response = get(FakeState(), "/config")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == "storage: sqlite:///data/history.db\n"


def test_reload_is_off_unless_lifecycle_is_enabled() -> None:
    state = FakeState()
    response = request(state, "POST", "/-/reload")
    assert (response.status_code, response.text) == (403, "reloading over HTTP is off; start with --web.enable-lifecycle, or send SIGHUP\n")
    assert state.reloads == 0


def test_reload_loads_the_config_again() -> None:
    state = FakeState(lifecycle=True)
    response = request(state, "POST", "/-/reload")
    assert (response.status_code, response.text) == (200, "reloaded\n")
    assert state.reloads == 1


def test_reload_says_what_is_wrong_with_the_config() -> None:
    state = FakeState(lifecycle=True)
    state.reload_error = "config.yml:14: targets[1].price: missing; add one, or set price: unknown"
    response = request(state, "POST", "/-/reload")
    assert (response.status_code, response.text) == (500, "config.yml:14: targets[1].price: missing; add one, or set price: unknown\n")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_reload_is_post_only(method: str) -> None:
    state = FakeState(lifecycle=True)
    response = request(state, method, "/-/reload")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert state.reloads == 0


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://exporter:10201", 200), ("http://evil.example", 403), ("http://exporter", 403), ("null", 403), ("http://[", 403)],
)
def test_a_page_of_another_site_cannot_reload(origin: str, status: int) -> None:
    state = FakeState(lifecycle=True)
    assert request(state, "POST", "/-/reload", {"origin": origin}).status_code == status
    assert state.reloads == (status == 200)


@pytest.mark.parametrize("path", [*PATHS, "/nowhere"])
def test_every_response_has_the_security_headers(path: str) -> None:
    headers = get(FakeState(), path).headers
    assert {name: headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")


def test_an_error_inside_is_500_without_a_traceback() -> None:
    class Broken(FakeState):
        def view(self) -> MetricsView:
            raise RuntimeError("a secret in a message")

    response = get(Broken(MetricsView()), "/metrics")
    assert (response.status_code, response.text) == (500, "internal error; the log has it\n")
    assert {name: response.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS


def test_a_scrape_without_targets_shows_the_exporter_itself() -> None:
    response = get(FakeState(replace(three_targets(), snapshots=())), "/metrics")
    assert "model_drift_build_info{" in response.text
    assert 'target="support-bot"' not in response.text
