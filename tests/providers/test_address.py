from __future__ import annotations

import pytest

from exporter.providers.address import UnaskableUrlError, UnresolvableHostError, read_address


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://api.example.com", "https://api.example.com/"),
        ("HTTPS://API.Example.com:443/v1/", "https://api.example.com/v1/"),
        ("http://host:8080/v1?api-version=2024-10-21", "http://host:8080/v1?api-version=2024-10-21"),
        ("http://host/v1beta/models/gemini-2.5:generateContent", "http://host/v1beta/models/gemini-2.5:generateContent"),
        ("http://host/a%2Fb/%7e/%zz", "http://host/a%2Fb/%7e/%zz"),
        ("http://host/my deployment/ü", "http://host/my%20deployment/%C3%BC"),
        ("http://host/{a}'(b)!$&*+,;=@~|?{a}'(b)!$&*+,;=@~|/?", "http://host/%7Ba%7D'(b)!$&*+,;=@~|?{a}'(b)!$&*+,;=@~|/?"),
        ("http://host//a//b/", "http://host//a//b/"),
        ("http://host/a/./b/../c", "http://host/a/c"),
        ("http://host/..", "http://host/"),
        ("http://host/v1#part", "http://host/v1"),
        ("http://bücher.example/v1", "http://xn--bcher-kva.example/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_a_url_is_asked_as_it_was_written(url: str, asked: str) -> None:
    address = read_address(url)
    assert (str(address.url), address.authorization) == (asked, None)


@pytest.mark.parametrize(
    ("url", "authorization"),
    [
        ("http://user:pass@host/v1", "Basic dXNlcjpwYXNz"),
        ("http://us%40er:p%C3%BC@host/v1", "Basic dXNAZXI6cMO8"),
        ("http://user@host/v1", "Basic dXNlcjo="),
        ("http://:pass@host/v1", "Basic OnBhc3M="),
        ("http://@host/v1", None),
    ],
)
def test_a_name_and_a_password_become_a_header(url: str, authorization: str | None) -> None:
    address = read_address(url)
    assert (str(address.url), address.authorization) == ("http://host/v1", authorization)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host/v1",
        "//host/v1",
        "ftp://host/v1",
        "http://",
        "http:///v1",
        "http://host:port/",
        "http://host:99999/",
        "http://[::1/",
        "http://[zz]/",
        "http://two words/",
        "http://host/\n",
        "http://host/a\tb",
        f"http://host/{'a' * 65_536}",
    ],
)
def test_what_is_no_url_of_http_is_refused(url: str) -> None:
    with pytest.raises(UnaskableUrlError):
        read_address(url)


@pytest.mark.parametrize("url", ["http://a..example/", "http://.example", "http://..", f"http://{'a' * 64}.example/"])
def test_a_name_that_no_host_can_have_is_refused(url: str) -> None:
    with pytest.raises(UnresolvableHostError):
        read_address(url)


@pytest.mark.parametrize(("url", "host", "port"), [("https://Host.", "host.", 443), ("http://[::1]", "::1", 80), ("http://h:81", "h", 81)])
def test_an_address_knows_its_host_and_port(url: str, host: str, port: int) -> None:
    assert (read_address(url).host, read_address(url).port) == (host, port)
