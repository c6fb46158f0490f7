"""docs/web.md tells of every key of the web config file, with its default, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exporter.config import load_web_config
from exporter.config.load import flow_yaml
from exporter.config.schema import Key
from exporter.config.web_file import web_keys
from exporter.config.web_model import HIGHEST_COST, TLS12_SUITES, TLS13_SUITES
from exporter.daemon.web_access import POLL_SECONDS
from exporter.web.connection import Limits
from exporter.web.door import MOST_BODY_BYTES
from exporter.web.logins import SECONDS_A_TRY, TRIES
from tests.certificates import write_certificate

TEXT = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^#+ (.+)\n((?:(?!#).*\n?)*)", TEXT, re.MULTILINE))
WORDS = " ".join(TEXT.split())


def row_of(key: Key) -> str:
    return f"| `{key.path[-1]}` | {key.words} | `{flow_yaml(key.default)}` | {key.description} |"


@pytest.mark.parametrize("key", web_keys(), ids=lambda key: ".".join(key.path))
def test_each_key_is_documented_in_its_section_with_its_default(key: Key) -> None:
    block = ".".join(key.path[:-1])
    assert row_of(key) in SECTIONS[f"`{block}`" if block else "Top level"].splitlines()


def test_no_key_is_documented_that_does_not_exist() -> None:
    rows = re.findall(r"^\| `[A-Za-z_0-9-]+` \| .* \| `.*` \| .*$", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(map(row_of, web_keys()))


def test_the_example_loads(tmp_path: Path) -> None:
    write_certificate(tmp_path)
    example = re.search(r"^```yaml\n(tls_server_config.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert example is not None
    (tmp_path / "web.yml").write_text(example[1])
    assert list(load_web_config(tmp_path / "web.yml").users) == ["prometheus"]


def test_every_cipher_suite_can_be_read_off_the_page() -> None:
    for suite in TLS13_SUITES:
        assert f"`{suite}`" in TEXT
    endings = {suite.partition("_WITH_")[2] for suite in TLS12_SUITES}
    assert [ending for ending in endings if f"`{ending}`" not in TEXT] == []


def test_the_limits_on_the_page_are_those_in_force() -> None:
    limits = Limits()
    for said in (
        f"| TLS handshake | {limits.handshake:.0f} s |",
        f"| a whole request, from connecting or from its first byte | {limits.request:.0f} s, and 1 MiB with its body |",
        f"| taking a response that does not fit into the buffers | {limits.response:.0f} s |",
        f"| between two requests | {limits.idle} s |",
        f"| closing | {limits.farewell:.0f} s |",
        f"at most {limits.connections} connections",
        f"every {POLL_SECONDS:.0f} seconds",
        f"A cost above {HIGHEST_COST} is refused",
        f"one more each {SECONDS_A_TRY:.0f} seconds",
        f"a body of more than {MOST_BODY_BYTES >> 10} KiB",
    ):
        assert said in WORDS
    assert TRIES == 10
    assert "Ten wrong passwords an address" in WORDS
