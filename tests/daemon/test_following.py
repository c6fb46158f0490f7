"""Which targets are to be read again after what happened in the store."""

from __future__ import annotations

from exporter.daemon.following import MOST_AT_ONCE, Following
from exporter.store import Activity, UnderWay

NOTHING = Activity({}, {}, 0)


def under_way(target: str, *, state: str = "running", requests: int = 0, closed: int = 0) -> Activity:
    return Activity({target: (UnderWay(7, state, requests),)}, {target: closed}, 0)


def test_a_check_that_begins_wakes_its_watch_and_is_shown_at_the_next_look_at_progress() -> None:
    following = Following(NOTHING)
    assert following.notice(under_way("bot"), (), {"bot": 0}, with_progress=False) == ["bot"]
    assert following.is_up_to_date
    assert following.notice(under_way("bot"), (), {"bot": 0}, with_progress=True) == []
    assert following.take({"bot"}) == ["bot"]


def test_requests_that_were_settled_are_progress_and_wake_nobody() -> None:
    following = Following(under_way("bot", requests=3))
    assert following.notice(under_way("bot", requests=9), (), {"bot": 0}, with_progress=True) == []
    assert following.take({"bot"}) == ["bot"]
    following.notice(under_way("bot", requests=9), (), {"bot": 0}, with_progress=True)
    assert following.is_up_to_date


def test_another_state_and_an_end_wake_the_watch_and_an_end_is_shown_at_once() -> None:
    following = Following(under_way("bot"))
    assert following.notice(under_way("bot", state="confirming"), (), {"bot": 0}, with_progress=False) == ["bot"]
    assert following.notice(Activity({}, {"bot": 1}, 0), (), {"bot": 0}, with_progress=False) == ["bot"]
    assert following.take({"bot"}) == ["bot"]


def test_an_end_that_is_shown_already_is_not_read_again() -> None:
    following = Following(under_way("bot"))
    assert following.notice(Activity({}, {"bot": 1}, 0), (), {"bot": 1}, with_progress=False) == ["bot"]
    assert following.is_up_to_date


def test_a_check_that_is_gone_is_read_again_where_it_is_shown_as_under_way() -> None:
    gone = Activity({}, {}, 0)
    following = Following(under_way("bot"))
    following.notice(gone, (), {"bot": 0}, (), with_progress=True)
    assert following.is_up_to_date
    following.notice(gone, (), {"bot": 0}, ("bot",), with_progress=False)
    assert following.is_up_to_date
    following.notice(gone, (), {"bot": 0}, ("bot",), with_progress=True)
    assert following.take({"bot"}) == ["bot"]


def test_an_end_is_read_again_at_each_look_until_it_is_shown() -> None:
    following = Following(NOTHING)
    for _ in range(2):
        following.notice(Activity({}, {"bot": 1}, 0), (), {"bot": 0}, with_progress=False)
        assert following.take({"bot"}) == ["bot"]


def test_a_decision_wakes_the_watch_and_is_shown_at_once() -> None:
    following = Following(NOTHING)
    assert following.notice(Activity({}, {}, 5), ("bot",), {}, with_progress=False) == ["bot"]
    assert following.take({"bot"}) == ["bot"]
    assert following.events_version == 5


def test_many_are_read_in_parts_and_who_is_not_known_here_is_forgotten() -> None:
    names = [f"target-{number:03}" for number in range(MOST_AT_ONCE + 5)]
    following = Following(NOTHING)
    following.add([*names, "elsewhere"])
    assert following.take(names) == names[:MOST_AT_ONCE]
    assert not following.is_up_to_date
    assert following.take(names) == names[MOST_AT_ONCE:]
    assert following.is_up_to_date
