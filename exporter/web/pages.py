"""The pages for people: all targets at a glance, and one target in full. No scripts, one style sheet, everything escaped."""

from __future__ import annotations

from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from exporter.errors import StoreError
from exporter.metrics import MetricsView
from exporter.records import Signal, Snapshot
from exporter.reports import describe, summarise
from exporter.web.charts import accuracy_chart, p_value_charts
from exporter.web.forms import Seals, read_form
from exporter.web.links import Links
from exporter.web.overview import MOST_URGENT_FIRST, Overview, look_over, standing
from exporter.web.security import asked_by, comes_from_elsewhere
from exporter.web.state import Details, OutcomeKind, State
from exporter.web.target_view import accuracy_test, advices, is_conclusive, kinds_of, questions_in, served_rows
from exporter.web.texts import FILTERS, visible

STYLE = resources.files("exporter.web").joinpath("templates/style.css").read_text(encoding="utf-8")

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath d='M1 5h5l3 6h6' fill='none' stroke='%230b57a4' stroke-width='2.5'/%3E%3C/svg%3E"
)
"""A line that falls."""

_MOST_DIGITS = 18
"""The ids of checks are 64-bit numbers."""

_DONE = {
    "check": "A check has begun. Its figures come as it goes: load this page again.",
    "reset": "The baseline is reset: the next runs become the new one.",
}
_STATUS = {OutcomeKind.UNKNOWN_TARGET: 404, OutcomeKind.UNDER_WAY: 409, OutcomeKind.UNAVAILABLE: 503}


class Pages:
    """HTML, rendered in a thread."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links
        self._seals = Seals()
        environment = Environment(
            loader=PackageLoader("exporter.web"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_show,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= FILTERS
        environment.globals |= {
            "style": Markup(STYLE),  # noqa: S704  # our own file, read from the package
            "icon": ICON,
            "links": links,
            "standing": standing,
            "is_conclusive": is_conclusive,
            "questions_in": questions_in,
            "accuracy_test": accuracy_test,
            "summarise": summarise,
            "describe": describe,
        }
        self._status = environment.get_template("status.html")
        self._target = environment.get_template("target.html")

    async def status(self, request: Request) -> Response:
        """Every target with its verdict in words, the most urgent first; `?verdict=` and `?provider=` leave some out."""
        ready, reason = self._state.ready()
        view = self._state.view()
        overview = look_over(view.snapshots, request.query_params.get("verdict"), request.query_params.get("provider"))
        return await run_in_threadpool(self._render_status, view, overview, "" if ready else reason)

    async def target(self, request: Request) -> Response:
        """Why a target's verdict is what it is; `?before=` turns to older checks. 404 for one that is not in the config.

        A POST, where those are routed here, is a button of the page.
        """
        if request.method == "POST":
            return await self._act(request)
        query = request.query_params
        done = query.get("done", "")
        said = _DONE.get(done, "") if self._seals.holds(query.get("seal"), "done", done, request.path_params["name"]) else ""
        return await self._show_target(request, before=_read_id(query.get("before")), done=said)

    async def _act(self, request: Request) -> Response:
        """Do what a button asks for, then lead back to the page. What could not be done is told on the page itself."""
        if comes_from_elsewhere(request):
            raise HTTPException(403, "not from a page of another site")
        name, form = request.path_params["name"], await read_form(request)
        action = form.get("action", "")
        if action not in _DONE:
            raise HTTPException(400, "no such action; load the page again")
        if not self._seals.holds(form.get("token"), action, name):
            refused = "Nothing was done: the button was that of a page from before the last restart. Use the one below."
            return await self._show_target(request, refused=refused, status=403)
        if action == "reset" and form.get("confirm") != "yes":
            refused = "Nothing was done: a reset has to be confirmed with the box above its button."
            return await self._show_target(request, refused=refused, confirming=True, status=400)
        do = self._state.check_now if action == "check" else self._state.reset
        outcome = await do(name, asked_by(request))
        if outcome.kind is not OutcomeKind.DONE:
            return await self._show_target(request, refused=f"Nothing was done: {outcome.sentence}.", status=_STATUS[outcome.kind])
        return RedirectResponse(f"{self._links.target(name)}?done={action}&seal={self._seals.seal('done', action, name)}", 303)

    async def _show_target(
        self, request: Request, *, before: int | None = None, done: str = "", refused: str = "", confirming: bool = False, status: int = 200
    ) -> Response:
        name = request.path_params["name"]
        view = self._state.view()
        snapshot = next((one for one in view.snapshots if one.target == name), None)
        details, unread = None, ""
        if snapshot is not None:
            try:
                details = await self._state.details(name, before)
            except StoreError as error:
                details, unread = Details(), str(error)
        if snapshot is None or details is None:
            raise HTTPException(404)
        words = {
            "before": before,
            "done": done,
            "refused": refused,
            "confirming": confirming,
            "unread": unread,
            "shown_at": view.read_at,
        }
        return await run_in_threadpool(self._render_target, snapshot, details, words, status)

    def _render_status(self, view: MetricsView, overview: Overview, not_ready: str) -> Response:
        return HTMLResponse(self._status.render(view=view, overview=overview, not_ready=not_ready, shown_at=view.read_at))

    def _render_target(self, one: Snapshot, details: Details, words: dict[str, Any], status: int) -> Response:
        past = details.past[::-1]
        p_values = p_value_charts(past)
        actions = {action: self._seals.seal(action, one.target) for action in _DONE} if self._state.lifecycle else None
        text = self._target.render(
            one=one,
            details=details,
            signals=tuple(Signal),
            actions=actions,
            accuracy=accuracy_chart(past),
            p_values=p_values,
            p_marks={point.mark for chart in p_values for point in chart.points},
            kinds=kinds_of(past, MOST_URGENT_FIRST),
            served=served_rows(one, details),
            advices=advices(details.errors),
            **words,
        )
        return HTMLResponse(text, status)


def _show(value: object) -> object:
    """Whatever a template writes: text that is not ours has nothing in it that cannot be seen."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _read_id(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise HTTPException(400, "before is the id of a check: a whole number")
    return int(text)
