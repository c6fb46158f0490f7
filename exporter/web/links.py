"""Where things are on this server, as a browser sees it: every link of a page and every path in JSON is made here."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Links:
    """Links below `prefix`, the path of --web.external-url: "" for none, else as "/drift", without a slash at its end."""

    prefix: str = ""

    @property
    def home(self) -> str:
        """All targets."""
        return self.at("/")

    @property
    def metrics(self) -> str:
        """What Prometheus scrapes."""
        return self.at("/metrics")

    @property
    def config(self) -> str:
        """The config in use."""
        return self.at("/config")

    @property
    def api(self) -> str:
        """All targets as JSON."""
        return self.at("/api/v1/targets")

    def target(self, name: str) -> str:
        """The page of a target."""
        return self.at(f"/targets/{_segment(name)}")

    def target_api(self, name: str, *below: str) -> str:
        """What the API has of a target: `target_api("bot", "checks")` is /api/v1/targets/bot/checks."""
        return self.at("/".join(("/api/v1/targets", _segment(name), *below)))

    def at(self, path: str) -> str:
        """Any other path, which starts with a slash."""
        return self.prefix + path


def _segment(name: str) -> str:
    """A name as one segment of a path: every character that is not plainly safe is encoded, slashes too."""
    return quote(name, safe="", errors="replace")
