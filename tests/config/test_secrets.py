from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import Target, load_config, parse_config, read_api_key, shown_config
from exporter.config.secrets import is_secret_header, is_secret_name, mask_url, read_certificate_places
from exporter.errors import ConfigError
from tests.config.texts import TARGET, complaints

PLANTED = "sk-planted0123456789"
MORE_THAN_A_KEY = "holds more than a key (a line break, a space around it, or a character outside ASCII); leave only the key in it"


def target_with_key_file(path: Path) -> Target:
    return Target(name="bot", api="openai_chat", model="m", api_key_file=str(path))


def test_a_key_file_is_read_again_at_each_call(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("first\n")
    target = target_with_key_file(path)
    assert read_api_key(target) == "first"
    path.write_text("second")
    assert read_api_key(target) == "second"


def test_a_key_comes_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", "from-env\n")
    assert read_api_key(Target(name="bot", api="openai_chat", model="m", api_key_env="BOT_KEY")) == "from-env"


@pytest.mark.parametrize(
    ("file", "folder", "places"),
    [
        ("", "", (None, None)),
        ("/ca.pem", "", ("/ca.pem", None)),
        ("", "/certs", (None, "/certs")),
        ("/ca.pem", "/certs", ("/ca.pem", "/certs")),
    ],
)
def test_the_environment_names_whom_to_trust(
    monkeypatch: pytest.MonkeyPatch, file: str, folder: str, places: tuple[str | None, str | None]
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", file)
    monkeypatch.setenv("SSL_CERT_DIR", folder)
    assert read_certificate_places() == places


def test_a_target_that_names_no_key_has_none() -> None:
    assert read_api_key(Target(name="bot", api="ollama", model="m")) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty; write the key into it"),
        (b"\n", "the file is empty; write the key into it"),
        (b"  \n", "the file is empty; write the key into it"),
        (b"planted\nplanted\n", f"the file {MORE_THAN_A_KEY}"),
        (b"planted\n\n", f"the file {MORE_THAN_A_KEY}"),
        (b" planted\n", f"the file {MORE_THAN_A_KEY}"),
        (b"plan\x00ted\n", f"the file {MORE_THAN_A_KEY}"),
        (b"\xef\xbb\xbfplanted\n", f"the file {MORE_THAN_A_KEY}"),
        ("plänted\n".encode(), f"the file {MORE_THAN_A_KEY}"),
        (b"k" * 65_537, "the file is larger than 64 KiB; name a file that holds the key and nothing else"),
    ],
)
def test_a_key_file_without_one_plain_key_is_told_without_its_text(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        read_api_key(target_with_key_file(path))
    assert str(caught.value) == f"target bot: api_key_file: {message}"
    assert complaints(f"{TARGET}  api_key_file: key\n", tmp_path) == [f"config.yml:5: targets[0].api_key_file: {message}"]


def test_a_key_file_that_went_away_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k")
    (tmp_path / "config.yml").write_text(f"{TARGET}  api_key_file: key\n")
    target = load_config(tmp_path / "config.yml").targets[0]
    (tmp_path / "key").unlink()
    with pytest.raises(ConfigError) as caught:
        read_api_key(target)
    where = f"{tmp_path}/config.yml:5: targets[0].api_key_file"
    assert str(caught.value) == f"{where}: no such file; a relative path starts at the folder of the config file"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "the environment variable that it names is not set; set it where the exporter runs"),
        ("", "the environment variable that it names is empty; write the key into it"),
        ("a\nb", f"the environment variable that it names {MORE_THAN_A_KEY}"),
    ],
)
def test_a_variable_without_a_key_is_told(value: str | None, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("BOT_KEY", raising=False)
    else:
        monkeypatch.setenv("BOT_KEY", value)
    assert complaints(f"{TARGET}  api_key_env: BOT_KEY\n") == [f"config.yml:5: targets[0].api_key_env: {message}"]


@pytest.mark.parametrize(
    "text",
    [
        f"api_key_env: {PLANTED}",
        f"api_key_env: {PLANTED.replace('-', '_')}",
        f"api_key_env: [{PLANTED}]",
        f"api_key_env: {{{PLANTED}: 1}}",
        f"api_key_file: {PLANTED}",
        f"api_key_file: [{PLANTED}]",
        f"api_key: {PLANTED}",
        f"api_key: *{PLANTED}",
        f"api_key: !{PLANTED} x",
        f"api_key: '{PLANTED}",
        f"api_key: [{PLANTED}",
        f"api_key: @{PLANTED}",
        f"headers: {PLANTED}",
        f"headers: [{PLANTED}]",
        f"headers: {{Authorization: [{PLANTED}]}}",
        f'headers: {{Authorization: "Bearer {PLANTED}\\n"}}',
        f"headers: {{Authorization: {PLANTED}ü}}",
        f"headers: {{Authorization: !x {PLANTED}}}",
        f"base_url: https://user:{PLANTED}@",
        f"base_url: [{PLANTED}]",
        f"base_url: https://{PLANTED}@host/v1#x",
        f"extra_body: {PLANTED}",
        f"extra_body: [{PLANTED}]",
        f"concurrency: 0\n  headers: {{X-Key: {PLANTED}}}",
        f"stream: 5\nstorage: postgresql://u:{PLANTED}@h/d",
        f"stream: 5\nstorage: mysql://u:{PLANTED}@h/d",
    ],
)
def test_no_message_holds_a_planted_secret(text: str) -> None:
    told = "\n".join(complaints(f"{TARGET}  {text}\n"))
    assert told
    assert "planted" not in told


def test_a_target_printed_for_debugging_holds_no_secret() -> None:
    settings = f"base_url: https://u:{PLANTED}@h\n  headers: {{Authorization: {PLANTED}}}\n  extra_body: {{api_key: {PLANTED}}}\n"
    assert "planted" not in repr(parse_config(f"{TARGET}  {settings}", "config.yml"))


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "Proxy-Authorization",
        "x-api-key",
        "apiKey",
        "APIKEY",
        "X-Auth-Token",
        "Cookie",
        "Set-Cookie",
        "client_secret",
        "password",
    ],
)
def test_a_name_that_speaks_of_a_secret_is_seen(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["max_tokens", "max_completion_tokens", "X-Title", "HTTP-Referer", "OpenAI-Organization", "author", "keyboard"]
)
def test_a_harmless_name_is_let_through(name: str) -> None:
    assert not is_secret_name(name)


