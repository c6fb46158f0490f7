# make help says what there is. Everything lands in .venv; no system package is needed but Python 3.11 or newer, with venv.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

PYTHON ?= $(shell for name in python3.11 python3 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && { echo "$$name"; break; }; done)
UV ?= uv
PYTEST_ARGS ?= -n auto --dist worksteal

PIP := .venv/bin/python -m pip --disable-pip-version-check
LOCK := $(UV) pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

.PHONY: help demo test lint format lock upgrade clean

help: ## show this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 12

demo: .venv/run.stamp ## a made-up provider and the exporter watching it: baseline, trouble, drift, within two minutes
	.venv/bin/model-drift-exporter demo

test: lint ## lint, then all tests that need nothing but Python (those that need a program are skipped where it is missing)
	.venv/bin/python -m pytest $(PYTEST_ARGS)

lint: .venv/dev.stamp ## style, types, and who may import whom
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports
	.venv/bin/mypy

format: .venv/dev.stamp ## rewrite the code in the one style there is
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

lock: ## resolve the locks anew after a change of pyproject.toml, keeping the versions that still fit (needs uv)
	$(LOCK) pyproject.toml --extra postgres --output-file requirements.lock
	$(LOCK) --group build --constraints requirements.lock --output-file requirements-build.lock
	$(LOCK) --group tools --output-file requirements-tools.lock
	$(LOCK) pyproject.toml --extra dev --constraints requirements.lock --constraints requirements-build.lock --output-file requirements-dev.lock

upgrade: ## the same with the newest versions
	rm -f requirements.lock requirements-build.lock requirements-dev.lock requirements-tools.lock
	$(MAKE) lock

clean: ## remove what was built or cached; data/ and downloaded models stay
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and not on PATH; install it, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' || { echo "this Python has no venv; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	"$(PYTHON)" -m venv --clear .venv

.venv/run.stamp: requirements.lock requirements-build.lock pyproject.toml | .venv/bin/python
	$(PIP) install --quiet --require-hashes -r requirements.lock -r requirements-build.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	touch $@

.venv/dev.stamp: requirements-dev.lock pyproject.toml | .venv/bin/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	touch $@ .venv/run.stamp
