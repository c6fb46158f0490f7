"""The pages in headless Chromium: what they look like, what they let happen, and that their buttons work without scripts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from itertools import pairwise
from urllib.parse import quote

import pytest

from exporter.metrics import MetricsView
from exporter.web import ListenAddress, Outcome, OutcomeKind, create_app, open_listener, serve_app
from tests.browser import Page, browsing
from tests.threads import in_thread
from tests.web.fake_state import FakeState
from tests.web.scenes import HOSTILE, everything, fifty_targets

PAGES = {
    "every kind of target": ("everything", "/"),
    "drift": ("everything", "/targets/support-bot"),
    "measurement failed": ("everything", "/targets/translator"),
    "stable": ("everything", "/targets/summariser"),
    "collecting": ("everything", "/targets/just-begun"),
    "never checked": ("everything", "/targets/new-model"),
    "hostile": ("everything", f"/targets/{quote(HOSTILE, safe='')}"),
    "fifty targets": ("fifty", "/"),
    "fifty, narrowed": ("fifty", "/?verdict=stable&provider=openai"),
    "no targets, and files that cannot be loaded": ("empty", "/"),
}

TOO_FAINT = """(() => {
  const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(v => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = e => {
    const color = getComputedStyle(e).backgroundColor;
    return color.endsWith(', 0)') ? ground(e.parentElement) : color;
  };
  const speaks = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.checkVisibility() && !e.matches('title, desc');
  const contrast = e => {
    const style = getComputedStyle(e), text = light(e instanceof SVGElement ? style.fill : style.color), behind = light(ground(e));
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
  };
  return [...document.body.querySelectorAll('*')].filter(e => speaks(e) && contrast(e) < 4.5).map(e => e.textContent + contrast(e));
})()"""
"""Text whose contrast with what is behind it is below 4.5 to 1, the least that WCAG's level AA allows."""

OUTSIDE = """[...document.querySelectorAll('.plot .mark, .plot text')].filter(e => {
  const b = e.getBoundingClientRect(), box = e.closest('.chart').getBoundingClientRect();
  return b.left < box.left || b.right > box.right || b.top < box.top || b.bottom > box.bottom;
}).map(e => e.outerHTML)"""
"""Parts of a chart that stand out of its box."""

OVERLAPPING = """[...document.querySelectorAll('.plot')].flatMap(plot => {
  const boxes = [...plot.querySelectorAll('text')].map(e => [e.textContent, e.getBoundingClientRect()]);
  return boxes.flatMap(([said, a], i) => boxes.slice(i + 1).filter(([, b]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom).map(([other]) => said + ' | ' + other));
})"""
"""Words of a chart that are written over each other."""


@asynccontextmanager
async def _serving(state: FakeState) -> AsyncIterator[str]:
    listener, bound = open_listener(ListenAddress("127.0.0.1", 0))
    stop = asyncio.Event()
    serving = asyncio.create_task(serve_app(create_app(state), [listener], stop=stop, grace_seconds=1))
    try:
        yield f"http://{bound}"
    finally:
        stop.set()
        await serving


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browsing() as page:
        yield page


@pytest.fixture(scope="module")
def servers(page: Page) -> Iterator[dict[str, str]]:  # after the browser: without one nothing is served
    faulty = MetricsView(
        reload_successful=False, reload_error=f"{HOSTILE}\n{HOSTILE}", web_reload_successful=False, web_reload_error="w" * 700
    )
    states = {"everything": everything(lifecycle=True), "fifty": fifty_targets(), "empty": FakeState(faulty)}
    with ExitStack() as stack:
        yield {name: stack.enter_context(in_thread(_serving(state)))[0] for name, state in states.items()}


@pytest.fixture
def clickable(page: Page) -> Iterator[tuple[Page, FakeState, str]]:
    """A state of this test's own, for who changes it, and the address of a target's page."""
    state = everything(lifecycle=True)
    serving: AbstractAsyncContextManager[str] = _serving(state)
    with in_thread(serving) as (url, _loop):
        yield page, state, f"{url}/targets/support-bot"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 840, 1200])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_can_be_read_and_loads_without_a_complaint(
    page: Page, servers: dict[str, str], name: str, width: int, *, dark: bool
) -> None:
    server, path = PAGES[name]
    page.show(servers[server] + path, width=width, dark=dark)
    assert page.complaints == []
    assert page.ask("document.documentElement.scrollWidth") == width
    assert page.ask(TOO_FAINT) == []
    assert page.ask(OUTSIDE) == []
    assert page.ask(OVERLAPPING) == []