def test_a_header_is_a_secret_by_its_scheme_too() -> None:
    assert is_secret_header("X-Upstream", "Bearer abc")
    assert is_secret_header("X-Upstream", "basic dXNlcg==")
    assert not is_secret_header("X-Upstream", "bearer")
    assert not is_secret_header("X-Team", "support")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://host/v1", "https://host/v1"),
        ("https://user:pass@host:8080/v1", "https://<secret>@host:8080/v1"),
        ("https://token@host", "https://<secret>@host"),
        ("https://host/v1?api-version=2024-10-21&api-key=abc&x=1", "https://host/v1?api-version=2024-10-21&api-key=<secret>&x=1"),
        ("https://host/a@b", "https://host/a@b"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert mask_url(url) == shown


def test_what_only_looks_like_a_secret_is_not_shown_either() -> None:
    settings = """\
  headers: {X-Team: sk-planted-0123456789}
  extra_body: {note: ["see https://u:planted@h/x?key=planted"], user: Bearer planted-0123456789}
  base_url: https://host/gsk_planted0123456789/v1
"""
    shown = shown_config(parse_config(TARGET + settings, "config.yml"))
    assert "planted" not in shown
    assert "see https://<secret>@h/x?key=<secret>" in shown
    assert "X-Team: <secret>" in shown


def test_the_shown_config_holds_everything_but_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", PLANTED)
    text = f"""\
storage: sqlite:///data/history.db?password={PLANTED}
budget: {{total: {{usd_per_day: 9}}}}
{TARGET}  api_key_env: BOT_KEY
  base_url: https://user:{PLANTED}@host/v1?sig={PLANTED}
  headers: {{Authorization: Bearer {PLANTED}, X-Upstream: Bearer {PLANTED}, X-Team: support}}
  extra_body: {{user: me, api_key: {PLANTED}, nested: [{{password: {PLANTED}, max_tokens: 5}}], token: null, secret: {{a: {PLANTED}}}}}
  sampling: {{temperature: 0, session_token: {PLANTED}}}
  decision: {{tries: 2}}
  request_timeout: 90s
"""
    shown = shown_config(parse_config(text, "config.yml"))
    assert "planted" not in shown
    for line in (
        "  base_url: https://<secret>@host/v1?sig=<secret>",
        "    Authorization: <secret>",
        "    X-Upstream: <secret>",
        "    X-Team: support",
        "    user: me",
        "    api_key: <secret>",
        "    - password: <secret>",
        "      max_tokens: 5",
        "    token: null",
        "    secret: <secret>",
        "    temperature: 0",
        "    session_token: <secret>",
        "  api_key_env: BOT_KEY",
        "  request_timeout: 1m30s",
        "    tries: 2",
        "  tries: 6",
        "    usd_per_day: 9.0",
        "storage: sqlite:///data/history.db?password=<secret>",
    ):
        assert line in shown.splitlines()


def test_the_shown_config_loads_as_the_same_config(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k")
    settings = "  api_key_file: key\n  decision: {confirm_after: 250ms}\n  labels: {team: 'no'}\n"
    text = f"budget: {{total: {{tokens_per_day: 5}}}}\n{TARGET}{settings}"
    config = parse_config(text, "config.yml", tmp_path)
    assert parse_config(shown_config(config), "shown.yml") == config
