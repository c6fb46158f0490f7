"""The shipped routing as it is, but for where it sends to and how long it waits."""

from __future__ import annotations

import re
from pathlib import Path

from tests.deploy.rules import ALERTMANAGER

ROUTING_FILE = ALERTMANAGER / "alertmanager.yml"


def local_routing(folder: Path, port: int, *, group_wait: str = "30s", group_interval: str = "5m") -> Path:
    """The file with everything sent to a port of loopback: PagerDuty to /pagerduty, tickets to /alertmanager, chat to /chat."""
    (folder / "pagerduty-routing-key").write_text("the-routing-key")
    (folder / "slack-webhook-url").write_text(f"http://127.0.0.1:{port}/chat")
    substitutes = {
        "https://events.pagerduty.com/v2/enqueue": f"http://127.0.0.1:{port}/pagerduty",
        "https://tickets.example.com": f"http://127.0.0.1:{port}",
        "/etc/alertmanager/secrets": str(folder),
        "group_wait: 30s": f"group_wait: {group_wait}",
        "group_interval: 5m": f"group_interval: {group_interval}",
    }
    text = ROUTING_FILE.read_text(encoding="utf-8")
    for shipped, here in substitutes.items():
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    assert set(re.findall(r"https?://([\w.]+)", text)) == {"127.0.0.1", "grafana.example.com"}, "something would go beyond loopback"
    file = folder / "alertmanager.yml"
    file.write_text(text, encoding="utf-8")
    return file
