from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.texts import TARGET, complaints

APIS = "openai_chat, openai_responses, azure_openai, anthropic, gemini, mistral, cohere, ollama"
LEVEL = "must be a number above 0 and below 1"
DURATION = "is not a duration; write a number with its unit, such as 90s, 15m or 1h30m"
CRON = "write five: minute, hour, day of month, month, day of week, such as 0 9 * * * (a sixth, in front, is seconds)"
URL = "targets[0].base_url: is not a URL of a server; write it as https://host/path"
POSTGRES = "is not the URL of a PostgreSQL database; write postgresql+psycopg://user@host:5432/database"
NO_PASSWORD = "holds a password, which this file must not; write it into a file, and name that as storage_password_file"
PARAMETERS = (
    "has a parameter that is not supported; "
    "use only connect_timeout, host, sslcert, sslcrl, sslkey, sslmode, sslrootcert, target_session_attrs"
)
SEVERAL = "write postgresql://user@/database?host=one:5432&host=two:5432&target_session_attrs=read-write"
SQLITE = "is not the URL of a SQLite file; write sqlite:///data/history.db, with four slashes for an absolute path"
HEADER = "cannot be sent as an HTTP header; use one line of ASCII characters without spaces around it"
LABEL = "is not a name for a Prometheus label; use letters, digits and _, with no digit and no __ in front"
ENV = "is not the name of an environment variable; write the variable's name here, never the key itself"

