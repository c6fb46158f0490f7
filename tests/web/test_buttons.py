"""The buttons of a target's page: who may press them, and what is told afterwards."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import quote

import httpx
import pytest

from exporter.metrics import MetricsView
from exporter.web import Outcome, OutcomeKind, create_app
from exporter.web.links import Links
from exporter.web.site import Site
from tests.metrics.snapshots import named
from tests.web.fake_state import FakeState, get, request

PAGE = "/targets/support-bot"


class Visitor:
    """Somebody whose requests all go to the same process, as they must for a token to hold."""

    def __init__(self, state: FakeState, site: Site | None = None) -> None:
        self._app = create_app(state, site)

    def ask(
        self, method: str, path: str, form: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://exporter:10201") as client:
                return await client.request(method, path, data=form, headers=headers)

        return asyncio.run(ask())

    def form(self, action: str, page: str = PAGE) -> dict[str, str]:
        """The fields that are sent where a button is pressed, the box of a reset ticked."""
        for form in re.findall(r"<form.*?</form>", self.ask("GET", page).text, re.DOTALL):
            fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
            if fields["action"] == action:
                return fields
        raise AssertionError(f"no button to {action}")


def told(response: httpx.Response) -> str:
    found = re.search(r'<p class="note[^>]*role="(?:alert|status)">(.*?)</p>', response.text)
    return unescape(found.group(1)) if found else ""


def test_without_lifecycle_there_are_no_buttons_and_nothing_may_be_posted() -> None:
    state = FakeState()
    response = get(state, PAGE)
    assert "<form" not in response.text
    assert "form-action 'none'" in response.headers["content-security-policy"]
    assert request(state, "POST", PAGE).status_code == 405
    assert state.actions == []


def test_with_lifecycle_a_page_may_post_to_its_own_server_alone() -> None:
    response = get(FakeState(lifecycle=True), PAGE)
    assert "form-action 'self';" in response.headers["content-security-policy"]
    assert response.text.count('<form method="post" action="/targets/support-bot">') == 2


@pytest.mark.parametrize(
    ("action", "word"),
    [
        ("check", "A check has begun. Its figures come as it goes: load this page again."),
        ("reset", "The baseline is reset: the next runs become the new one."),
    ],
)
def test_a_button_does_its_work_and_leads_back_to_the_page(action: str, word: str) -> None:
    state = FakeState(lifecycle=True)
    visitor = Visitor(state)
    response = visitor.ask("POST", PAGE, visitor.form(action), {"origin": "http://exporter:10201"})
    assert response.status_code == 303
    assert state.actions == [(action, "support-bot", "127.0.0.1")]
    assert response.headers["location"].startswith(f"{PAGE}?done={action}&seal=")
    assert told(visitor.ask("GET", response.headers["location"])) == word
    assert state.actions == [(action, "support-bot", "127.0.0.1")]


def test_a_link_cannot_claim_that_something_was_done() -> None:
    visitor = Visitor(FakeState(lifecycle=True))
    done = visitor.ask("POST", PAGE, visitor.form("check")).headers["location"]
    for link in (f"{PAGE}?done=reset", f"{PAGE}?done=reset&seal={'0' * 64}", done.replace("done=check", "done=reset"), f"{PAGE}?done="):
        assert told(visitor.ask("GET", link)) == ""


@pytest.mark.parametrize("name", ["a/b", "日本語 🤖", "<script>\"'&", "%2e", "new\nline"])
def test_a_button_works_whatever_the_target_is_called(name: str) -> None:
    state = FakeState(MetricsView(snapshots=(named(name),)), lifecycle=True)
    visitor = Visitor(state)
    page = f"/targets/{quote(name, safe='')}"
    assert visitor.ask("POST", page, visitor.form("check", page)).status_code == 303
    assert state.actions == [("check", name, "127.0.0.1")]


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_a_forged_token_does_nothing(token: str) -> None:
    state = FakeState(lifecycle=True)
    response = Visitor(state).ask("POST", PAGE, {"action": "check", "token": token})
    assert response.status_code == 403
    assert told(response) == "Nothing was done: the button was that of a page from before the last restart. Use the one below."
    assert state.actions == []


def test_a_token_is_good_for_its_own_target_action_and_process() -> None:
    state = FakeState(MetricsView(snapshots=(named("support-bot"), named("other"))), lifecycle=True)
    visitor = Visitor(state)
    form = visitor.form("check")
    assert visitor.ask("POST", "/targets/other", form).status_code == 403
    assert visitor.ask("POST", PAGE, form | {"action": "reset", "confirm": "yes"}).status_code == 403
    assert Visitor(state).ask("POST", PAGE, form).status_code == 403
    assert state.actions == []


def test_a_reset_without_its_box_ticked_does_nothing() -> None:
    state = FakeState(lifecycle=True)
    visitor = Visitor(state)
    form = visitor.form("reset")
    response = visitor.ask("POST", PAGE, {"action": "reset", "token": form["token"]})
    assert response.status_code == 400
    assert told(response) == "Nothing was done: a reset has to be confirmed with the box above its button."
    assert "<details open>" in response.text
    assert state.actions == []


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}])
def test_a_page_of_another_site_presses_no_button(headers: dict[str, str]) -> None:
    state = FakeState(lifecycle=True)
    visitor = Visitor(state)
    response = visitor.ask("POST", PAGE, visitor.form("check"), headers)
    assert (response.status_code, response.text) == (403, "not from a page of another site\n")
    assert state.actions == []


@pytest.mark.parametrize(
    ("kind", "status"),
    [(OutcomeKind.UNDER_WAY, 409), (OutcomeKind.UNAVAILABLE, 503), (OutcomeKind.UNKNOWN_TARGET, 404)],
)
def test_what_cannot_be_done_is_told_on_the_page(kind: OutcomeKind, status: int) -> None:
    state = FakeState(lifecycle=True)
    state.outcome = Outcome(kind, "check 31 of <support-bot> is under way")
    visitor = Visitor(state)
    response = visitor.ask("POST", PAGE, visitor.form("check"))
    assert response.status_code == status
    assert told(response) == "Nothing was done: check 31 of <support-bot> is under way."
    assert "<support-bot>" not in response.text


@pytest.mark.parametrize("action", ["", "delete", "done"])
def test_there_are_no_other_actions(action: str) -> None:
    visitor = Visitor(FakeState(lifecycle=True))
    response = visitor.ask("POST", PAGE, visitor.form("check") | {"action": action})
    assert (response.status_code, response.text) == (400, "no such action; load the page again\n")


def test_a_target_that_is_gone_has_no_page_to_tell_it_on() -> None:
    visitor = Visitor(FakeState(lifecycle=True))
    assert visitor.ask("POST", "/targets/nobody", visitor.form("check")).status_code == 404


def test_below_a_prefix_every_link_and_button_has_it() -> None:
    state = FakeState(lifecycle=True)
    visitor = Visitor(state, Site(route_prefix="/drift", links=Links("/drift")))
    for path in ("/drift/", "/drift/?verdict=drift", f"/drift{PAGE}"):
        html = visitor.ask("GET", path).text
        links = re.findall(r'<(?:a|form)[^>]* (?:href|action)="([^"]*)"', html)
        assert len(links) > 5
        assert [link for link in links if not link.startswith("/drift/")] == []
    response = visitor.ask("POST", f"/drift{PAGE}", visitor.form("check", f"/drift{PAGE}"))
    assert response.headers["location"].startswith(f"/drift{PAGE}?done=check&seal=")
    assert told(visitor.ask("GET", response.headers["location"])).startswith("A check has begun.")
