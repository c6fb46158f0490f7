"""A program that works on a store until it is killed, and says on its output what it was told is done."""

from __future__ import annotations

import asyncio
import itertools
import sys

from exporter.records import CheckKind, Run, RunState
from exporter.store import Store, Writer, open_store
from tests.store.facts import NOW, a_grade, a_verdict, an_answer

WORKERS = 4


def say(*words: object) -> None:
    """One line, out at once: whoever reads it may rely on it."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def ask(writer: Writer, store: Store, run: Run, worker: int) -> None:
    """Ask one question after the other, as the runner does."""
    for number in itertools.count():
        question = f"{worker}-{number}"
        reservation = await writer.call(store.reserve, run.id, question, 0, 1, 100, 0.01, NOW, ())
        say("reserved", reservation)
        answer = an_answer()
        await writer.call(
            store.settle,
            reservation,
            answer=answer,
            usd=0.004,
            tokens=40,
            estimated=False,
            identity="m",
            grade=a_grade(question),
            now=NOW,
        )
        say("settled", reservation, question)


async def go_on_checking(writer: Writer, store: Store, first_due: float) -> None:
    """Make one empty check after the other, each with its verdict."""
    for number in itertools.count():
        check = await writer.call(store.claim_check, "cat", CheckKind.SCHEDULED, first_due + number, NOW)
        assert check is not None
        run = await writer.call(store.open_run, check.id, 1, "p1", NOW, NOW + 600)
        await writer.call(store.close_run, run.id, RunState.MEASURED, None, "", NOW)
        await writer.call(store.close_check, check.id, a_verdict(), NOW)
        say("closed", check.id)


async def work(url: str, due_at: float) -> None:
    store = open_store(url)
    writer = Writer(store.batch)
    check = store.claim_check("bot", CheckKind.SCHEDULED, due_at, NOW)
    assert check is not None
    run = store.open_run(check.id, 1, "p1", NOW, NOW + 600)
    await asyncio.gather(*(ask(writer, store, run, worker) for worker in range(WORKERS)), go_on_checking(writer, store, due_at))


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], float(sys.argv[2])))
