from __future__ import annotations

import os
import ssl
from pathlib import Path

import pytest

from exporter.config import WebConfigReader, load_web_config
from exporter.config.web_file import normal_san
from exporter.errors import ConfigError
from tests.certificates import authority, certificate, write_certificate

HASH = "$2b$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG"
TLS = "tls_server_config:\n  cert_file: tls.crt\n  key_file: tls.key\n"
"""What is appended to it, indented by 2, stands on line 4."""

MAKE_HASH = "make one with: htpasswd -nBC 10 '' | tr -d ':\\n'"
NO_HASH = f"is not a bcrypt hash ($2a$, $2b$ or $2y$); {MAKE_HASH}"
UNVERIFIED = "would take any certificate unverified, which Python's TLS cannot; write RequireAndVerifyClientCert"
ONE_OF_TWO = "must be one of TLS12, TLS13; write one of them"
BROKEN = "is not offered: it is broken, and OpenSSL has it switched off; write TLS12 or TLS13"
SUITES13 = "TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256"
NO_FILE = "no such file; a relative path starts at the folder of the config file"
NO_CERTIFICATE = "holds no certificate in PEM form; name a file with one or more -----BEGIN CERTIFICATE----- blocks"


def complaints(folder: Path, text: str) -> list[str]:
    """Every line of the error that a web config file of this text ends in, less the folder's name."""
    file = folder / "web.yml"
    file.write_text(text, encoding="utf-8")
    try:
        load_web_config(file)
    except ConfigError as error:
        return str(error).replace(f"{folder}/", "").split("\n")
    return []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_certificate(tmp_path)
    (tmp_path / "note.txt").write_text("no certificate\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "web.yml: empty; write {} into it if nothing is to be set"),
        ("# nothing\n", "web.yml: empty; write {} into it if nothing is to be set"),
        ("[]", "web.yml:1: must be a mapping, not a list"),
        ("a: 'b", "web.yml:1: not valid YAML: a quote that is never closed; close it"),
        ("tls: {}", "web.yml:1: tls: unknown key; remove it; docs/web.md lists every key"),
        ("tls_config: {}", "web.yml:1: tls_config: unknown key; did you mean tls_server_config?"),
        ("cert_file: tls.crt", "web.yml:1: cert_file: unknown key here; it belongs at tls_server_config.cert_file"),
        ("http_server_config: {http2: true}", "http2: HTTP/2 is not spoken here, only HTTP/1.1; remove the line, or write false"),
        ("http_server_config: {http2: 1}", "web.yml:1: http_server_config.http2: must be true or false, not 1"),
        ("http_server_config: {headers: {Server: x}}", "headers.Server: unknown key; remove it; docs/web.md lists every key"),
        ("http_server_config: {headers: {X-Frame-Options: DENY}}", "X-Frame-Options: must be one of deny, sameorigin or null, not 'DENY'"),
        (
            'http_server_config: {headers: {Strict-Transport-Security: "a\\nb"}}',
            "Strict-Transport-Security: cannot be sent as an HTTP header; use one line of ASCII characters without spaces around it",
        ),
        ("basic_auth_users: {bob: secret}", f"web.yml:1: basic_auth_users.bob: {NO_HASH}"),
        ("basic_auth_users: {bob: 5}", "web.yml:1: basic_auth_users.bob: must be text, not a number; put it in quotes"),
        (f"basic_auth_users: {{bob: {HASH[:-1]}}}", f"web.yml:1: basic_auth_users.bob: {NO_HASH}"),
        (f"basic_auth_users: {{bob: {HASH.replace('2b', '2x')}}}", f"web.yml:1: basic_auth_users.bob: {NO_HASH}"),
        (f"basic_auth_users: {{bob: {HASH.replace('$10', '$03')}}}", f"web.yml:1: basic_auth_users.bob: {NO_HASH}"),
        (f"basic_auth_users: {{bob: {HASH.replace('$10', '$32')}}}", f"web.yml:1: basic_auth_users.bob: {NO_HASH}"),
        (
            f"basic_auth_users: {{bob: {HASH.replace('$10', '$17')}}}",
            "bob: has cost 17, with which one login would take minutes; hash it with a cost of 10 to 14",
        ),
        (
            f"basic_auth_users: {{'a:b': {HASH}}}",
            "'a:b': is no user name that could be sent: it holds a colon or a control character; choose another",
        ),
        ("basic_auth_users:", "web.yml:1: basic_auth_users: empty; give it a value, or remove the line"),
        ("rate_limit: {interval: 1, burst: 3}", "interval: 1 is not a duration; write a number with its unit, such as 90s, 15m or 1h30m"),
        ("rate_limit: {interval: 1s}", "web.yml:1: rate_limit: allows no request at all: burst is 0; set burst to at least 1"),
        ("rate_limit: {interval: 1s, burst: -1}", "web.yml:1: rate_limit.burst: must be a whole number of at least 0, not -1"),
        (
            "tls_server_config: {key_file: tls.key}",
            "tls_server_config.cert_file: missing; add it, or cert; without tls_server_config HTTP is spoken in the clear",
        ),
        (f"{TLS}  min_version: TLS10\n", f"web.yml:4: tls_server_config.min_version: TLS10 {BROKEN}"),
        (f"{TLS}  max_version: TLS11\n", f"web.yml:4: tls_server_config.max_version: TLS11 {BROKEN}"),
        (f"{TLS}  max_version: '1.3'\n", f"web.yml:4: tls_server_config.max_version: {ONE_OF_TWO}"),
        (f"{TLS}  min_version: TLS13\n  max_version: TLS12\n", "max_version: is older than min_version; raise it, or lower min_version"),
        (f"{TLS}  client_auth_type: RequireAnyClientCert\n", f"client_auth_type: RequireAnyClientCert {UNVERIFIED}"),
        (f"{TLS}  client_auth_type: RequestClientCert\n", f"client_auth_type: RequestClientCert {UNVERIFIED}"),
        (
            f"{TLS}  client_auth_type: Always\n",
            "must be one of NoClientCert, VerifyClientCertIfGiven, RequireAndVerifyClientCert; write one of them",
        ),
        (
            f"{TLS}  client_auth_type: VerifyClientCertIfGiven\n",
            "VerifyClientCertIfGiven needs to know whose certificates are good; add client_ca_file",
        ),
        (
            f"{TLS}  client_ca_file: ca.crt\n",
            "client_ca_file: is of no use: no client is asked for a certificate; set client_auth_type: RequireAndVerifyClientCert",
        ),
        (
            f"{TLS}  client_auth_type: VerifyClientCertIfGiven\n  client_ca_file: ca.crt\n  client_allowed_sans: [a]\n",
            "a client may come without a certificate, and so without a name; set client_auth_type: RequireAndVerifyClientCert",
        ),
        (f"{TLS}  cipher_suites: [AES]\n", "cipher_suites[0]: is no cipher suite that is offered; docs/web.md lists them"),
        (
            f"{TLS}  cipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA]\n",
            "cipher_suites[0]: is no cipher suite that is offered; docs/web.md lists them",
        ),
        (
            f"{TLS}  cipher_suites: [TLS_AES_128_GCM_SHA256]\n",
            f"names some suites of TLS 1.3, which can only be had all three together; name all three ({SUITES13}), or none of them",
        ),
        (
            f"{TLS}  min_version: TLS13\n  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]\n",
            "cipher_suites: names suites of TLS 1.2, which min_version rules out; remove them",
        ),
        (f"{TLS}  curve_preferences: [P256]\n", "[0]: must be one of CurveP256, CurveP384, CurveP521, X25519, not 'P256'"),
        (
            f"{TLS}  curve_preferences: [X25519, CurveP256]\n",
            "names several curves, of which Python's TLS can offer one; name one, or remove the line",
        ),
        (f"{TLS}  cert: x\n", "tls_server_config.cert: is there beside cert_file; keep one of the two"),
        (f"{TLS}  key_fil: x\n", "web.yml:4: tls_server_config.key_fil: unknown key; did you mean key_file?"),
        (TLS.replace("tls.crt", "no.crt"), f"web.yml:2: tls_server_config.cert_file: {NO_FILE}"),
        (TLS.replace("tls.key", "."), "key_file: what it names is not a file; name a file that holds the key"),
        (TLS.replace("tls.crt", "note.txt"), f"web.yml:2: tls_server_config.cert_file: {NO_CERTIFICATE}"),
        (
            TLS.replace("tls.key", "tls.crt"),
            "holds no private key in PEM form; name the file that starts with -----BEGIN … PRIVATE KEY-----",
        ),
        (
            f"{TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: note.txt\n",
            f"web.yml:5: tls_server_config.client_ca_file: {NO_CERTIFICATE}",
        ),
        (
            "tls_server_config:\n  cert_file: tls.crt\n  key: secret words\n",
            "web.yml:3: tls_server_config.key: holds no private key in PEM form",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line_and_how_to_mend_it(folder: Path, text: str, message: str) -> None:
    (line,) = complaints(folder, text)
    assert line.startswith("web.yml")
    assert message in line


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    text = "basic_auth_users: {bob: secret}\nhttp_server_config: {http2: true}\n"
    text += "tls_server_config:\n  cert_file: no.crt\n  key_file: no.key\ncolour: red\n"
    assert [line.partition(" ")[0] for line in complaints(folder, text)] == [
        "web.yml:1:",
        "web.yml:2:",
        "web.yml:4:",
        "web.yml:5:",
        "web.yml:6:",
    ]


def test_no_message_holds_a_secret(folder: Path) -> None:
    text = f"basic_auth_users: {{bob: hunter2, eve: [hunter2]}}\nhunter: {HASH}\n"
    text += "tls_server_config: {key: {hunter2: 1}, cert: [hunter2]}\n"
    told = "\n".join(complaints(folder, text))
    assert told.count("web.yml") == 5
    assert "hunter2" not in told
    assert HASH not in told


def test_a_key_of_another_certificate_is_told(folder: Path) -> None:
    (folder / "tls.key").write_bytes(certificate("elsewhere").private_key_pem.bytes())
    assert complaints(folder, TLS) == [
        "web.yml:3: tls_server_config.key_file: does not belong to the certificate; name the two that were made together"
    ]


def test_a_damaged_key_and_a_damaged_certificate_are_told(folder: Path) -> None:
    key, chain = (folder / "tls.key").read_bytes(), (folder / "tls.crt").read_bytes()
    (folder / "tls.key").write_bytes(key[:80] + b"\n-----END EC PRIVATE KEY-----\n")
    assert complaints(folder, TLS) == ["web.yml:3: tls_server_config.key_file: is damaged; put the whole key into it, as it was made"]
    (folder / "tls.crt").write_bytes(chain[:300])
    (line,) = complaints(folder, TLS)
    assert line.startswith("web.yml:2: tls_server_config.cert_file: holds a damaged certificate; ")


def test_a_key_with_a_passphrase_is_told_and_nobody_is_asked_for_it(folder: Path) -> None:
    (folder / "tls.key").write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n")
    assert complaints(folder, TLS) == [
        "web.yml:3: tls_server_config.key_file: is locked with a passphrase that nobody types in here; store it without: openssl pkey -in …"
    ]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_web_config(tmp_path / "web.yml")
    assert str(caught.value) == f"{tmp_path}/web.yml: no such file; name another with --web.config.file"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "web.yml")
    with pytest.raises(ConfigError) as caught:
        load_web_config(tmp_path / "web.yml")
    assert str(caught.value) == f"{tmp_path}/web.yml: is a pipe; name a file"


def test_a_file_that_would_take_long_to_read_again_and_again_is_refused(tmp_path: Path) -> None:
    (tmp_path / "web.yml").write_text("{}" + "#" * (1 << 20))
    with pytest.raises(ConfigError) as caught:
        load_web_config(tmp_path / "web.yml")
    assert str(caught.value) == f"{tmp_path}/web.yml: larger than 1 MiB; name a config file"
    (tmp_path / "web.yml").write_text("{}" + "#" * ((1 << 20) - 2))
    assert load_web_config(tmp_path / "web.yml").users == {}


@pytest.mark.parametrize("text", ["{}", "tls_server_config: {}", "http_server_config: {http2: false}", "rate_limit: {interval: 0}"])
def test_a_file_that_sets_nothing_is_open_http(folder: Path, text: str) -> None:
    (folder / "web.yml").write_text(text)
    web = load_web_config(folder / "web.yml")
    assert (web.tls, web.users, web.headers, web.rate_interval_seconds) == (None, {}, {}, 0.0)


def test_everything_that_can_be_set_is_read(folder: Path) -> None:
    (folder / "web.yml").write_text(
        f"{TLS}  client_ca_file: ca.crt\n  client_auth_type: RequireAndVerifyClientCert\n  client_allowed_sans: [scraper, '0:0::1']\n"
        "  min_version: TLS12\n  max_version: TLS12\n  prefer_server_cipher_suites: false\n  curve_preferences: [X25519]\n"
        "  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256]\n"
        f"http_server_config: {{headers: {{X-Frame-Options: sameorigin, Strict-Transport-Security: max-age=60}}}}\n"
        f"basic_auth_users: {{bob: {HASH}}}\nrate_limit: {{interval: 500ms, burst: 3}}\n"
    )
    web = load_web_config(folder / "web.yml")
    assert web.tls is not None
    assert (web.tls.minimum_version, web.tls.maximum_version) == (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2)
    assert web.tls.verify_mode is ssl.CERT_REQUIRED
    assert not web.tls.options & ssl.OP_CIPHER_SERVER_PREFERENCE
    chosen = [cipher["name"] for cipher in web.tls.get_ciphers() if cipher["protocol"] == "TLSv1.2"]
    assert chosen == ["ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"]
    assert web.client_allowed_sans == {"scraper", "::1"}
    assert web.headers == {"X-Frame-Options": "sameorigin", "Strict-Transport-Security": "max-age=60"}
    assert web.users == {"bob": HASH}
    assert (web.rate_interval_seconds, web.rate_burst, web.warnings) == (0.5, 3, ())
    assert HASH not in repr(web)


def test_certificates_may_stand_in_the_file_itself(folder: Path) -> None:
    def block(text: bytes) -> str:
        return "|\n" + "".join(f"    {line}\n" for line in text.decode().splitlines())

    chain, key, ca = (folder / "tls.crt").read_bytes(), (folder / "tls.key").read_bytes(), authority().cert_pem.bytes()
    (folder / "web.yml").write_text(
        f"tls_server_config:\n  cert: {block(chain)}  key: {block(key)}  client_ca: {block(ca)}"
        "  client_auth_type: VerifyClientCertIfGiven\n"
    )
    (folder / "web.yml").chmod(0o600)
    web = load_web_config(folder / "web.yml")
    assert web.tls is not None
    assert (web.tls.verify_mode, web.warnings) == (ssl.CERT_OPTIONAL, ())


def test_a_key_that_everybody_may_read_is_a_warning(folder: Path) -> None:
    (folder / "tls.key").chmod(0o644)
    (folder / "web.yml").write_text(TLS)
    assert [one.replace(f"{folder}/", "") for one in load_web_config(folder / "web.yml").warnings] == [
        "web.yml:3: tls_server_config.key_file: everybody on this machine may read the file; chmod 600 it"
    ]


def test_the_digest_changes_with_every_file_that_is_read(folder: Path) -> None:
    (folder / "web.yml").write_text(TLS)
    before = load_web_config(folder / "web.yml").digest
    assert load_web_config(folder / "web.yml").digest == before
    (folder / "tls.crt").write_bytes((folder / "tls.crt").read_bytes() + b"\n")
    renewed = load_web_config(folder / "web.yml").digest
    (folder / "web.yml").write_text(f"# a comment\n{TLS}")
    assert len({before, renewed, load_web_config(folder / "web.yml").digest}) == 3


def test_what_has_not_changed_is_not_parsed_again(folder: Path) -> None:
    (folder / "web.yml").write_text(TLS)
    reader = WebConfigReader(folder / "web.yml")
    found = reader.read()
    os.utime(folder / "web.yml")
    assert reader.read() is found
    (folder / "web.yml").write_text(f"# a comment\n{TLS}")
    assert reader.read() is not found
    assert reader.read() is reader.read()


def test_what_is_wrong_is_told_again_without_being_looked_for_again(folder: Path) -> None:
    (folder / "web.yml").write_text(TLS.replace("tls.crt", "no.crt"))
    reader = WebConfigReader(folder / "web.yml")
    told = []
    for _ in range(2):
        with pytest.raises(ConfigError) as caught:
            reader.read()
        told.append(caught.value.problems)
    assert told[0] is told[1]
    (folder / "tls.crt").rename(folder / "no.crt")
    assert reader.read().tls is not None


def test_a_change_is_noticed_behind_a_link_and_where_size_and_date_stay(tmp_path: Path) -> None:
    for version in ("one", "two"):
        (tmp_path / version).mkdir()
        write_certificate(tmp_path / version, by=version)
    web = tmp_path / "web.yml"
    web.write_text(f"# one\n{TLS.replace('tls.', 'data/tls.')}")
    (tmp_path / "data").symlink_to("one")
    reader = WebConfigReader(web)
    digests = [reader.read().digest]
    (tmp_path / "new").symlink_to("two")
    (tmp_path / "new").rename(tmp_path / "data")
    digests.append(reader.read().digest)
    dated = web.stat()
    web.write_text(web.read_text().replace("# one", "# two"))
    os.utime(web, ns=(dated.st_atime_ns, dated.st_mtime_ns))
    digests.append(reader.read().digest)
    assert len(set(digests)) == 3


def test_a_key_that_is_gone_is_noticed(folder: Path) -> None:
    (folder / "web.yml").write_text(TLS)
    reader = WebConfigReader(folder / "web.yml")
    reader.read()
    (folder / "tls.key").unlink()
    with pytest.raises(ConfigError, match="no such file"):
        reader.read()


@pytest.mark.parametrize(
    ("name", "normal"), [("scraper", "scraper"), ("Scraper", "Scraper"), ("0:0:0:0:0:0:0:1", "::1"), ("10.0.0.1", "10.0.0.1")]
)
def test_addresses_are_compared_in_their_shortest_form_and_names_as_they_are(name: str, normal: str) -> None:
    assert normal_san(name) == normal
