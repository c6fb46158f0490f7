"""What all streams have in common, whatever their events are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.providers.sse import Event
from exporter.records import Reason
from tests.providers.replies import read
from tests.providers.tool_wordings import SAYINGS


@pytest.mark.parametrize("api", SAYINGS)
@pytest.mark.parametrize("data", [b"[DONE]", b"", b" "])
def test_an_event_that_holds_nothing_is_passed_over(api: str, data: bytes) -> None:
    said = SAYINGS[api][1]("four", ())
    assert said.events is not None
    assert read(api, replace(said, events=(Event("", data), *said.events))) == read(api, said)
    assert read(api, said).text == "four"


@pytest.mark.parametrize("api", SAYINGS)
@pytest.mark.parametrize("event", [Event("error", b'{"message": "overloaded"}'), Event("", b'{"type": "error", "message": "overloaded"}')])
def test_an_event_that_calls_itself_an_error_ends_the_stream_by_name_or_by_type(api: str, event: Event) -> None:
    said = SAYINGS[api][1]("four", ())
    assert said.events is not None
    answer = read(api, replace(said, events=(event, *said.events)))
    assert (answer.reason, answer.text) == (Reason.OVERLOADED, "")
