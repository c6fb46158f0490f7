"""Every exception raised on purpose. Each says where, what, and how to mend it; none carries a secret.

ExporterError                 exit code 2 unless a subclass says otherwise
├── UsageError                a command line that cannot be carried out
├── ConfigError               a config file with one or more problems, all of them at once
├── SuiteError                suite files with one or more problems, all of them at once
├── BudgetExceededError       a request, or a whole run, does not fit under a cap
└── StoreError                the store cannot do what was asked
    ├── StoreMissingError     there is no store yet, and it was to be read only
    ├── StoreLockedError      somebody else holds the database
    ├── StoreUnreachableError the database's server does not answer; it may again by itself
    ├── StoreTakenError       another replica works on the target now: what this one wanted to write of it is not kept
    ├── StoreReadOnlyError    the file or folder, or the server, cannot be written
    ├── StoreFullError        no room left on the disk
    ├── StoreVersionError     written by a newer version of this program, or by one so old that it must be migrated first
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


def split_told(error: object) -> tuple[str, str]:
    """What is wrong, and how to mend it, of an error that is told as "what; how to mend it" by who does not know where."""
    what, _, fix = str(error).partition("; ")
    return what, fix


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


class BudgetExceededError(ExporterError):
    """A request, or a whole run, does not fit under a cap.

    `scope` is the capped target, None for all targets together; `period` is check, day or month; `unit` is usd or tokens.
    `limit`, `spent` (open reservations included) and `wanted` are in that unit. `may_pass`: it would fit if what is reserved were
    given back; once those requests are settled there may be room.
    """

    def __init__(
        self, *, scope: str | None, period: str, unit: str, limit: float, spent: float, wanted: float, may_pass: bool = False
    ) -> None:
        self.may_pass = may_pass
        self.scope, self.period, self.unit = scope, period, unit
        self.limit, self.spent, self.wanted = limit, spent, wanted
        form, noun = ("${:,.6g}", "") if unit == "usd" else ("{:,.0f}", " tokens")
        limit_text, spent_text, wanted_text = (form.format(amount) for amount in (limit, spent, wanted))
        key = f"{unit}_per_{period}"
        super().__init__(
            Problem(
                where=f"budget.total.{key}" if scope is None else f"budget.{key} of {scope}",
                what=f"{spent_text} of {limit_text}{noun} are spent or reserved, {wanted_text} more do not fit",
                fix="ask fewer questions or raise the cap" if period == "check" else f"wait for the next {period} (UTC) or raise the cap",
            )
        )


class StoreError(ExporterError):
    """The store cannot do what was asked."""


class StoreMissingError(StoreError):
    """There is no store yet, and it was to be read only."""


class StoreLockedError(StoreError):
    """Somebody else holds the database."""


class StoreUnreachableError(StoreError):
    """The database's server does not answer, or has cut the connection. It may be back by itself."""


class StoreTakenError(StoreError):
    """Another replica works on the target now, because this one was not heard of for too long. Nothing was written."""


class StoreReadOnlyError(StoreError):
    """The file or its folder, or the server, cannot be written."""


class StoreFullError(StoreError):
    """No room left on the disk. Nothing was half written."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of this program, or by one so old that it must be migrated first."""


class StoreCorruptError(StoreError):
    """The file is no database, or a damaged one."""