TOP_LEVEL = [
    ("shedule: {}", "shedule: unknown key; did you mean schedule?"),
    ("cron: 0 9 * * *", "cron: unknown key here; it belongs at schedule.cron"),
    ("total_budget: {}", "total_budget: unknown key; did you mean budget.total?"),
    ("colour: red", "colour: unknown key; remove it; model-drift-exporter config --example shows every key"),
    ("? 'two\n\n  lines'\n: 1", r"'two\nlines': unknown key; remove it; model-drift-exporter config --example shows every key"),
    ("concurrency: many", "concurrency: must be a whole number of at least 1, not 'many'"),
    ("concurrency: 0", "concurrency: must be a whole number of at least 1, not 0"),
    ("concurrency: 1.5", "concurrency: must be a whole number of at least 1, not 1.5"),
    ("concurrency: true", "concurrency: must be a whole number of at least 1, not true"),
    ("concurrency:", "concurrency: empty; give it a value, or remove the line"),
    ("export_questions: yes", "export_questions: must be true or false, not 'yes'"),
    ("export_questions: 1", "export_questions: must be true or false, not 1"),
    ("schedule: daily", "schedule: must be a mapping, not 'daily'"),
    ("schedule:", "schedule: empty; give it a value, or remove the line"),
    ("schedule: {cron: 9 o'clock}", f'schedule.cron: "9 o\'clock" is not a cron expression (wrong number of fields); {CRON}'),
    ("schedule: {cron: 0 25 * * *}", f"schedule.cron: '0 25 * * *' is not a cron expression (bad hour); {CRON}"),
    ("schedule: {cron: 0 9 32 * *}", f"schedule.cron: '0 9 32 * *' is not a cron expression (bad day-of-month); {CRON}"),
    ("schedule: {cron: 0 9 30 2 *}", "schedule.cron: '0 9 30 2 *' never fires; choose a day that some month has"),
    (f"schedule: {{cron: '{'1' * 201}'}}", "schedule.cron: longer than 200 characters; write five fields, such as 0 9 * * *"),
    ("schedule: {cron: ''}", "schedule.cron: empty; give it a value, or remove the line"),
    ("schedule: {timezone: Europe/Berlni}", "schedule.timezone: 'Europe/Berlni' is not a known time zone; did you mean 'Europe/Berlin'?"),
    ("schedule: {timezone: utc}", "schedule.timezone: 'utc' is not a known time zone; did you mean 'UTC'?"),
    (
        "schedule: {timezone: ../x}",
        "schedule.timezone: '../x' is not a known time zone; use a name of the IANA time zone database, such as Europe/Berlin or UTC",
    ),
    ("schedule: {spread: 15}", f"schedule.spread: 15 {DURATION}"),
    ("schedule: {spread: -15m}", f"schedule.spread: '-15m' {DURATION}"),
    ("schedule: {spread: 15 minutes}", f"schedule.spread: '15 minutes' {DURATION}"),
    ("schedule: {spread: 53w}", "schedule.spread: '53w' is longer than a year; use a shorter duration"),
    ("schedule: {spread: [1h]}", f"schedule.spread: a list {DURATION}"),
    ("decision: {alpha: 0}", f"decision.alpha: {LEVEL}, not 0"),
    ("decision: {alpha: 1}", f"decision.alpha: {LEVEL}, not 1"),
    ("decision: {alpha: 0.4%}", f"decision.alpha: {LEVEL}, not '0.4%'"),
    ("decision: {alpha: .nan}", f"decision.alpha: {LEVEL}, not '.nan'"),
    ("decision: {trend_windows: []}", "decision.trend_windows: empty; give it a value, or remove the line"),
    ("decision: {trend_windows: [7, 1]}", "decision.trend_windows[1]: must be a whole number of at least 2, not 1"),
    ("decision: {trend_windows: [7, 7]}", "decision.trend_windows: names '7' twice; remove one"),
    ("decision: {trend_windows: 7}", "decision.trend_windows: must be a list of whole numbers of at least 2, not 7"),
    ("decision: {tries: 11}", "decision.tries: must be a whole number from 1 to 10, not 11"),
    ("decision: {min_drop_points: 101}", "decision.min_drop_points: must be a number from 0 to 100, not 101"),
    ("decision: {max_error_rate: 1}", "decision.max_error_rate: must be a number of at least 0 and below 1, not 1"),
    ("decision: {baseline_max_runs: 4}", "decision.baseline_max_runs: 4 is less than baseline_runs, 5; raise it, or lower baseline_runs"),
    (
        "decision: {baseline_runs: 16}",
        "decision.baseline_runs: 16 is more than baseline_max_runs, 15; lower it, or raise baseline_max_runs",
    ),
    ("decision: {trend_alpha: 0.02}", "decision.trend_alpha: 0.02 is more than trend_rearm, 0.01; lower it, or raise trend_rearm"),
    ("decision: {retry_failed_check: {time: 2}}", "decision.retry_failed_check.time: unknown key; did you mean times?"),
    ("decision: {retry_failed_check: {times: -1}}", "decision.retry_failed_check.times: must be a whole number of at least 0, not -1"),
    ("budget: {usd_per_day: 0}", "budget.usd_per_day: must be a number above 0 or null, not 0"),
    ("budget: {usd_per_day: $5}", "budget.usd_per_day: must be a number above 0 or null, not '$5'"),
    ("budget: {tokens_per_day: 1e3}", "budget.tokens_per_day: must be a whole number from 1 to 1,000,000,000,000 or null, not 1000.0"),
    ("budget: {total: 5}", "budget.total: must be a mapping, not 5"),
    ("budget: {total: {usd_per_week: 5}}", "budget.total.usd_per_week: unknown key; did you mean usd_per_check?"),
    ("storage: 5", "storage: must be text, not a number; put it in quotes"),
    ("storage: postgresql+psycopg://u:p@h/d", f"storage: {NO_PASSWORD}"),
    ("storage: postgresql://u:@h/d", f"storage: {NO_PASSWORD}"),
    ("storage: postgresql://u@h/", f"storage: {POSTGRES}"),
    ("storage: postgres://u@h/d", f"storage: {POSTGRES}"),
    ("storage: postgresql+asyncpg://u@h/d", f"storage: {POSTGRES}"),
    ("storage: postgresql://u@h:0/d", f"storage: {POSTGRES}"),
    ("storage: postgresql://u@h:x/d", f"storage: {POSTGRES}"),
    ("storage: postgresql://u@h/d?sslmode", f"storage: {POSTGRES}"),
    ("storage: postgresql://u@h/d?password=p", f"storage: {PARAMETERS}"),
    ("storage: postgresql://u@h/d?options=-csearch_path", f"storage: {PARAMETERS}"),
    ("storage: postgresql://u@one:5432,two:5432/d", f"storage: names servers where only one can be; {SEVERAL}"),
    ("storage: postgresql://u:p@one:5432,two:5432/d", f"storage: {NO_PASSWORD}"),
    ("storage: postgresql://u@one/d?host=two&target_session_attrs=read-write", f"storage: names servers where only one can be; {SEVERAL}"),
    ("storage: postgresql://u@/d?host=one,two", f"storage: has a host that is not one name, or one name and a port; {SEVERAL}"),
    ("storage: postgresql://u@/d?host=/tmp/a,b", f"storage: has a host that is not one name, or one name and a port; {SEVERAL}"),
    ("storage: postgresql://u@/d?host=/tmp/a:b&host=two", f"storage: has a host that is not one name, or one name and a port; {SEVERAL}"),
    ("storage: postgresql://u@/d?host=one:x&host=two", f"storage: has a host that is not one name, or one name and a port; {SEVERAL}"),
    ("storage: postgresql://u@/d?host=", f"storage: has a host that is not one name, or one name and a port; {SEVERAL}"),
    (
        "storage: postgresql://u@/d?host=one&host=two",
        "storage: names several servers, and does not ask for the one that takes writes; add target_session_attrs=read-write",
    ),
    (
        "storage: postgresql://u@/d?host=one&host=two&target_session_attrs=any",
        "storage: names several servers, and does not ask for the one that takes writes; add target_session_attrs=read-write",
    ),
    (
        "storage: postgresql://u@h/d?sslmode=require&sslmode=disable",
        "storage: has a parameter twice; only host may be there several times",
    ),
    (
        "storage_password_file: none.txt",
        "storage_password_file: is of no use, storage is a file; remove it, or name a PostgreSQL as storage",
    ),
    (
        "storage_password_file: none.txt\nstorage: postgresql://u@h/d",
        "storage_password_file: no such file; a relative path starts at the folder of the config file",
    ),
    ("storage_password_file: ''\nstorage: postgresql://u@h/d", "storage_password_file: empty; give it a value, or remove the line"),
    ("storage: history.db", f"storage: {SQLITE}"),
    ("storage: 'sqlite:///'", f"storage: {SQLITE}"),
    ("storage: 'sqlite:///:memory:'", "storage: names no file, so that nothing would be kept; write sqlite:///data/history.db"),
    ("storage: sqlite:///data/", "storage: names no file, so that nothing would be kept; write sqlite:///data/history.db"),
]

