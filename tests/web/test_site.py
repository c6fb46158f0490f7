from __future__ import annotations

import re

import pytest

from exporter.errors import UsageError
from exporter.web import create_app
from exporter.web.links import Links
from exporter.web.site import Site, parse_site
from tests.web.fake_state import FakeState, ask

EXAMPLE = "write it as https://tools.example.com/drift, or only its path, /drift"
PARTS = "use letters, digits, and . _ ~ - in each part of it, such as /drift"


@pytest.mark.parametrize(
    ("url", "prefix", "site"),
    [
        (None, None, Site()),
        (None, "/", Site()),
        (None, "drift", Site("/drift", Links("/drift"))),
        (None, "/a/b.c/", Site("/a/b.c", Links("/a/b.c"))),
        ("https://tools.example.com", None, Site("", Links(""), "https://tools.example.com")),
        ("https://Tools.example.com:443/drift/", None, Site("/drift", Links("/drift"), "https://tools.example.com")),
        ("http://tools.example.com:8080/a/b", None, Site("/a/b", Links("/a/b"), "http://tools.example.com:8080")),
        ("http://[::1]:8080/a", None, Site("/a", Links("/a"), "http://[::1]:8080")),
        ("https://tools.example.com/drift", "/", Site("", Links("/drift"), "https://tools.example.com")),
        ("https://tools.example.com/drift", "", Site("", Links("/drift"), "https://tools.example.com")),
        ("https://tools.example.com/drift", "/inside", Site("/inside", Links("/drift"), "https://tools.example.com")),
        ("/drift/", None, Site("/drift", Links("/drift"))),
        ("/drift", "/", Site("", Links("/drift"))),
    ],
)
def test_the_prefix_is_the_path_of_the_url_unless_it_is_given(url: str | None, prefix: str | None, site: Site) -> None:
    assert parse_site(url, prefix) == site


@pytest.mark.parametrize(
    ("url", "prefix", "message"),
    [
        ("tools.example.com/drift", None, f"--web.external-url 'tools.example.com/drift': is no URL of a web page; {EXAMPLE}"),
        ("ftp://tools.example.com", None, f"--web.external-url 'ftp://tools.example.com': is no URL of a web page; {EXAMPLE}"),
        ("https://", None, f"--web.external-url 'https://': is no URL of a web page; {EXAMPLE}"),
        ("https://bob:pw@tools/", None, f"--web.external-url 'https://bob:pw@tools/': is no URL of a web page; {EXAMPLE}"),
        ("https://tools:0/", None, f"--web.external-url 'https://tools:0/': is no URL of a web page; {EXAMPLE}"),
        ("https://tools:99999/", None, f"--web.external-url 'https://tools:99999/': is no URL; {EXAMPLE}"),
        ("https://[::1/", None, f"--web.external-url 'https://[::1/': is no URL; {EXAMPLE}"),
        ("https://tools/?", None, "--web.external-url 'https://tools/?': has a part after ? or #; leave it out"),
        ("https://tools/#a", None, "--web.external-url 'https://tools/#a': has a part after ? or #; leave it out"),
        ("https://tools/a b", None, f"--web.external-url 'https://tools/a b': has a path that cannot be served; {PARTS}"),
        ("https://tools/a/../b", None, f"--web.external-url 'https://tools/a/../b': has a path that cannot be served; {PARTS}"),
        ("//evil.example/", None, f"--web.external-url '//evil.example': has a path that cannot be served; {PARTS}"),
        (None, "/a{b}", f"--web.route-prefix '/a{{b}}': has a path that cannot be served; {PARTS}"),
        (None, "/a//b", f"--web.route-prefix '/a//b': has a path that cannot be served; {PARTS}"),
        (None, "/%61", f"--web.route-prefix '/%61': has a path that cannot be served; {PARTS}"),
    ],
)
def test_what_is_no_url_and_no_prefix_is_told(url: str | None, prefix: str | None, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_site(url, prefix)
    assert str(caught.value) == message


def status(site: Site, path: str) -> tuple[int, str | None]:
    response = ask(create_app(FakeState(), site), "GET", path)
    return response.status_code, response.headers.get("location")


def test_everything_is_answered_below_the_prefix_and_nothing_else_is_found() -> None:
    site = Site("/drift", Links("/drift"))
    for path in ("/metrics", "/-/healthy", "/", "/targets/support-bot", "/config"):
        assert status(site, f"/drift{path}") == (200, None)
    for path in ("/metrics", "/-/healthy", "/driftmetrics", "/drif", "/drift2/metrics", "/drift/drift/metrics"):
        assert status(site, path) == (404, None)


def test_only_the_top_and_the_bare_prefix_redirect() -> None:
    site = Site("/drift", Links("/drift"))
    assert [status(site, path) for path in ("/", "/drift")] == [(302, "/drift/"), (302, "/drift/")]
    assert status(Site(), "/") == (200, None)


def test_a_path_that_is_not_there_names_the_page_that_is() -> None:
    site = Site("/drift", Links("/drift"))
    assert ask(create_app(FakeState(), site), "GET", "/nowhere").text == "not found; /drift/ lists what there is\n"


@pytest.mark.parametrize("path", ["/", "/targets/support-bot"])
def test_every_link_of_a_page_carries_the_path_of_the_url(path: str) -> None:
    site = Site("", Links("/drift"))
    html = ask(create_app(FakeState(lifecycle=True), site), "GET", path).text
    links = re.findall(r'(?:href|src|action)="([^"]*)"', html)
    assert "/drift/metrics" in links
    assert [link for link in links if not link.startswith(("/drift/", "#", "data:", "https://", "?"))] == []


def test_the_api_links_to_pages_below_the_path_of_the_url() -> None:
    response = ask(create_app(FakeState(), Site("", Links("/drift"))), "GET", "/api/v1/targets")
    assert '"/drift/targets/support-bot"' in response.text


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [("https://tools.example.com", 200), ("https://tools.example.com:8443", 403), ("http://tools.example.com", 403)],
)
def test_a_page_at_the_external_url_may_press_buttons(origin: str, allowed: int) -> None:
    app = create_app(FakeState(lifecycle=True), Site("", Links(""), "https://tools.example.com"))
    assert ask(app, "POST", "/-/reload", {"origin": origin}).status_code == allowed
