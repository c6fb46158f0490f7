"""The single values a config file is made of: each with the check that needs nothing but the value itself.

A validator raises ValueError("what; how to mend it"). Where a value may hold a secret its text is never part of that.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from ipaddress import IPv6Address
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from cronsim import CronSim, CronSimError
from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from exporter.config.durations import DURATION_PATTERN, format_duration, parse_duration
from exporter.config.words import closest, quote

_LONGEST_SECONDS = 366 * 86400.0
_LABEL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOST = re.compile(r"[A-Za-z0-9._-]+")
_LONGEST_CRON = 200

_POSTGRES_PARAMETERS = ("connect_timeout", "host", "sslcert", "sslcrl", "sslkey", "sslmode", "sslrootcert", "target_session_attrs")
"""What the URL of a PostgreSQL database may say after `?`, in the words of libpq."""

_HOST_AND_PORT = re.compile(r"[^:,]+(:[1-9][0-9]{0,4})?")
_SOCKET_FOLDER = re.compile(r"/[^,]+")
"""What libpq takes as it stands where it is the only host: a colon may be in it."""

_TAKES_WRITES = ("read-write", "primary")

TARGET_INFO_LABELS = frozenset({"target", "provider", "api", "model", "suites", "protocol", "identity_evidence"})
"""Labels that target_info has of its own."""

PLATFORM_LABELS = frozenset(
    {"endpoint", "service", "instance", "job", "pod", "namespace", "container", "type", "region", "zone", "cluster", "env"}
)
"""Labels that Prometheus or the platform sets on what is scraped."""


def _duration(value: object) -> float:
    seconds = parse_duration(value)
    if seconds > _LONGEST_SECONDS:
        raise ValueError(f"{quote(value)} is longer than a year; use a shorter duration")
    return seconds


def _above_zero(seconds: float) -> float:
    if seconds < 0.001:
        raise ValueError("must be longer than 0; write a duration such as 90s, 15m or 1h30m")
    return seconds


def _age(value: object) -> str:
    try:
        return NEVER if value == NEVER or parse_duration(value) == 0 else str(value)
    except ValueError:
        raise ValueError(f"{quote(value)} is not an age; write a duration such as 400d, or never") from None


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds a line break or another control character; remove it")
    if text != text.strip():
        raise ValueError("starts or ends with a space; remove it")
    return text


def _once(values: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if twice is not None:
        raise ValueError(f"names {quote(str(twice))} twice; remove one")
    return values


def _cron(text: str) -> str:
    fields = text.split()
    if len(text) > _LONGEST_CRON:
        raise ValueError(f"longer than {_LONGEST_CRON} characters; write five fields, such as 0 9 * * *")
    try:
        next(CronSim(text, datetime(2024, 1, 1, tzinfo=UTC)))
    except StopIteration:
        raise ValueError(f"{quote(text)} never fires; choose a day that some month has") from None
    except CronSimError as error:
        if str(error) == "Bad day-of-month" and _parses([*fields[:-2], "*", fields[-1]]):
            raise ValueError(f"{quote(text)} never fires; choose a day that some month has") from None
        bad = "wrong number of fields" if str(error) == "Wrong number of fields" else str(error).replace("Bad", "bad", 1)
        fix = "write five: minute, hour, day of month, month, day of week, such as 0 9 * * * (a sixth, in front, is seconds)"
        raise ValueError(f"{quote(text)} is not a cron expression ({bad}); {fix}") from None
    return text


def _parses(fields: list[str]) -> bool:
    try:
        CronSim(" ".join(fields), datetime(2024, 1, 1, tzinfo=UTC))
    except CronSimError:
        return False
    return True


def _timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = closest(name, available_timezones()) or next((zone for zone in available_timezones() if zone.lower() == name.lower()), None)
        fix = f"did you mean {near!r}?" if near else "use a name of the IANA time zone database, such as Europe/Berlin or UTC"
        raise ValueError(f"{quote(name)} is not a known time zone; {fix}") from None
    return name


def _base_url(url: str) -> str:
    fault = ValueError("is not a URL of a server; write it as https://host/path")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise fault
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if ":" in host:
            IPv6Address(host)
    except ValueError:
        raise fault from None
    if parts.scheme not in ("http", "https") or port == 0 or not (":" in host or _HOST.fullmatch(host)):
        raise fault
    if parts.fragment:
        raise ValueError("has a part after #, which no server is sent; remove it")
    return url


def require_postgres_url(url: str) -> None:
    """Raise ValueError("what; how to mend it") unless this is the URL of a PostgreSQL database, without a password."""
    fix = "write postgresql+psycopg://user@host:5432/database"
    fault = ValueError(f"is not the URL of a PostgreSQL database; {fix}")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise fault
    try:
        parts = urlsplit(url)
        port = None if "," in parts.netloc else parts.port
        parameters = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise fault from None
    if parts.scheme not in ("postgresql", "postgresql+psycopg") or port == 0 or parts.fragment or not parts.path.strip("/"):
        raise fault
    if parts.password is not None:
        raise ValueError("holds a password, which this file must not; write it into a file, and name that as storage_password_file")
    names = [name for name, _ in parameters]
    if not set(names) <= set(_POSTGRES_PARAMETERS):
        raise ValueError(f"has a parameter that is not supported; use only {', '.join(_POSTGRES_PARAMETERS)}")
    if any(names.count(name) > 1 for name in set(names) - {"host"}):
        raise ValueError("has a parameter twice; only host may be there several times")
    _require_hosts(parts.netloc.rpartition("@")[2], [value for name, value in parameters if name == "host"], dict(parameters))


def _require_hosts(address: str, hosts: list[str], parameters: dict[str, str]) -> None:
    """Several servers are named in one way, and so that the one that takes writes is found, whichever it is by now."""
    several = "write postgresql://user@/database?host=one:5432&host=two:5432&target_session_attrs=read-write"
    if "," in address or (address and hosts):
        raise ValueError(f"names servers where only one can be; {several}")
    is_socket = len(hosts) == 1 and _SOCKET_FOLDER.fullmatch(hosts[0])
    if not is_socket and not all(_HOST_AND_PORT.fullmatch(host) for host in hosts):
        raise ValueError(f"has a host that is not one name, or one name and a port; {several}")
    if len(hosts) > 1 and parameters.get("target_session_attrs") not in _TAKES_WRITES:
        raise ValueError("names several servers, and does not ask for the one that takes writes; add target_session_attrs=read-write")


def _storage(url: str) -> str:
    if url.lower().startswith("postgres"):
        require_postgres_url(url)
        return url
    path = url.removeprefix("sqlite:///")
    if path == url or not path or not path.isprintable():
        raise ValueError("is not the URL of a SQLite file; write sqlite:///data/history.db, with four slashes for an absolute path")
    if path.startswith(":memory:") or path.endswith("/"):
        raise ValueError("names no file, so that nothing would be kept; write sqlite:///data/history.db")
    return url


def _label_name(name: str) -> str:
    if not _LABEL_NAME.fullmatch(name) or name.startswith("__"):
        raise ValueError("is not a name for a Prometheus label; use letters, digits and _, with no digit and no __ in front")
    if name in TARGET_INFO_LABELS:
        raise ValueError("is a label that target_info has already; use another name")
    if name in PLATFORM_LABELS:
        raise ValueError(f"is a label that Prometheus or the platform sets; use another name, such as target_{name}")
    return name


def _header_name(name: str) -> str:
    if not _HEADER_NAME.fullmatch(name):
        raise ValueError("is not a name for an HTTP header; use letters, digits and -")
    return name


def _header_value(value: str) -> str:
    if not (value.isascii() and value.isprintable()) or value != value.strip():
        raise ValueError("cannot be sent as an HTTP header; use one line of ASCII characters without spaces around it")
    return value


def _env_name(name: str) -> str:
    if not _ENV_NAME.fullmatch(name):
        raise ValueError("is not the name of an environment variable; write the variable's name here, never the key itself")
    return name


Duration = Annotated[
    float,
    BeforeValidator(_duration),
    PlainSerializer(format_duration, return_type=str, when_used="json"),
    WithJsonSchema({"title": "Duration", "type": ["string", "integer"], "pattern": f"^{DURATION_PATTERN}$", "minimum": 0, "maximum": 0}),
]
"""Seconds; written as a Go duration ("90s", "1h30m", "250ms") or a bare 0 in the file."""

PositiveDuration = Annotated[Duration, AfterValidator(_above_zero)]
"""Seconds, longer than 0."""

NEVER = "never"

Age = Annotated[
    str,
    BeforeValidator(_age),
    WithJsonSchema(
        {
            "anyOf": [
                {"title": "Duration", "type": ["string", "integer"], "pattern": f"^{DURATION_PATTERN}$", "minimum": 0, "maximum": 0},
                {"const": NEVER},
            ]
        }
    ),
]
"""How old something may become, as it is written: a duration of any length; "never", or 0, is for good."""

Level = Annotated[float, Field(gt=0, lt=1)]
"""The level of a statistical test."""

Usd = Annotated[float, Field(gt=0)]
Tokens = Annotated[int, Field(gt=0, le=10**12)]
UsdPerMtok = Annotated[float, Field(ge=0)]

Line = Annotated[str, Field(min_length=1), AfterValidator(_one_line)]
"""Text on one line."""

TargetName = Annotated[Line, Field(max_length=128)]
Cron = Annotated[str, Field(min_length=1), AfterValidator(_cron)]
Timezone = Annotated[str, Field(min_length=1), AfterValidator(_timezone)]
BaseUrl = Annotated[str, Field(min_length=1), AfterValidator(_base_url)]
StorageUrl = Annotated[str, Field(min_length=1), AfterValidator(_storage)]
EnvName = Annotated[str, Field(min_length=1), AfterValidator(_env_name)]
LabelName = Annotated[str, AfterValidator(_label_name)]
HeaderName = Annotated[str, AfterValidator(_header_name)]
HeaderValue = Annotated[str, AfterValidator(_header_value)]
Once = AfterValidator(_once)
"""For a list that may name each thing once."""