IN_TARGET = [
    ("price: unknow", "price: must be a mapping, unknown or null, not 'unknow'"),
    ("price: 5", "price: must be a mapping, unknown or null, not 5"),
    (
        "price: {input_usd_per_mtok: 1}",
        "price.output_usd_per_mtok: missing; add it: dollars for a million output tokens, reasoning included",
    ),
    ("price: {input_usd_per_mtok: -1, output_usd_per_mtok: 1}", "price.input_usd_per_mtok: must be a number of at least 0, not -1"),
    (
        "price: {input_usd_per_mtok: 1, output_usd_per_mtok: 1, cached_usd_per_mtok: 1}",
        "price.cached_usd_per_mtok: unknown key; did you mean cached_input_usd_per_mtok?",
    ),
    ("decision: {alpha: 2}", f"decision.alpha: {LEVEL}, not 2"),
    (
        "decision: {baseline_runs: 20}",
        "decision.baseline_runs: 20 is more than baseline_max_runs, 15; lower it, or raise baseline_max_runs",
    ),
    ("decision: 5", "decision: must be a mapping, not 5"),
    ("budget: {total: {}}", "budget.total: unknown key here; it belongs at budget.total"),
    ("tries: 3", "tries: unknown key here; it belongs at decision.tries"),
    ("api_key: abc", "api_key: unknown key; keys are not written into this file: use api_key_file or api_key_env"),
    ("api_key_file: none.txt", "api_key_file: no such file; a relative path starts at the folder of the config file"),
    ("api_key_file: .", "api_key_file: what it names is not a file; name a file that holds the key"),
    ("api_key_file: ''", "api_key_file: empty; give it a value, or remove the line"),
    ("api_key_env: NO_SUCH_VARIABLE", "api_key_env: the environment variable that it names is not set; set it where the exporter runs"),
    ("api_key_env: sk-abc", f"api_key_env: {ENV}"),
    ("api_key_env: 5", "api_key_env: must be text or null, not a number; put it in quotes"),
    ("headers: [x]", "headers: must be a mapping of names to text, not a list"),
    ("headers: 'Authorization: x'", "headers: must be a mapping of names to text, not text"),
    ("headers: {X-Team: 5}", "headers.X-Team: must be text, not a number; put it in quotes"),
    ('headers: {X-Team: "a\\nb"}', f"headers.X-Team: {HEADER}"),
    ("headers: {X-Team: ü}", f"headers.X-Team: {HEADER}"),
    ("headers: {X Team: a}", "headers.'X Team': is not a name for an HTTP header; use letters, digits and -"),
    ("labels: {9lives: a}", f"labels.9lives: {LABEL}"),
    ("labels: {__a: a}", f"labels.__a: {LABEL}"),
    ("labels: {té: a}", f"labels.'té': {LABEL}"),
    ("labels: {model: a}", "labels.model: is a label that target_info has already; use another name"),
    ("labels: {env: a}", "labels.env: is a label that Prometheus or the platform sets; use another name, such as target_env"),
    ("labels: {team: 1}", "labels.team: must be text, not 1; put it in quotes"),
    ("labels: {team: no}", None),
    ("labels:", "labels: empty; give it a value, or remove the line"),
    ("suites: core", "suites: must be a list of text, not 'core'; put it in brackets"),
    ("suites: []", "suites: empty; give it a value, or remove the line"),
    ("suites: [core, core]", "suites: names 'core' twice; remove one"),
    ("suites: [core, 5]", "suites[1]: must be text, not 5; put it in quotes"),
    ("areas: []", "areas: empty; give it a value, or remove the line"),
    ("identity: [modl]", "identity[0]: must be one of model, fingerprint, host, tier, region, not 'modl'; did you mean model?"),
    ("page_signals: [drift]", "page_signals[0]: must be one of accuracy, trend, tokens, identity, not 'drift'"),
    ("page_signals: []", None),
    ("base_url: localhost:8080", URL),
    ("base_url: ftp://host", URL),
    ("base_url: https://", URL),
    ("base_url: https://host:99999/v1", URL),
    ("base_url: https://host:0/v1", URL),
    ("base_url: 'https://ho st/v1'", URL),
    ("base_url: 'https://[::g]/v1'", URL),
    ("base_url: 'https://[::1]:8080/v1'", None),
    ("base_url: https://host/v1#frag", "base_url: has a part after #, which no server is sent; remove it"),
    ("formerly: bot", "formerly: 'bot' is the name of targets[0].name (line 2); remove it, or rename that target"),
    ("formerly: ''", "formerly: empty; give it a value, or remove the line"),
    ("provider: 'a\u200bb'", "provider: holds a line break or another control character; remove it"),
    ("provider: ' a'", "provider: starts or ends with a space; remove it"),
    ("request_timeout: 0", "request_timeout: must be longer than 0; write a duration such as 90s, 15m or 1h30m"),
    ("request_timeout: 90", f"request_timeout: 90 {DURATION}"),
    ("max_tokens_scale: 0", "max_tokens_scale: must be a number above 0 and at most 1,000, not 0"),
    ("max_tokens_scale: 1e999", "max_tokens_scale: is not a number that can be used; write a smaller one"),
    ("concurrency: 257", "concurrency: must be a whole number from 1 to 256, not 257"),
    (f"concurrency: {'9' * 101}", "concurrency: has too many digits; write a smaller number"),
    (f"concurrency: {'9' * 100}", f"concurrency: must be a whole number from 1 to 256, not {'9' * 59}…"),
    ("sampling: hot", "sampling: must be a mapping, not 'hot'"),
    ("extra_body: x", "extra_body: must be a mapping, not text"),
    ("stream: maybe", "stream: must be true or false, not 'maybe'"),
    (
        "price: unknown\n  budget: {tokens_per_check: null}",
        "price: unknown, and no cap counts tokens; set tokens_per_check, tokens_per_day or tokens_per_month under budget",
    ),
]


