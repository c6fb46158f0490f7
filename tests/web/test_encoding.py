from __future__ import annotations

import pytest

from exporter.web.encoding import accepts_gzip


@pytest.mark.parametrize(
    ("accept_encoding", "accepted"),
    [
        ("gzip", True),
        ("deflate, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, *", False),
        ("*;q=0", False),
        ("gzip;q=nonsense", False),
        ("identity", False),
        ("br, zstd", False),
        ("", False),
    ],
)
def test_gzip_is_sent_only_where_it_is_accepted(accept_encoding: str, accepted: bool) -> None:
    assert accepts_gzip(accept_encoding) is accepted
