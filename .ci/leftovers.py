"""Say which processes carry a variable in their environment: a test that starts a program also ends it.

Arguments: the variable's name and its value. Exit code 1 where a process other than this one and its parent carries it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(name: str, value: str) -> int:
    """Print a line for each process."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) in (os.getpid(), os.getppid()):
            continue
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended, or is not ours to look at
            continue
        if f"{name}={value}".encode() in environment:
            sys.stdout.write(f"still running: {process.name} {command}\n")
            found = 1
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
