"""Serve a GGUF model on loopback through llama.cpp's own OpenAI-compatible server, until the process is ended.

Runs in the environment that fetch.py makes. `/health` answers 200 once the model is loaded.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

import xllamacpp

SLOTS = 4
"""Requests answered at the same time."""
CONTEXT_TOKENS = 8192
"""Shared by the slots."""
THREADS = 1
"""Two that wait for each other on a busy machine are ten times slower than one."""


def main() -> None:
    """Start the server and wait to be ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--port", type=int, default=0, help="default: a free one; the address is the first line of the output")
    parser.add_argument("--name", required=True, help="the model name it answers to and with")
    arguments = parser.parse_args()
    params = xllamacpp.CommonParams()
    params.model.path = str(arguments.model)
    params.model_alias = {arguments.name}
    params.hostnames = ["127.0.0.1"]
    params.port = arguments.port
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = SLOTS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