@pytest.mark.parametrize("name", PAGES)
def test_headings_lead_through_a_page(page: Page, servers: dict[str, str], name: str) -> None:
    server, path = PAGES[name]
    page.show(servers[server] + path)
    levels = page.ask("[...document.querySelectorAll('h1, h2, h3, h4')].map(e => Number(e.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_scheme_of_the_system_is_followed(page: Page, servers: dict[str, str]) -> None:
    grounds = []
    for dark in (False, True):
        page.show(servers["everything"], dark=dark)
        grounds.append(page.ask("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(244, 246, 248)", "rgb(18, 22, 27)"]


@pytest.mark.parametrize("path", ["/", f"/targets/{quote(HOSTILE, safe='')}"])
def test_hostile_words_are_shown_and_make_nothing(page: Page, servers: dict[str, str], path: str) -> None:
    page.show(servers["everything"] + path)
    assert page.complaints == []
    assert page.ask("document.querySelectorAll('script, img, iframe, object').length") == 0
    assert page.ask("document.title") != "owned"
    assert page.ask("document.body.innerText.includes(\"<script>document.title='owned'</script>\")")
    assert page.ask(r"document.body.innerText.includes('\u202e')") is False


def test_without_scripts_everything_is_there_and_links_lead_on(page: Page, servers: dict[str, str]) -> None:
    page.show(servers["everything"], scripts=False)
    assert "Something to do (3)" in page.ask("document.body.innerText")
    page.click(".urgent a")
    assert page.ask("document.querySelector('h1').innerText") == "support-bot"
    assert page.ask("document.querySelectorAll('.plot .mark').length") > 100
    page.click(".paging a")
    assert page.ask("location.search") == "?before=18"


def test_check_now_is_one_click_and_the_page_says_so(clickable: tuple[Page, FakeState, str]) -> None:
    page, state, url = clickable
    page.show(url, scripts=False)
    page.click("form button")
    assert state.actions == [("check", "support-bot", "127.0.0.1")]
    assert page.ask("document.querySelector('[role=status]').innerText") == (
        "A check has begun. Its figures come as it goes: load this page again."
    )
    assert page.complaints == []


def test_a_reset_takes_a_ticked_box(clickable: tuple[Page, FakeState, str]) -> None:
    page, state, url = clickable
    page.show(url, scripts=False)
    assert page.ask("document.querySelector('button.grave').checkVisibility()") is False
    page.press(".actions summary")
    page.press("button.grave")
    assert page.ask("document.querySelector('form details :invalid, form:invalid') !== null")
    assert state.actions == []
    page.press("input[type=checkbox]")
    page.click("button.grave")
    assert state.actions == [("reset", "support-bot", "127.0.0.1")]
    assert page.ask("document.querySelector('[role=status]').innerText") == "The baseline is reset: the next runs become the new one."


def test_what_cannot_be_done_is_told_on_the_page(clickable: tuple[Page, FakeState, str]) -> None:
    page, state, url = clickable
    state.outcome = Outcome(OutcomeKind.UNDER_WAY, "check 31 of support-bot is under way")
    page.show(url, scripts=False)
    page.click("form button")
    assert page.ask("document.querySelector('[role=alert]').innerText") == "Nothing was done: check 31 of support-bot is under way."
