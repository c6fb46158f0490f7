"""What the mock provider knows: its models' behaviours, their asks so far, and the request log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from exporter.demo.behaviour import Behaviour, changed
from exporter.demo.exchange import BadAskError, Dialect, Exchange, Finish, Reply, Transmission, as_json
from exporter.demo.faults.status import auth, model_not_found
from exporter.demo.pretended import PretendedModels, Turn
from exporter.demo.request_log import Entry, RequestLog
from exporter.errors import Problem
from exporter.records import Question

CACHE_HEADERS = {"cf-aig-cache-status": "HIT", "x-cache": "HIT"}
NO_REPLY = Reply("none", "none", "", Finish.STOP, None)


class MockState:
    """Everything that changes while the mock runs. One loop's property: no locks."""

    def __init__(self, questions: Sequence[Question], models: Mapping[str, Behaviour], seed: int) -> None:
        self.log = RequestLog()
        self.models = dict(models)
        self.seed = seed
        self._first_models = dict(models)
        self._pretended = PretendedModels(questions, seed)

    def answer(self, dialect: Dialect, body: object, key: str) -> tuple[Transmission, float]:
        """Decide one request, write it down, and return what to send after how many seconds."""
        try:
            ask = dialect.read(body) if isinstance(body, dict) else _complain_of_body()
        except BadAskError as error:
            sent = as_json(error.status, dialect.error("invalid_request_error", str(error), None, error.param))
            self._write_down(dialect, "", sent)
            return sent, 0.0
        behaviour = self.models.get(ask.model)
        if behaviour is None or behaviour.api_key not in (None, key):
            sent = (model_not_found if behaviour is None else auth)(Exchange(dialect, ask, NO_REPLY))
            self._write_down(dialect, ask.model, sent)
            return sent, 0.0
        if ask.tools and not behaviour.tools:
            sent = Exchange(dialect, ask, NO_REPLY).refuse(400, "invalid_request_error", f"{ask.model} does not support tools")
            self._write_down(dialect, ask.model, sent)
            return sent, 0.0
        turn = self._pretended.answer(ask, behaviour, dialect.api)
        exchange = Exchange(dialect, ask, turn.reply, behaviour.retry_after)
        sent = turn.fault.bend(exchange) if turn.fault else exchange.send(turn.reply)
        if behaviour.cached:
            sent = replace(sent, headers={**sent.headers, **CACHE_HEADERS})
        self._write_down(dialect, ask.model, sent, turn)
        return sent, behaviour.latency_seconds

    def control(self) -> dict[str, Any]:
        """Return the document of GET /control."""
        return {"seed": self.seed, "models": {name: behaviour.as_dict() for name, behaviour in self.models.items()}}

    def set_models(self, document: object, *, wholly: bool) -> list[Problem]:
        """Carry out PUT (`wholly`) or PATCH of the control document, or nothing of it where it has problems."""
        models, problems = dict[str, Behaviour]() if wholly else dict(self.models), list[Problem]()
        given = document.get("models") if isinstance(document, dict) and set(document) == {"models"} else None
        if not isinstance(given, dict):
            return [Problem("control", "not what can be set", 'give {"models": {name: behaviour, …}}')]
        for name, fields in given.items():
            if fields is None and not wholly:
                models.pop(name, None)
                continue
            models[name], more = changed(models.get(name, Behaviour()), fields, f"models.{name}")
            problems += more
        if not problems:
            self.models = models
        return problems

    def reset(self) -> None:
        """Return to how it began: models, asks and log."""
        self.models = dict(self._first_models)
        self._pretended.forget()
        self.log.clear()

    def _write_down(self, dialect: Dialect, model: str, sent: Transmission, turn: Turn | None = None) -> None:
        """Add a request to the log; without a turn it was turned away, and no ask of a question is counted."""
        answered = turn if turn and turn.fault is None else None
        tokens = answered.reply.tokens if answered else None
        entry = Entry(
            id=len(self.log) + 1,
            api=dialect.api,
            model=model,
            question=turn.question_id if turn else None,
            attempt=turn.attempt if turn else 0,
            status=sent.status,
            fault=turn.fault.name if turn and turn.fault else None,
            right=answered.right if answered else None,
            input_tokens=tokens.input_tokens if tokens else None,
            output_tokens=tokens.output_tokens if tokens else None,
        )
        self.log.add(entry)


def _complain_of_body() -> NoReturn:
    raise BadAskError("body", "We could not parse the JSON body of your request.")
