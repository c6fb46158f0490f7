from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import bcrypt
import pytest

from exporter.web.logins import AT_ONCE, TRIES, Logins, Refusal
from tests.fakes import FakeClock

RIGHT = "correct horse"
COST4 = bcrypt.hashpw(RIGHT.encode(), bcrypt.gensalt(4)).decode()
COST5 = bcrypt.hashpw(RIGHT.encode(), bcrypt.gensalt(5)).decode()
LAN, WAN = "10.0.0.7", "192.0.2.1"


def basic(name: str, password: str) -> str:
    return "Basic " + b64encode(f"{name}:{password}".encode()).decode()


class Watched:
    """Logins, and every hash that bcrypt was asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, users: dict[str, str] | None = None) -> None:
        self.clock = FakeClock()
        self.logins = Logins(users or {"bob": COST4}, self.clock)
        self.hashes: list[str] = []
        self.threads: set[threading.Thread] = set()
        checkpw = bcrypt.checkpw

        def watched(password: bytes, user_hash: bytes) -> bool:
            self.hashes.append(user_hash.decode())
            self.threads.add(threading.current_thread())
            return checkpw(password, user_hash)

        monkeypatch.setattr(bcrypt, "checkpw", watched)

    def admit(self, authorization: str | None, address: str = LAN) -> Refusal | str:
        return asyncio.run(self.logins.admit(authorization, address))


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def status(admitted: Refusal | str) -> int:
    return admitted.status if isinstance(admitted, Refusal) else 200


@pytest.mark.parametrize(
    "header",
    [None, "", "Basic", "Basic !!!", "Basic " + b64encode(b"no colon").decode(), "Bearer abc", "Basic " + b64encode(b"\xff:x").decode()],
)
def test_without_name_and_password_nobody_comes_in_and_no_time_is_spent(watched: Watched, header: str | None) -> None:
    refusal = watched.admit(header)
    assert isinstance(refusal, Refusal)
    assert (refusal.status, refusal.sentence) == (401, "a name and a password are needed")
    assert refusal.headers == {"WWW-Authenticate": 'Basic realm="model-drift-exporter", charset="UTF-8"'}
    assert watched.hashes == []


@pytest.mark.parametrize("prefix", ["2a", "2b", "2y"])
def test_the_right_password_opens_in_every_form_of_bcrypt(monkeypatch: pytest.MonkeyPatch, prefix: str) -> None:
    watched = Watched(monkeypatch, {"bob": COST4.replace("2b", prefix)})
    assert watched.admit(basic("bob", RIGHT)) == "bob"
    assert status(watched.admit(basic("bob", "wrong"))) == 401


def test_a_scrape_after_the_first_costs_no_bcrypt(watched: Watched) -> None:
    assert [watched.admit(basic("bob", RIGHT)) for _ in range(5)] == ["bob"] * 5
    assert watched.hashes == [COST4]


def test_a_wrong_password_is_looked_at_each_time(watched: Watched) -> None:
    assert [status(watched.admit(basic("bob", "wrong"))) for _ in range(3)] == [401, 401, 401]
    assert watched.hashes == [COST4] * 3


def test_bcrypt_runs_off_the_loop(watched: Watched) -> None:
    watched.admit(basic("bob", RIGHT))
    assert threading.main_thread() not in watched.threads


def test_a_name_that_there_is_not_costs_as_much_as_one_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, {"bob": COST4, "eve": COST5})
    for number in range(TRIES):
        assert status(watched.admit(basic(f"nobody-{number}", RIGHT))) == 401
    assert {user_hash[:7] for user_hash in watched.hashes} == {"$2b$04$", "$2b$05$"}
    assert {len(user_hash) for user_hash in watched.hashes} == {60}


def test_the_same_unknown_name_always_costs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, {"bob": COST4, "eve": COST5})
    for _ in range(TRIES):
        watched.admit(basic("nobody", RIGHT))
    assert len(set(watched.hashes)) == 1


def test_guessing_is_stopped_before_it_costs_anything_and_goes_on_slowly(watched: Watched) -> None:
    assert [status(watched.admit(basic("bob", f"guess {number}"))) for number in range(TRIES)] == [401] * TRIES
    refusal = watched.admit(basic("bob", "one more"))
    assert isinstance(refusal, Refusal)
    assert (refusal.status, refusal.sentence, refusal.headers) == (429, "too many wrong passwords; try again later", {"Retry-After": "6"})
    assert len(watched.hashes) == TRIES
    watched.clock.advance(6)
    assert [status(watched.admit(basic("bob", guess))) for guess in ("again", "and again")] == [401, 429]


def test_who_was_let_in_before_is_let_in_whatever_the_neighbour_behind_the_same_proxy_does(watched: Watched) -> None:
    assert watched.admit(basic("bob", RIGHT)) == "bob"
    for number in range(TRIES + 1):
        watched.admit(basic("bob", f"guess {number}"))
    assert status(watched.admit(basic("bob", "guess"))) == 429
    assert watched.admit(basic("bob", RIGHT)) == "bob"


def test_another_address_is_not_made_to_wait(watched: Watched) -> None:
    for number in range(TRIES + 1):
        watched.admit(basic("bob", f"guess {number}"), WAN)
    assert watched.admit(basic("bob", RIGHT), LAN) == "bob"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.7", "10.0.0.7", True),
        ("", "", True),
    ],
)
def test_an_ipv6_network_counts_as_one_address(watched: Watched, one: str, other: str, same: bool) -> None:
    for number in range(TRIES):
        watched.admit(basic("bob", f"guess {number}"), one)
    assert status(watched.admit(basic("bob", "guess"), other)) == (429 if same else 401)


def test_right_passwords_are_no_wrong_tries(watched: Watched) -> None:
    users = {f"user-{number}": COST4 for number in range(TRIES * 2)}
    watched.logins = Logins(users, watched.clock)
    assert [watched.admit(basic(name, RIGHT)) for name in users] == list(users)


def test_a_password_longer_than_bcrypt_knows_is_that_of_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, {"bob": bcrypt.hashpw(b"x" * 72, bcrypt.gensalt(4)).decode()})
    assert watched.admit(basic("bob", "x" * 100)) == "bob"
    assert status(watched.admit(basic("bob", "x" * 71))) == 401


def test_name_and_password_are_not_mixed_up_in_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, {"ab": bcrypt.hashpw(b"c", bcrypt.gensalt(4)).decode()})
    assert watched.admit(basic("ab", "c")) == "ab"
    assert status(watched.admit(basic("a", "bc"))) == 401


def test_few_are_looked_at_at_once_and_not_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    looking, most, release = [0], [0], threading.Event()
    counting = threading.Lock()

    def slow(_password: bytes, _hash: bytes) -> bool:
        with counting:
            looking[0] += 1
            most[0] = max(most[0], looking[0])
        release.wait(30)
        with counting:
            looking[0] -= 1
        return False

    monkeypatch.setattr(bcrypt, "checkpw", slow)

    async def crowd() -> list[int]:
        logins = Logins({"bob": COST4}, FakeClock())
        asking = [asyncio.create_task(logins.admit(basic("bob", str(number)), f"10.0.0.{number}")) for number in range(50)]
        await until(lambda: looking[0] == AT_ONCE and sum(task.done() for task in asking) == 50 - 32)
        release.set()
        return [status(one) for one in await asyncio.gather(*asking)]

    answers = asyncio.run(crowd())
    assert (answers.count(401), answers.count(429), most[0]) == (32, 18, AT_ONCE)


def test_who_logs_in_does_not_wait_for_threads_that_wait_for_a_database(watched: Watched) -> None:
    async def ask() -> Refusal | str | None:
        away = threading.Event()
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
        waiting = asyncio.create_task(asyncio.to_thread(away.wait))
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(60):
                return await watched.logins.admit(basic("bob", RIGHT), LAN)
        finally:
            away.set()
            await waiting

    assert asyncio.run(ask()) == "bob"


def test_a_crowd_that_comes_with_the_same_password_is_one_look_and_no_wrong_try(watched: Watched) -> None:
    async def crowd(password: str) -> list[int]:
        asking = [watched.logins.admit(basic("bob", password), LAN) for _ in range(TRIES * 4)]
        return [status(one) for one in await asyncio.gather(*asking)]

    assert asyncio.run(crowd(RIGHT)) == [200] * TRIES * 4
    assert asyncio.run(crowd("wrong")) == [401] * TRIES * 4
    assert watched.hashes == [COST4] * 2


def test_who_asks_first_and_goes_away_takes_no_answer_from_the_others(watched: Watched) -> None:
    async def crowd() -> Refusal | str:
        first, second = (asyncio.create_task(watched.logins.admit(basic("bob", RIGHT), LAN)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(crowd()) == "bob"


def test_other_users_leave_known_who_keeps_the_password(watched: Watched) -> None:
    watched.logins = Logins({"bob": COST4, "eve": COST4, "joe": COST4}, watched.clock)
    for name in ("bob", "eve", "joe"):
        assert watched.admit(basic(name, RIGHT)) == name
    watched.logins = watched.logins.with_users({"bob": COST4, "eve": COST5})
    watched.hashes.clear()
    assert [status(watched.admit(basic(name, RIGHT))) for name in ("bob", "eve", "joe")] == [200, 200, 401]
    assert watched.hashes[0] == COST5
    assert len(watched.hashes) == 2


def test_other_users_are_no_new_tries(watched: Watched) -> None:
    for number in range(TRIES):
        watched.admit(basic("bob", f"guess {number}"))
    watched.logins = watched.logins.with_users({"eve": COST4})
    assert status(watched.admit(basic("eve", "guess"))) == 429


async def until(condition: Callable[[], Any]) -> None:
    """Return once `condition` holds."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0)
