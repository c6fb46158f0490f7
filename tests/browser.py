"""A real browser, for tests of pages: headless Chromium, spoken to over its DevTools pipe."""

from __future__ import annotations

import json
import os
import select
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.tools import require_tool

PATIENCE_SECONDS = 60
"""How long the browser may be silent, for example where a click leads nowhere."""

_SWITCHES = (
    "--headless",
    "--no-sandbox",  # tests run as root too, where Chromium's own sandbox does not start
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-breakpad",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Page:
    """One tab. `complaints` is what the browser had to say: blocked by the policy, not found, exceptions, dialogs."""

    def __init__(self, pipe: _Pipe, session: str) -> None:
        self._pipe, self._session = pipe, session
        self._loads = 0
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def show(self, url: str, *, width: int = 1200, dark: bool = False, scripts: bool = True) -> None:
        """Load a page, 800 pixels high, and wait until it is there whole."""
        self.complaints.clear()
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Emulation.setScriptExecutionDisabled", value=not scripts)
        before = self._loads
        came = self._call("Page.navigate", url=url)
        assert "errorText" not in came, came["errorText"]
        self._wait_for_load(before)

    def click(self, selector: str) -> None:
        """Click on the middle of an element, as a person would, and wait for the page that this leads to."""
        before = self._loads
        self.press(selector)
        self._wait_for_load(before)

    def press(self, selector: str) -> None:
        """Click where no other page follows."""
        where = f"document.querySelector({json.dumps(selector)})"
        self.ask(f"{where}.scrollIntoView({{block: 'center'}})")
        box = self.ask(f"{where}.getBoundingClientRect().toJSON()")
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page, where scripts of the page are off too."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, file: Path) -> None:
        """The whole page as PNG."""
        file.write_bytes(b64decode(self._call("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def _call(self, method: str, **parameters: Any) -> Any:
        number = self._pipe.send(method, parameters, self._session)
        while True:
            message = self._read()
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def _wait_for_load(self, before: int) -> None:
        while self._loads == before:
            self._read()

    def _read(self) -> dict[str, Any]:
        message = self._pipe.read()
        match message.get("method"):
            case "Page.loadEventFired":
                self._loads += 1
            case "Log.entryAdded":
                entry = message["params"]["entry"]
                self.complaints.append(f"{entry['text']} {entry.get('url', '')}")
            case "Runtime.exceptionThrown" | "Runtime.consoleAPICalled":
                self.complaints.append(json.dumps(message["params"]))
            case "Page.javascriptDialogOpening":
                self.complaints.append(message["params"]["message"])
                self._pipe.send("Page.handleJavaScriptDialog", {"accept": False}, self._session)
        return message


class _Pipe:
    """Messages as JSON, each ended by NUL: Chromium reads them at its descriptor 3 and writes them at 4."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._rest, self._number = read, write, b"", 0

    def send(self, method: str, parameters: dict[str, Any], session: str | None = None) -> int:
        """Send a command; its number, which the answer bears."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(command).encode() + b"\0")
        return self._number

    def read(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], PATIENCE_SECONDS)
            assert ready, f"the browser has said nothing for {PATIENCE_SECONDS} s: what the test waits for does not come"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]  # JSON has no types

    def ask(self, method: str, **parameters: Any) -> Any:
        """A command to the browser itself, and its answer."""
        number = self.send(method, parameters)
        while (message := self.read()).get("id") != number:
            pass
        return message["result"]


@contextmanager
def browsing() -> Iterator[Page]:
    """A tab in a browser of its own. Skips, or fails, where there is no Chromium."""
    chromium = require_tool("chromium")
    commands_read, commands_write = os.pipe()
    answers_read, answers_write = os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        # A shell puts the pipes where Chromium looks for them; here these numbers may be taken.
        shell = f'exec "$@" 3</dev/fd/{commands_read} 4>/dev/fd/{answers_write}'
        program = subprocess.Popen(
            ["sh", "-c", shell, "sh", chromium, *_SWITCHES, f"--user-data-dir={home}", "about:blank"],
            pass_fds=(commands_read, answers_write),
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home},
        )
        os.close(commands_read)
        os.close(answers_write)
        try:
            pipe = _Pipe(answers_read, commands_write)
            tab = pipe.ask("Target.createTarget", url="about:blank")["targetId"]
            yield Page(pipe, pipe.ask("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"])
            pipe.ask("Browser.close")
        finally:
            os.close(commands_write)
            os.close(answers_read)
            try:
                program.wait(timeout=10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
