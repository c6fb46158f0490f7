from __future__ import annotations

import pytest

from exporter.errors import UsageError
from exporter.web import ListenAddress, parse_listen_address

HINT = "write host:port, such as :10201, 127.0.0.1:10201 or [::1]:10201"


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        (":10201", "", 10201),
        ("127.0.0.1:10201", "127.0.0.1", 10201),
        ("[::1]:10201", "::1", 10201),
        ("[::]:0", "::", 0),
        ("[fe80::1%eth0]:10201", "fe80::1%eth0", 10201),
        ("[::ffff:10.0.0.1]:80", "::ffff:10.0.0.1", 80),
        ("localhost:65535", "localhost", 65535),
        ("drift-exporter.monitoring.svc:10201", "drift-exporter.monitoring.svc", 10201),
    ],
)
def test_an_address_is_read_as_prometheus_writes_it(text: str, host: str, port: int) -> None:
    address = parse_listen_address(text)
    assert address == ListenAddress(host, port)
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "has no port"),
        ("10201", "has no port"),
        ("localhost", "has no port"),
        (":", "'' is no port: a number from 0 to 65535"),
        ("localhost:", "'' is no port: a number from 0 to 65535"),
        (":http", "'http' is no port: a number from 0 to 65535"),
        (":65536", "'65536' is no port: a number from 0 to 65535"),
        (":-1", "'-1' is no port: a number from 0 to 65535"),
        (":１０", "'１０' is no port: a number from 0 to 65535"),
        (": 10201", "' 10201' is no port: a number from 0 to 65535"),
        ("::1:10201", "an IPv6 address needs brackets around it"),
        ("[::1]", "has no port"),
        ("[1::2::3]:10201", "'1::2::3' is no IPv6 address"),
        ("[nonsense]:10201", "'nonsense' is no IPv6 address"),
        ("[]:10201", "'' is no IPv6 address"),
        ("http://localhost:10201", "'http://localhost' is no host name or address"),
        ("my host:10201", "'my host' is no host name or address"),
        ("*:10201", "'*' is no host name or address"),
    ],
)
def test_a_bad_address_is_told_with_what_is_wrong_and_how_to_write_it(text: str, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_listen_address(text)
    assert str(caught.value) == f"--web.listen-address {text!r}: {what}; {HINT}"
    assert caught.value.exit_code == 2
