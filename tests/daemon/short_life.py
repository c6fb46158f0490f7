"""A life of one target as the store has it: checks are made at once, without a provider, so that weeks take a second."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from exporter.daemon import decisions
from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import read_history, read_recent_history
from exporter.daemon.snapshots import build_snapshot
from exporter.errors import UsageError
from exporter.records import (
    Answer,
    BaselineEvent,
    Charge,
    CheckKind,
    EventKind,
    Grade,
    Identity,
    Reason,
    RunState,
    Usage,
    Verdict,
    VerdictKind,
)
from exporter.verdicts import judge, needs_second_run
from tests.daemon.world import World

DAY_SECONDS = 86_400.0
QUICK = {"baseline_runs": 3, "baseline_max_runs": 5, "trend_windows": (3, 5), "tries": 2}
ACTS = (
    *("lose", "recover", "other_model", "first_model", "fail", "mend", "ask_otherwise", "new_question"),
    *("reset", "accept", "pin", "keep"),
)


# ask_as_before is none of these: a way of asking that was left unfrozen and is taken up when its grades are gone starts anew.


class ShortLife:
    """One target and its store; `live` may be changed, `act` changes what comes, and `read` is what judging rests on."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.store = world.store
        self.live: LiveTarget = replace(world.live, questions=world.live.questions[:8])
        self.now = world.clock.now()
        self.read = read_recent_history
        self._lost: frozenset[str] = frozenset()
        self._model = "model-1"
        self._fails = False
        self._ways = 0

    def check(self) -> Verdict:
        """One check, a day later, judged as the daemon judges."""
        self.now += DAY_SECONDS
        claimed = self.store.claim_check("bot", CheckKind.SCHEDULED, self.now, self.now)
        assert claimed is not None
        self._run(claimed.id, 1)
        history = self.read(self.store, self.live.subject)
        if needs_second_run(self.live.subject, history, self.store.check(claimed.id).runs[0]):
            self._run(claimed.id, 2)
        judgement = judge(self.live.subject, history, self.store.check(claimed.id), self.now)
        named = [(freeze.run_ids, freeze.question_keys) for freeze in judgement.freezes]
        freezes = [
            BaselineEvent(0, "bot", EventKind.FREEZE, self.now, self.live.protocol, run_ids=ids, question_keys=keys) for ids, keys in named
        ]
        self.store.close_check(claimed.id, judgement.verdict, self.now, freezes)
        return judgement.verdict

    def act(self, name: str) -> bool:
        """Something happens to the model, the config or the baseline; whether it could."""
        match name:
            case "lose" | "recover":
                self._lost = frozenset({"question-1", "question-4", "question-7"} if name == "lose" else ())
            case "other_model" | "first_model":
                self._model = "model-2" if name == "other_model" else "model-1"
            case "fail" | "mend":
                self._fails = name == "fail"
            case "ask_otherwise" | "ask_as_before":
                self._ways += 1
                self.live = replace(self.live, protocol=f"way-{self._ways}" if name == "ask_otherwise" else self.world.live.protocol)
            case "new_question":
                self.live = replace(self.live, questions=self.world.live.questions[: len(self.live.questions) + 1])
            case _:
                return self._decide(name)
        return True

    def graded_runs(self) -> list[int]:
        """Runs that still have grades."""
        return [run.id for check in self.store.history("bot") for run in check.runs if run.grades]

    def _run(self, check_id: int, number: int) -> None:
        with self.store.batch():
            run = self.store.open_run(check_id, number, self.live.protocol, self.now, self.now + 600)
            for question in self.live.questions:
                for attempt in (1, 2) if question.id in self._lost else (1,):
                    self._ask(run.id, question.key, question.id, question.area, attempt)
            state, reason = (RunState.FAILED, Reason.AUTH) if self._fails else (RunState.MEASURED, None)
            self.store.close_run(run.id, state, reason, "", self.now)

    def _ask(self, run_id: int, key: str, question_id: str, area: str, attempt: int) -> None:
        reservation = self.store.reserve(run_id, key, 0, attempt, 100, 0.01, self.now, ())
        reason = Reason.AUTH if self._fails else None
        answer = Answer(usage=Usage(20, 10), charge=Charge.REPORTED, identity=Identity(self._model), reason=reason)
        right = None if self._fails else question_id not in self._lost
        grade = Grade(key, question_id, "made-up", area, 0, attempt, right, self.now, reason, "", 20, 10, self._model)
        self.store.settle(
            reservation, answer=answer, usd=0.004, tokens=30, estimated=False, identity=self._model, grade=grade, now=self.now
        )

    def _decide(self, name: str) -> bool:
        """What `baseline reset`, `accept`, `pin` and `keep` do."""
        store, live, now = self.store, self.live, self.now
        try:
            if name == "reset":
                event = decisions.reset_baseline(live, now)
            elif name == "accept":
                changes = [verdict for verdict in store.verdicts("bot", 200) if verdict.kind is VerdictKind.MODEL_CHANGED]
                standing = build_snapshot(store, live, now).verdict
                event = decisions.accept_model(live, standing, next(iter(changes), None), [], None, now)
            elif name == "pin":
                runs = [check.runs[0] for check in store.history("bot", limit=8) if check.runs][:3]
                event = decisions.pin_runs(live, store.events("bot"), runs, [run.id for run in runs], None, now)
            else:
                event = decisions.keep_baseline(live, read_history(store, live.subject), now)
        except UsageError:
            return False
        store.add_event(event)
        return True


@contextmanager
def a_life() -> Iterator[ShortLife]:
    """In memory where there is such a folder: hundreds of checks wait for no disk."""
    memory = Path("/dev/shm")  # noqa: S108 - the folder made in it has a name nobody can guess
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    try:
        with World(folder, {"decision": QUICK}) as world:
            yield ShortLife(world)
    finally:
        shutil.rmtree(folder)
