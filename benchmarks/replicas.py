"""One, two and four replicas over one PostgreSQL, with a thousand targets due together: requests a second, and statements an answer.

Prints one line of JSON. Provider, database and replicas share the cores of this machine, so that more replicas than cores can hardly
be faster. Needs PostgreSQL's programs.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

from benchmarks.harness import LOOPBACK, cpu_seconds, free_port, running, scratch, tell, wait_until_ready
from benchmarks.provider import answered, running_provider
from benchmarks.stores import Size, write_config
from exporter.store import open_store
from tests.postgres import PostgresServer, postgres_server

LATENCY_SECONDS = 0.2
REPLICAS = (1, 2, 4)
WINDOW_SECONDS = 40.0
"""How long requests are counted, once all replicas are ready."""

_STATEMENT = re.compile(r"LOG:  (?:execute [^:]+|statement): +(\w+)")


@contextmanager
def running_replicas(folder: Path, server: PostgresServer, size: Size, provider_port: int, number: int) -> Iterator[list[Popen[bytes]]]:
    """So many replicas, ready, with a new database."""
    url = server.make_database("benchmark")
    open_store(url).close()
    config_file = write_config(folder, size, base_url=f"http://{LOOPBACK}:{provider_port}/v1", cron="0 9 * * *")
    config_file.write_text(re.sub("^storage: .*$", f"storage: {url}", config_file.read_text(), flags=re.MULTILINE))
    with ExitStack() as stack:
        started = []
        for replica in range(number):
            port = free_port()
            command = [sys.executable, "-m", "exporter", "serve", f"--config.file={config_file}", f"--web.listen-address={LOOPBACK}:{port}"]
            started.append((stack.enter_context(running(command, folder, f"replica-{replica}")), port))
        for process, port in started:
            wait_until_ready(process, port, seconds=300.0)
        yield [process for process, _ in started]


def work_together(folder: Path, server: PostgresServer, size: Size, number: int, window_seconds: float) -> dict[str, float]:
    """Requests a second while there is more to do than they can, and what one takes of the replicas' processor time."""
    with (
        running_provider(folder, LATENCY_SECONDS) as provider_port,
        running_replicas(folder, server, size, provider_port, number) as replicas,
    ):
        before, used, started = answered(provider_port), _used(replicas), time.perf_counter()
        time.sleep(window_seconds)
        count, used, elapsed = answered(provider_port) - before, _used(replicas) - used, time.perf_counter() - started
    return {"requests_per_second": round(count / elapsed, 1), "cpu_ms_per_request": round(1000 * used / max(1, count), 2)}


def count_statements(folder: Path, server: PostgresServer, size: Size) -> dict[str, object]:
    """Statements an answer of one replica that checks each target once, from the server's own log; it is slower for being logged."""
    log = server.folder / "server.log"
    expected = size.targets * size.questions
    with server.connect() as boss:
        boss.execute("ALTER SYSTEM SET log_statement = 'all'")
        boss.execute("SELECT pg_reload_conf()")
        with running_provider(folder, LATENCY_SECONDS) as provider_port, running_replicas(folder, server, size, provider_port, 1):
            begin = log.stat().st_size
            while answered(provider_port) < expected:
                time.sleep(0.1)
            time.sleep(3.0)
        boss.execute("ALTER SYSTEM RESET log_statement")
        boss.execute("SELECT pg_reload_conf()")
    with log.open(errors="replace") as lines:
        lines.seek(begin)
        kinds = Counter(found.group(1).upper() for line in lines if (found := _STATEMENT.search(line)))
    return {"per_answer": round(kinds.total() / expected, 1), **{kind: round(n / expected, 2) for kind, n in kinds.most_common(8)}}


def measure(
    size: Size, *, replicas: Sequence[int] = REPLICAS, window_seconds: float = WINDOW_SECONDS, counted: int = 30
) -> dict[str, object]:
    """All figures."""
    with scratch() as folder, postgres_server() as server:
        rates = {number: work_together(folder, server, size, number, window_seconds) for number in replicas}
        few = Size(targets=counted, days=0, questions=size.questions, concurrency=size.concurrency)
        statements = count_statements(folder, server, few)
    alone = rates[replicas[0]]["requests_per_second"] or 1.0
    return {
        "targets": size.targets,
        "limit_per_replica": round(size.concurrency / LATENCY_SECONDS),
        **{f"replicas_{number}": rate for number, rate in rates.items()},
        **{f"ratio_{number}": round(rates[number]["requests_per_second"] / alone, 2) for number in replicas[1:]},
        "statements": statements,
    }


def _used(replicas: Sequence[Popen[bytes]]) -> float:
    return sum(cpu_seconds(process.pid) for process in replicas)


if __name__ == "__main__":
    tell("replicas", measure(Size(targets=1000, days=0, concurrency=32)))
