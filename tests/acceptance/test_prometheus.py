"""The demo, watched by a real Prometheus and a real Alertmanager with the shipped files."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.acceptance.monitoring import monitoring
from tests.acceptance.programs import EXPORTER, PYTHON_PATH, Program, wait_until
from tests.ports import free_port

CONFIRMED, CHANGED = ("ModelDriftConfirmed", "support-bot"), ("ModelDriftServedModelChanged", "summariser")
OVER = ["firing", "resolved"]


def test_the_demo_pages_once_and_makes_tickets_of_the_models_that_change(tmp_path: Path) -> None:
    port, environment = free_port(), {**PYTHON_PATH, "TMPDIR": str(tmp_path)}
    with (
        Program(tmp_path, *EXPORTER, "demo", "--web.listen-address", f"127.0.0.1:{port}", environment=environment) as demo,
        monitoring(tmp_path, port) as heard,
    ):

        def is_over() -> bool:
            return not demo.is_running or (
                len(heard.desk.pages()) > 1 and all(heard.desk.told(*alert) == OVER for alert in (CONFIRMED, CHANGED))
            )

        wait_until(is_over, 360, "support-bot and summariser have changed, and back", pause_seconds=0.5)
        assert demo.is_running, demo.said()
        assert [page["event_action"] for page in heard.desk.pages()] == ["trigger", "resolve"]
        limited = {("ModelDriftCannotMeasure", "translator")}  # if it was turned away for two checks
        assert heard.desk.tickets() - limited == {CONFIRMED, CHANGED}
        assert "measurement_failed" in heard.verdicts_seen("translator")
        assert "model_changed" in heard.verdicts_seen("summariser")
        demo.tell(signal.SIGINT)
        assert demo.wait() == 0, demo.said()
    assert list(tmp_path.glob("model-drift-demo-*")) == []
