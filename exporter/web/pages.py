"""The pages for people: all targets at a glance, and one target in full. No scripts, one style sheet, everything escaped."""

from __future__ import annotations

from collections import Counter
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from exporter.metrics import MetricsView
from exporter.records import AreaAccuracy, QuestionCounts, Signal, Snapshot, Verdict, VerdictKind
from exporter.reports import describe, summarise
from exporter.web.links import Links
from exporter.web.state import Details, State
from exporter.web.texts import FILTERS

STYLE = resources.files("exporter.web").joinpath("templates/style.css").read_text(encoding="utf-8")

_MOST_URGENT_FIRST = (
    VerdictKind.DRIFT,
    VerdictKind.MODEL_CHANGED,
    VerdictKind.TOKEN_SHIFT,
    VerdictKind.SUSPECT,
    VerdictKind.MEASUREMENT_FAILED,
    VerdictKind.UNCONFIRMED,
    VerdictKind.COLLECTING,
    VerdictKind.BASELINE_READY,
    VerdictKind.IMPROVED,
    VerdictKind.STABLE,
)


class Pages:
    """HTML, rendered in a thread."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        environment = Environment(
            loader=PackageLoader("exporter.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= FILTERS
        environment.globals |= {
            "links": links,
            "style": Markup(STYLE),  # noqa: S704  # our own file, read from the package
            "standing": _standing,
            "overall": _overall,
            "questions_in": _questions_in,
            "summarise": summarise,
            "describe": describe,
        }
        self._status = environment.get_template("status.html")
        self._target = environment.get_template("target.html")

    async def status(self, _request: Request) -> Response:
        """Every target with its verdict in words, the most urgent first."""
        ready, reason = self._state.ready()
        return await run_in_threadpool(self._render_status, self._state.view(), "" if ready else reason)

    async def target(self, request: Request) -> Response:
        """Why a target's verdict is what it is. 404 for one that is not in the config."""
        name = request.path_params["name"]
        snapshot = next((one for one in self._state.view().snapshots if one.target == name), None)
        details = None if snapshot is None else await self._state.details(name)
        if snapshot is None or details is None:
            raise HTTPException(404)
        return await run_in_threadpool(self._render_target, snapshot, details)

    def _render_status(self, view: MetricsView, not_ready: str) -> Response:
        snapshots = sorted(view.snapshots, key=_urgency)
        counts = Counter(map(_standing, snapshots))
        in_order = [(kind, counts[kind]) for kind in _MOST_URGENT_FIRST if kind in counts]
        return _html(self._status.render(view=view, snapshots=snapshots, counts=in_order, not_ready=not_ready))

    def _render_target(self, snapshot: Snapshot, details: Details) -> Response:
        return _html(self._target.render(one=snapshot, details=details, signals=tuple(Signal)))


def _html(text: str) -> Response:
    return HTMLResponse(text.encode("utf-8", "backslashreplace"))


def _standing(snapshot: Snapshot) -> VerdictKind:
    return VerdictKind.COLLECTING if snapshot.verdict is None else snapshot.verdict.standing


def _urgency(snapshot: Snapshot) -> tuple[bool, int]:
    verdict = snapshot.verdict
    conclusive = verdict is not None and any(state.conclusive for state in verdict.signals)
    return (not conclusive, _MOST_URGENT_FIRST.index(_standing(snapshot)))


def _overall(snapshot: Snapshot) -> AreaAccuracy | None:
    return None if snapshot.verdict is None else snapshot.verdict.overall


def _questions_in(verdict: Verdict, area: str) -> QuestionCounts | None:
    return next((counts for counts in verdict.questions if counts.area == area), None)
