"""HTTP: who is let in, /metrics, health, readiness, reload, the config as shown, the pages for people and their JSON.

Never done here: measuring, judging, writing the store, handling signals. What is shown is asked of a State, which the
daemon is. Looking to add a page? Start in app.py.
"""

from exporter.web.address import ListenAddress, parse_listen_address
from exporter.web.app import create_app
from exporter.web.server import open_listener, serve_app
from exporter.web.state import Details, Outcome, OutcomeKind, State

__all__ = [
    "Details",
    "ListenAddress",
    "Outcome",
    "OutcomeKind",
    "State",
    "create_app",
    "open_listener",
    "parse_listen_address",
    "serve_app",
]
