from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from exporter.errors import Problem, StoreError
from exporter.metrics import MetricsView
from exporter.records import CheckProgress, VerdictKind
from exporter.reports import describe, summarise
from exporter.store.nouns import ServedIdentity
from exporter.web import Details
from exporter.web.axes import Tick
from exporter.web.charts import Chart, Point
from tests.metrics.snapshots import NOW, collecting, drifted, failed, named, three_targets
from tests.web.fake_state import FakeState, get, two_checks_and_an_error
from tests.web.scenes import everything

TEMPLATES = Path(__file__).parents[2] / "exporter" / "web" / "templates"
HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}"


def text_of(html: str) -> str:
    """What a person reads: tags away, white space as one space."""
    body = html[html.index("<body>") :]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_the_status_page_shows_every_target_with_its_verdict_in_words() -> None:
    text = text_of(get(FakeState(), "/").text)
    verdicts = [drifted().verdict, failed().verdict]
    for verdict in verdicts:
        assert verdict is not None
        assert summarise(verdict) in text
    assert "new-model smollm2 , llama.internal:8080 collecting No check has ended yet. — Never checked A check is under way" in text
    assert "75.0 % baseline 93.8 % Last check 10 min ago Next check in 11 h" in text
    assert "drift 1 measurement_failed 1 collecting 1" in text
    assert "Something to do (2)" in text
    assert "Nothing to do (1)" in text
    assert "Spend of all targets together Against the caps under total: Period Dollars Tokens Today $0.25 of $10.00" in text


def test_the_most_urgent_target_comes_first() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    quiet = replace(verdict, signals=(), kind=VerdictKind.STABLE, standing=VerdictKind.STABLE)
    ticket = replace(verdict, signals=())
    view = MetricsView(
        snapshots=(named("quiet", verdict=quiet), named("new", verdict=None), named("ticket", verdict=ticket), named("page"))
    )
    html = get(FakeState(view), "/").text
    assert re.findall(r'href="/targets/([\w]+)"', html) == ["page", "ticket", "new", "quiet"]


def test_the_status_page_says_when_a_second_run_is_due() -> None:
    waiting = replace(drifted(), progress=CheckProgress(confirmation_pending=True, confirm_at=NOW + 3600))
    text = text_of(get(FakeState(MetricsView(snapshots=(waiting,))), "/").text)
    assert "Second run due 2027-01-15 09:00 UTC" in text


def test_the_status_page_warns_of_an_old_config_and_of_not_being_ready() -> None:
    state = FakeState()
    state.not_ready = "the last values are not restored"
    text = text_of(get(state, "/").text)
    assert "Not ready: the last values are not restored." in text
    assert "The config file could not be loaded again; the one of 2027-01-15 06:00 UTC is still in use." in text
    assert "The web config file" not in text


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("web.yml:3: key_file: is damaged; put the whole key into it", "web.yml:3: key_file: is damaged; put the whole key into it"),
        (f"a\u202eb {HOSTILE}\nsecond\nthird", f"a\\u202eb {HOSTILE} The log says what else is wrong: 2 more."),
        ("x" * 700, f"{'x' * 599}…"),
    ],
)
@pytest.mark.parametrize("file", ["config file", "web config file"])
def test_the_status_page_says_what_is_wrong_with_a_file_that_could_not_be_loaded_again(file: str, error: str, told: str) -> None:
    if file == "config file":
        view = MetricsView(reload_successful=False, reloaded_at=NOW, reload_error=error)
    else:
        view = MetricsView(web_reload_successful=False, web_reloaded_at=NOW, web_reload_error=error)
    html = get(FakeState(view), "/").text
    assert "<script" not in html
    said = f"The {file} could not be loaded again; the one of 2027-01-15 08:00 UTC is still in use. {told}"
    assert said in text_of(html)
    assert html.count("could not be loaded again") == 1


def test_the_status_page_says_nothing_of_a_web_config_that_was_loaded() -> None:
    view = MetricsView(web_reload_successful=True, web_reloaded_at=NOW)
    assert "could not be loaded" not in get(FakeState(view), "/").text


def test_without_targets_the_status_page_says_what_to_do() -> None:
    assert "There are no targets. Add one under targets:" in text_of(get(FakeState(MetricsView()), "/").text)


@pytest.mark.parametrize("path", ["/", "/targets/support-bot"])
def test_every_link_on_a_page_leads_somewhere(path: str) -> None:
    state = FakeState()
    links = set(re.findall(r'<a[^>]* href="([^"]*)"', get(state, path).text))
    assert {"/metrics", "/config", "/api/v1/targets" if path == "/" else "/api/v1/targets/support-bot"} < links
    assert {get(state, unescape(link)).status_code for link in links} == {200}


def test_the_target_page_shows_the_whole_report() -> None:
    text = text_of(get(FakeState(), "/targets/support-bot").text)
    verdict = drifted().verdict
    assert verdict is not None
    report = describe(verdict)
    for line in (report.headline, report.next_step.replace("`", " "), *report.details):
        assert " ".join(line.split()) in text


