from __future__ import annotations

import pytest
from starlette.requests import Request

from exporter.web.security import USER, asked_by, comes_from_elsewhere


def a_request(headers: dict[str, str], **scope: object) -> Request:
    encoded = [(name.encode(), value.encode()) for name, value in {"host": "drift.example:10201", **headers}.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": encoded, **scope})


@pytest.mark.parametrize(
    ("headers", "elsewhere"),
    [
        ({}, False),
        ({"origin": "http://drift.example:10201"}, False),
        ({"origin": "https://drift.example:10201"}, False),
        ({"origin": "http://drift.example"}, True),
        ({"origin": "http://evil.example"}, True),
        ({"origin": "null"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "https://drift.example"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "same-site"}, True),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "cross-site", "origin": "http://drift.example:10201"}, True),
        ({"sec-fetch-site": ""}, True),
    ],
)
def test_a_browser_tells_whether_it_sends_for_a_page_of_another_site(headers: dict[str, str], elsewhere: bool) -> None:
    assert comes_from_elsewhere(a_request(headers)) is elsewhere


def test_who_asks_is_told_by_address_and_by_name_where_one_is_known() -> None:
    assert asked_by(a_request({})) == "an unknown address"
    assert asked_by(a_request({}, client=("10.0.0.7", 50_000))) == "10.0.0.7"
    assert asked_by(a_request({}, client=("10.0.0.7", 50_000), **{USER: "alice"})) == "alice at 10.0.0.7"
