"""Every exception raised on purpose. Each says where, what, and how to mend it; none carries a secret.

ExporterError                 exit code 2 unless a subclass says otherwise
├── UsageError                a command line that cannot be carried out
├── ConfigError               a config file with one or more problems, all of them at once
├── SuiteError                suite files with one or more problems, all of them at once
└── StoreError                the store cannot do what was asked
    ├── StoreLockedError      somebody else holds the database
    ├── StoreReadOnlyError    the file or folder cannot be written
    ├── StoreVersionError     written by a newer version of this program
    └── StoreCorruptError     the file is no database, or a damaged one
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (`config.yml:14: targets[1].price`), what, and how to mend it."""

    where: str
    what: str
    fix: str

    def __str__(self) -> str:
        return "; ".join(part for part in (f"{self.where}: {self.what}", self.fix) if part)


class ExporterError(Exception):
    """Something a person can mend. `problems` has at least one entry; `str()` is one line a problem."""

    exit_code = 2

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(ExporterError):
    """A command line that cannot be carried out."""


class ConfigError(ExporterError):
    """A config file with one or more problems."""


class SuiteError(ExporterError):
    """Suite files with one or more problems."""


class StoreError(ExporterError):
    """The store cannot do what was asked."""


class StoreLockedError(StoreError):
    """Somebody else holds the database."""


class StoreReadOnlyError(StoreError):
    """The file or its folder cannot be written."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of this program."""


class StoreCorruptError(StoreError):
    """The file is no database, or a damaged one."""