def test_the_target_page_shows_areas_signals_spend_and_what_the_config_says() -> None:
    text = text_of(get(FakeState(), "/targets/support-bot").text)
    assert "reasoning 62.5 % baseline 87.5 % -25.0 -40.0 to -10.0 0.0015 found 13 tested" in text
    assert "japanese 87.5 % — 0.5 9 tested, 1 pending, 1 unusable" in text
    assert "Against the baseline 2 lost: long-multiplication letters-1 0 gained" in text
    assert "accuracy conclusive 2 2027-01-14 08:00 UTC (1 day ago) trend confirmed 1 2027-01-15 07:50 UTC (10 min ago)" in text
    assert "tokens quiet 0 — identity quiet 0 —" in text
    assert "Runs 15 (5 required), frozen" in text
    assert "Today $0.21 of $5.00 21,000 of no cap" in text
    assert "$2.51 ($0.0125 of it estimated), 1,200 requests, 90,000 input and 240,000 output tokens" in text
    assert "gpt-5.5-2026-09-01 fp_2 96.9 % — — gpt-5.5-2026-06-01 not in the baseline 3.1 % left out as rerouted" in text
    assert "team support" in text


def test_the_target_page_shows_the_last_checks_and_errors_with_their_text() -> None:
    state = FakeState()
    state.details_of["support-bot"] = two_checks_and_an_error()
    text = text_of(get(state, "/targets/support-bot").text)
    assert "4 recheck 2027-01-15 08:00 UTC (now) — running" in text
    assert "3 scheduled 2027-01-15 07:48 UTC (11 min ago) 2027-01-15 07:50 UTC drift Drift: accuracy 75 %" in text
    assert "auth : check api_key_file or api_key_env. truncated : raise max_tokens_scale." in text
    assert "2027-01-14 07:08 UTC (1 day ago) auth whole run 401: <b>the key</b> was turned away" in text
    assert "2027-01-14 07:06 UTC (1 day ago) truncated long-multiplication cut off at 512 tokens" in text


def test_a_target_that_was_never_checked_has_a_page() -> None:
    state = FakeState(MetricsView(snapshots=(collecting(),)))
    text = text_of(get(state, "/targets/new-model").text)
    assert "No check has ended yet." in text
    assert "Errors None." in text
    assert "In all 0 requests, 0 input and 0 output tokens" in text


@pytest.mark.parametrize("name", ["a/b", "a?b#c", "50%", "日本語 🤖", "new\nline", "../..", "a b+c", HOSTILE, "%2e", "-"])
def test_a_target_with_a_hostile_name_is_reached_by_its_link(name: str) -> None:
    state = FakeState(MetricsView(snapshots=(named(name),)))
    link = f"/targets/{quote(name, safe='')}"
    assert f'href="{escape(link)}"' in get(state, "/").text
    page = get(state, link)
    assert page.status_code == 200
    assert f"<h1><bdi>{escape(name)}</bdi></h1>".replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in page.text


def test_a_target_that_left_between_two_reads_is_404() -> None:
    state = FakeState()
    state.details_of.clear()
    assert get(state, "/targets/support-bot").status_code == 404


def test_nothing_that_others_wrote_becomes_markup() -> None:
    verdict = failed().verdict
    assert verdict is not None
    verdict = replace(verdict, reason_message=HOSTILE, notes=(HOSTILE,))
    hostile = named(
        HOSTILE, model=HOSTILE, provider=HOSTILE, labels={"team": HOSTILE}, verdict=verdict, suites=(HOSTILE,), protocol=HOSTILE
    )
    state = FakeState(MetricsView(snapshots=(hostile,)))
    errors = tuple(replace(error, message=HOSTILE, question_id=HOSTILE) for error in two_checks_and_an_error().errors)
    state.details_of[HOSTILE] = Details(errors=errors)
    for path in ("/", f"/targets/{quote(HOSTILE, safe='')}"):
        html = get(state, path).text
        assert "<script" not in html
        assert "49" not in text_of(html)
        assert HOSTILE in unescape(html)


def test_half_a_surrogate_pair_from_a_provider_does_not_break_a_page() -> None:
    state = FakeState(MetricsView(snapshots=(named("a", model="gpt\ud83d"),)))
    assert r"gpt\ud83d" in get(state, "/targets/a").text


def test_a_page_runs_no_script_and_its_style_is_the_one_allowed() -> None:
    response = get(FakeState(), "/")
    assert "<script" not in response.text
    style = re.search(r"<style>(.*?)</style>", response.text, re.DOTALL)
    assert style is not None
    allowed = b64encode(sha256(style.group(1).encode()).digest()).decode()
    assert f"style-src 'sha256-{allowed}';" in response.headers["content-security-policy"]
    assert 'style="' not in response.text


def test_a_thousand_targets_fit_on_the_page() -> None:
    view = replace(three_targets(), snapshots=tuple(named(f"target-{number}") for number in range(1000)))
    assert get(FakeState(view), "/").text.count('href="/targets/') == 1000


