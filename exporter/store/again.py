"""A transaction that the database undid for the sake of another one is made again: nothing of it was kept, and the other is done."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from exporter.store.faults import DeadlockError

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

TRIES = 3


def made_again(method: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """The method, called at most three times where it deadlocks."""

    @wraps(method)
    def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        for _ in range(TRIES - 1):
            try:
                return method(*args, **kwargs)
            except DeadlockError:
                continue
        return method(*args, **kwargs)

    return call
