"""What `serve` and `validate` say of the flags of the web, before anything is begun."""

from __future__ import annotations

import pytest

from tests.certificates import write_certificate
from tests.cli.world import World

EXAMPLE = "write it as https://tools.example.com/drift, or only its path, /drift"
PARTS = "use letters, digits, and . _ ~ - in each part of it, such as /drift"
TLS = "tls_server_config: {cert_file: tls.crt, key_file: tls.key}\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--web.config.file", "no.yml"), "no.yml: no such file; name another with --web.config.file"),
        (
            ("--web.external-url", "tools.example.com"),
            f"--web.external-url 'tools.example.com': is no URL of a web page; {EXAMPLE}",
        ),
        (
            ("--web.route-prefix", "/a b"),
            f"--web.route-prefix '/a b': has a path that cannot be served; {PARTS}",
        ),
    ],
)
def test_a_flag_that_cannot_be_used_ends_it_at_once(world: World, flags: tuple[str, ...], message: str) -> None:
    world.write()
    said = world.run("serve", *flags)
    assert (said.code, said.errors) == (2, [message])
    assert not (world.folder / "history.db").exists()


def test_every_mistake_of_a_web_config_is_told_at_the_start(world: World) -> None:
    world.write()
    (world.folder / "web.yml").write_text("basic_auth_users: {bob: pw}\ntls_server_config: {cert_file: no.crt, key_file: no.key}\n")
    said = world.run("serve", "--web.config.file", "web.yml")
    assert said.code == 2
    assert [line.partition(": ")[2].partition(":")[0] for line in said.errors] == [
        "basic_auth_users.bob",
        "tls_server_config.cert_file",
        "tls_server_config.key_file",
    ]


def test_validate_looks_at_a_web_config_too(world: World) -> None:
    world.write()
    write_certificate(world.folder)
    (world.folder / "web.yml").write_text(TLS)
    said = world.run("validate", "--web.config.file", "web.yml", "--strict")
    assert (said.code, said.errors, said.out.splitlines()[1]) == (0, [], "web.yml: https, 0 users")
    (world.folder / "tls.key").chmod(0o644)
    said = world.run("validate", "--web.config.file", "web.yml", "--strict")
    warning = "web.yml:1: tls_server_config.key_file: everybody on this machine may read the file; chmod 600 it"
    assert (said.code, said.errors) == (2, [f"warning: {warning}"])
    (world.folder / "web.yml").write_text("[]")
    said = world.run("validate", "--web.config.file", "web.yml", "--json")
    assert (said.code, said.document) == (2, {"errors": ["web.yml:1: must be a mapping, not a list"]})


def test_mistakes_in_both_files_are_told_at_once(world: World) -> None:
    world.write("  colour: red\n")
    (world.folder / "web.yml").write_text("[]")
    said = world.run("validate", "--web.config.file", "web.yml")
    assert [line.partition(":")[0] for line in said.errors] == ["config.yml", "web.yml"]
