from __future__ import annotations

import bcrypt
import httpx
import pytest
from starlette.types import Receive, Scope, Send

from exporter.config import WebConfig
from exporter.web import create_app
from exporter.web.door import MOST_BODY_BYTES, Door, Doorkeeper
from exporter.web.security import USER
from tests.fakes import FakeClock
from tests.web.fake_state import FakeState, ask
from tests.web.test_app import PATHS, SECURITY_HEADERS
from tests.web.test_logins import RIGHT, basic

USERS = {"bob": bcrypt.hashpw(RIGHT.encode(), bcrypt.gensalt(4)).decode()}
BOB, EVE = {"authorization": basic("bob", RIGHT)}, {"authorization": basic("bob", "wrong")}


def get(door: Door, path: str = "/metrics", headers: dict[str, str] | None = None, method: str = "GET") -> httpx.Response:
    return ask(create_app(FakeState(lifecycle=True), door=door), method, path, headers)


@pytest.mark.parametrize("path", [*PATHS, "/nowhere", "/-/reload"])
def test_no_path_is_answered_without_the_password(path: str) -> None:
    response = get(Door(WebConfig(users=USERS)), path)
    assert (response.status_code, response.text) == (401, "a name and a password are needed\n")
    assert response.headers["www-authenticate"] == 'Basic realm="model-drift-exporter", charset="UTF-8"'
    assert {name: response.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS


def test_with_the_password_it_is_as_if_there_were_none() -> None:
    door = Door(WebConfig(users=USERS))
    assert [get(door, path, BOB).status_code for path in PATHS] == [200] * len(PATHS)
    assert get(door, "/metrics", EVE).status_code == 401


def test_whoever_logged_in_is_known_to_what_comes_after() -> None:
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope[USER])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    ask(Doorkeeper(app, Door(WebConfig(users=USERS))), "GET", "/", BOB)
    ask(Doorkeeper(app, Door()), "GET", "/", BOB)
    assert seen == ["bob", None]


def test_the_headers_of_the_web_config_come_with_every_answer_and_before_our_own() -> None:
    door = Door(WebConfig(users=USERS, headers={"Strict-Transport-Security": "max-age=60", "X-Frame-Options": "sameorigin"}))
    for response in (get(door, "/metrics", BOB), get(door, "/metrics"), get(door, "/nowhere", BOB)):
        assert response.headers["strict-transport-security"] == "max-age=60"
        assert response.headers.get_list("x-frame-options") == ["sameorigin"]
    assert "strict-transport-security" not in get(Door()).headers


def test_a_rate_limit_counts_every_request_whoever_sends_it() -> None:
    clock = FakeClock()
    door = Door(WebConfig(users=USERS, rate_interval_seconds=10.0, rate_burst=2), clock)
    assert [get(door, "/metrics", headers).status_code for headers in (BOB, None, BOB)] == [200, 401, 429]
    assert (get(door).text, get(door).headers["retry-after"]) == ("too many requests; try again later\n", "10")
    clock.advance(10)
    assert get(door, "/metrics", BOB).status_code == 200


def test_new_users_are_asked_for_at_once_and_old_ones_forgotten() -> None:
    door = Door(WebConfig(users=USERS))
    assert get(door, headers=BOB).status_code == 200
    door.adopt(WebConfig(users={"eve": USERS["bob"]}))
    assert get(door, headers=BOB).status_code == 401
    assert get(door, headers={"authorization": basic("eve", RIGHT)}).status_code == 200
    door.adopt(WebConfig())
    assert get(door).status_code == 200


def test_who_is_known_stays_known_where_only_a_certificate_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(WebConfig(users=USERS))
    assert get(door, headers=BOB).status_code == 200
    monkeypatch.setattr(bcrypt, "checkpw", None)
    door.adopt(WebConfig(users=dict(USERS), digest=b"another"))
    assert get(door, headers=BOB).status_code == 200


def test_a_large_body_is_refused_before_it_is_read() -> None:
    headers = {"content-length": str(MOST_BODY_BYTES + 1)}
    response = get(Door(), "/-/reload", headers, "POST")
    assert (response.status_code, response.text) == (413, "nothing that is sent here has more than 64 KiB\n")
    assert get(Door(), "/-/reload", {"content-length": "0"}, "POST").status_code == 200