@pytest.mark.parametrize(("text", "message"), TOP_LEVEL)
def test_a_bad_top_level_key_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    assert complaints(f"{TARGET}{text}\n", tmp_path) == [f"config.yml:5: {message}"]


@pytest.mark.parametrize(("text", "message"), IN_TARGET)
def test_a_bad_key_of_a_target_is_told_with_its_line(text: str, message: str | None, tmp_path: Path) -> None:
    path = "" if message is None or message.startswith("targets[0]") else "targets[0]."
    assert complaints(f"{TARGET}  {text}\n", tmp_path) == ([] if message is None else [f"config.yml:5: {path}{message}"])


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["config.yml: empty; write targets into it; model-drift-exporter config --example shows every key"]),
        ("# nothing\n", ["config.yml: empty; write targets into it; model-drift-exporter config --example shows every key"]),
        ("- a\n- b\n", ["config.yml:1: must be a mapping of settings, not a list; start with targets: and the other top-level keys"]),
        ("\nhello\n", ["config.yml:2: must be a mapping of settings, not text; start with targets: and the other top-level keys"]),
        ("concurrency: 2\n", ["config.yml:1: targets: empty; add at least one target"]),
        ("concurrency: 2\ntargets: []\n", ["config.yml:2: targets: empty; add at least one target"]),
        ("concurrency: 2\ntargets:\n", ["config.yml:2: targets: empty; add at least one target"]),
        ("targets: {name: a}\n", ["config.yml:1: targets: must be a list of mappings, not a mapping"]),
        ("targets:\n- bot\n", ["config.yml:2: targets[0]: must be a mapping, not 'bot'"]),
        ("targets:\n-\n", ["config.yml:2: targets[0]: empty; give it a value, or remove the line"]),
        (
            "targets:\n- {}\n",
            [
                "config.yml:2: targets[0].name: missing; add it: what the target is called, in metrics, commands and the history",
                "config.yml:2: targets[0].api: missing; add it: the API that the endpoint speaks",
                "config.yml:2: targets[0].model: missing; add it: the model to ask for, as the endpoint names it",
            ],
        ),
        (
            "targets:\n- name: a\n  api: openai\n  model: 4\n",
            [
                f"config.yml:3: targets[0].api: must be one of {APIS}, not 'openai'; did you mean openai_chat?",
                "config.yml:4: targets[0].model: must be text, not 4; put it in quotes",
            ],
        ),
        (
            f"targets:\n- name: {'x' * 129}\n  api: ollama\n  model: ''\n",
            [
                "config.yml:2: targets[0].name: longer than 128 characters; shorten it",
                "config.yml:4: targets[0].model: empty; give it a value",
            ],
        ),
        (
            f"{TARGET}- name: bot\n  api: ollama\n  model: m\n",
            ["config.yml:5: targets[1].name: 'bot' is already targets[0].name (line 2); give each target its own name"],
        ),
        (f"{TARGET}- name: Bot\n  api: ollama\n  model: m\n", []),
        (
            f"{TARGET}  formerly: old\n- name: bot2\n  api: ollama\n  model: m\n  formerly: old\n",
            ["config.yml:9: targets[1].formerly: 'old' is already targets[0].formerly (line 5); keep it on one target"],
        ),
    ],
)
def test_a_bad_file_is_told_with_its_lines(text: str, messages: list[str]) -> None:
    assert complaints(text) == messages