def test_the_status_page_can_be_narrowed_by_its_links() -> None:
    html = get(FakeState(), "/?verdict=drift&provider=openai").text
    assert re.findall(r'href="/targets/([\w-]+)"', html) == ["support-bot"]
    assert "1 of 3 targets are shown. Show all" in text_of(html)
    links = [unescape(link) for link in re.findall(r'<a class="choice[^>]*href="([^"]*)"', html)]
    assert links == ["/?provider=openai", "/?verdict=drift"]
    assert {get(FakeState(), link).status_code for link in links} == {200}


@pytest.mark.parametrize("query", ["verdict=nonsense", "provider=%3Cscript%3E", "verdict=drift&provider=anthropic"])
def test_where_no_target_is_like_that_the_page_says_so(query: str) -> None:
    html = get(FakeState(), f"/?{query}").text
    assert "No target is like that. Show all" in text_of(html)
    assert "<script" not in html


def test_older_checks_are_a_link_away() -> None:
    state = FakeState()
    state.details_of["support-bot"] = replace(two_checks_and_an_error(), has_older=True)
    html = get(state, "/targets/support-bot").text
    assert '<a href="/targets/support-bot?before=2#history">Older checks</a>' in html
    assert state.asked_before is None
    html = get(state, "/targets/support-bot?before=2").text
    assert state.asked_before == 2
    assert '<a href="/targets/support-bot#history">Newest checks</a>' in html


@pytest.mark.parametrize("before", ["", "x", "-1", "1.5", "１", "9" * 19])
def test_before_has_to_be_the_id_of_a_check(before: str) -> None:
    response = get(FakeState(), f"/targets/support-bot?before={before}")
    assert (response.status_code, response.text) == (400, "before is the id of a check: a whole number\n")


def test_who_answered_is_told_with_when_and_whether_the_baseline_knows_them() -> None:
    state = FakeState()
    seen = ServedIdentity("support-bot", "gpt-5.5-2026-06-01", "fp_1", NOW - 86_400, NOW - 600)
    gone = ServedIdentity("support-bot", "gpt-5.4", "", NOW - 900_000, NOW - 800_000)
    state.details_of["support-bot"] = Details(served=(seen, gone))
    text = text_of(get(state, "/targets/support-bot").text)
    assert "gpt-5.5-2026-06-01 fp_1 not in the baseline 3.1 % left out as rerouted 2027-01-14 08:00 UTC (1 day ago)" in text
    assert "gpt-5.4 not in the baseline — 2027-01-04 22:00 UTC (10 days ago)" in text
    assert "gpt-5.5-2026-09-01 fp_2 96.9 % — —" in text


def test_charts_are_drawn_with_words_for_who_cannot_see_them() -> None:
    html = get(everything(), "/targets/support-bot").text
    assert '<svg class="plot" role="img" aria-labelledby="accuracy-title accuracy-summary" width="100%" height="246">' in html
    assert '<title id="accuracy-title">Accuracy</title>\n<desc id="accuracy-summary">45 checks were measured, 2 could not be.' in html
    assert '<svg class="mark measurement_failed" x="30.43%" y="191.0" overflow="visible"><title>2026-12-14 07:50 UTC: could not' in html
    assert '<rect class="band" x="7.61%" y="18.0" width="92.39%" height="54.0"/>' in html
    assert [f'id="{name}-title"' in html for name in ("p-accuracy", "p-trend", "p-tokens")] == [True, True, True]


def test_a_store_that_cannot_be_read_leaves_what_was_read_before() -> None:
    class Unreadable(FakeState):
        async def details(self, target: str, before: int | None = None) -> Details | None:
            raise StoreError(Problem("history.db", "is damaged", "restore a copy"))

    text = text_of(get(Unreadable(), "/targets/support-bot").text)
    assert "The store cannot be read: history.db: is damaged; restore a copy. What is shown here was read before" in text
    assert "drift conclusive since 2027-01-14 08:00 UTC" in text


def test_no_word_of_a_chart_becomes_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    tick, point = Tick(0.0, HOSTILE, HOSTILE), Point(0.0, 0.0, "stable", HOSTILE)
    hostile = Chart("accuracy", HOSTILE, HOSTILE, 180, [tick], [tick], [point], [], [], failed=[point], thresholds=[HOSTILE])
    monkeypatch.setattr("exporter.web.pages.accuracy_chart", lambda verdicts: hostile)
    monkeypatch.setattr("exporter.web.pages.p_value_charts", lambda verdicts: [hostile])
    html = get(FakeState(), "/targets/support-bot").text
    assert "<script" not in html
    assert html.count(escape(HOSTILE, quote=False).replace('"', "&#34;").replace("'", "&#39;")) == 16


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html")), ids=lambda file: file.name)
def test_a_template_escapes_everything_and_leaves_style_and_action_to_others(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"\bsafe\b(?!-)|autoescape|Markup|<script|\sstyle=|\son[a-z]+=|javascript:", text)
