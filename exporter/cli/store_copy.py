"""store copy: move a history to another database, of whichever kind, and see that all of it is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from exporter.cli import options
from exporter.cli.exits import EXIT_DAMAGED, EXIT_OK
from exporter.cli.render import print_json, print_line, print_note, print_table, print_text, progress_bar
from exporter.cli.tables import plain_table
from exporter.config import read_password_file, require_postgres_url
from exporter.errors import Problem, UsageError, split_told
from exporter.store import Copied, Digest, copy_history

_HASH_CHARACTERS = 16


@click.command()
@click.option("--from", "source", required=True, metavar="URL", help="Where the history is: sqlite:///FILE or postgresql+psycopg://…")
@click.option("--to", "target", required=True, metavar="URL", help="Where it goes: a new file, or a database without a history.")
@click.option("--from-password-file", "source_file", type=click.Path(path_type=Path), metavar="FILE", help="Holds the password for --from.")
@click.option("--to-password-file", "target_file", type=click.Path(path_type=Path), metavar="FILE", help="Holds the password for --to.")
@options.as_json
def copy(source: str, target: str, source_file: Path | None, target_file: Path | None, as_json: bool) -> int:
    """Copy a history from one database to another: SQLite to PostgreSQL, back, or between two of a kind.

    All of it or nothing, as it is at one moment. Afterwards both sides are read and compared, table by table. The target must
    have no history. Stop serve before: what it writes later is not in the copy. Exit code: 0 copied, and equal on both sides, 1
    they differ, nothing was kept, 2 not copied.
    """
    if source == target:
        raise UsageError(Problem("--to", "is the same as --from", "name another database"))
    read_source_password = _password_reader("--from", source, source_file)
    read_target_password = _password_reader("--to", target, target_file)
    with progress_bar() as bar:
        copied = copy_history(
            source,
            target,
            read_source_password=read_source_password,
            read_target_password=read_target_password,
            progress=lambda what, done, total: bar.show(f"rows {what}", done, total),
        )
    if copied.replicas:
        many = "a program works" if copied.replicas == 1 else f"{copied.replicas:,} programs work"
        print_note(
            f"{copied.source}: {many} with it, or did half a minute ago; what it writes after this copy is not in it: stop it, copy anew"
        )
    if as_json:
        print_json(_document(copied))
    else:
        _print_words(copied)
    return EXIT_DAMAGED if copied.different else EXIT_OK


def _password_reader(flag: str, url: str, file: Path | None) -> Callable[[], str | None]:
    """What reads the password of one side at each connection. Raises UsageError."""
    if _holds_password(url):
        raise UsageError(Problem(flag, "holds a password", f"write it into a file, and name that with {flag}-password-file"))
    if url.lower().startswith("postgres"):
        try:
            require_postgres_url(url)
        except ValueError as error:
            raise UsageError(Problem(flag, *split_told(error))) from None
    if file is None:
        return lambda: None
    if not url.lower().startswith("postgresql"):
        raise UsageError(Problem(f"{flag}-password-file", f"{flag} has no password, it is a file", "leave it out"))

    def read() -> str:
        where = f"{flag}-password-file {file}"
        if not file.exists():
            raise UsageError(Problem(where, "there is no such file", "name the file that holds the password"))
        try:
            return read_password_file(file)
        except ValueError as error:
            raise UsageError(Problem(where, *split_told(error))) from None

    read()
    return read


def _holds_password(url: str) -> bool:
    try:
        return urlsplit(url).password is not None
    except ValueError:
        return False


def _print_words(copied: Copied) -> None:
    table = plain_table("table", "rows", "sha256", right=(1,), apart=False)
    for each in copied.tables:
        table.add_row(each.name, f"{each.source.rows:,}", each.source.sha256[:_HASH_CHARACTERS])
    print_table(table)
    print_text("")
    if not copied.different:
        print_line(f"{copied.target}: {copied.rows:,} rows, counted and hashed on both sides, all equal", style="green")
        print_line("→ name it as storage in the config, start, and keep the old one until a check was made")
        return
    for problem in _differences(copied):
        print_line(problem, style="bold red")


def _differences(copied: Copied) -> list[str]:
    kept = "nothing was kept there, report this as a bug"
    return [f"{copied.target}: {each.name} is {_told(each.target)}, and was {_told(each.source)}; {kept}" for each in copied.different]


def _told(digest: Digest) -> str:
    return f"{digest.rows:,} rows with sha256 {digest.sha256[:_HASH_CHARACTERS]}"


def _document(copied: Copied) -> dict[str, Any]:
    tables = {
        each.name: {"rows": each.source.rows, "sha256": each.source.sha256, "to_rows": each.target.rows, "to_sha256": each.target.sha256}
        for each in copied.tables
    }
    where = {"from": copied.source.removeprefix("storage "), "to": copied.target.removeprefix("storage ")}
    return {**where, "ok": not copied.different, "rows": copied.rows, "tables": tables, "problems": _differences(copied)}
