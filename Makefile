# On a bare Debian 12 with Python 3.11, `make demo` and `make test` do everything: the first of
# them creates .venv with the versions of constraints.txt, later calls start at once.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= $(or $(shell command -v python3.11),$(shell command -v python3),python3.11)
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt
ARGS ?=

.PHONY: help demo test bench bench-follow train wheel clean

help: ## Say what can be made
	@sed -nE 's/^([a-z-]+):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: $(READY) ## Film, follow and record a simulated game (ARGS=--incidents: with broken rules)
	$(BIN)/damcam demo $(ARGS)

test: $(READY) ## Check the form, the types and the behaviour (ARGS: for pytest)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ARGS)

bench: $(READY) ## Measure the speed of every stage
	$(BIN)/damcam bench $(ARGS)

bench-follow: $(READY) ## Measure how many games are followed without a fault
	$(BIN)/damcam bench --follow $(ARGS)

train: $(READY) ## Make the models again from nothing (hours; installs torch)
	$(INSTALL) --editable '.[train]'
	$(BIN)/python -m models.train $(ARGS)

wheel: $(READY) ## Build dist/damcam-*.whl
	rm -rf dist
	$(PIP) wheel --quiet --no-deps --build-constraint constraints.txt --wheel-dir dist .

clean: ## Remove what was built, but not .venv
	rm -rf dist build .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@.ci/system-packages $(PYTHON)
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("damcam needs Python 3.11")'
	@echo "Setting up $(VENV)"
	@$(PIP) --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) pip
	@$(INSTALL) --build-constraint constraints.txt --editable . --group dev
	@touch $@
