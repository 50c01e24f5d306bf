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

# Training: where pictures and checkpoints go, how many of them, how long.
DATA ?= data
SCENES ?= 13000
RENDERS ?= 3000
HELDOUT ?= 300
CROSSINGS_STEPS ?= 3600
SQUARES_STEPS ?= 9500
PIECES_STEPS ?= 12000
PHOTOS ?= $(wildcard $(or $(DAMCAM_SHARED),../shared))
RENDER_VENV ?= .venv-render
ORACLES_VENV ?= .venv-oracles

.PHONY: help demo test bench bench-follow bench-rules bench-devices torture renders train languages wheel clean

help: ## Say what can be made
	@sed -nE 's/^([a-z-]+):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: $(READY) ## Film, follow and record a simulated game (ARGS=--incidents: with broken rules)
	$(BIN)/damcam demo $(ARGS)

test: $(READY) ## Check the form, the types and the behaviour (ARGS: for pytest)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(ARGS)

bench: $(READY) $(ORACLES_VENV)/.ready ## Measure every stage and path; writes docs/performance.md
	$(BIN)/python -m tests.performance_bench --oracles $(ORACLES_VENV)/bin/python $(ARGS)

bench-follow: $(READY) ## Measure how many games are followed without a fault
	$(BIN)/python -m tests.vision.follower_bench $(ARGS)

bench-devices: $(READY) ## Measure clocks and lights (ARGS: drift noise crash lamps replug idle)
	@.ci/system-packages $(PYTHON) firmware
	$(BIN)/python -m tests.device.devices_bench $(ARGS)

bench-rules: $(ORACLES_VENV)/.ready ## Measure legal moves and perft beside dame-rs and py-draughts
	$(ORACLES_VENV)/bin/python -m tests.rules.rules_bench $(ARGS)

torture: $(READY) ## Kill, fill, unplug and feed noise for hours; writes docs/torture.md (ARGS: kills disk plugs soak film inputs)
	$(BIN)/python -m tests.torture $(ARGS)

renders: $(RENDER_VENV)/.ready ## Render the photoreal scenes that `train` uses where they are (days; Blender)
	$(RENDER_VENV)/bin/python -m models.scenes.blender --out $(DATA)/renders/train \
	    --count $(RENDERS) --split train
	$(RENDER_VENV)/bin/python -m models.scenes.blender --out $(DATA)/renders/board \
	    --first 1000000 --count $(RENDERS) --split train --only-board
	$(RENDER_VENV)/bin/python -m models.scenes.blender --out $(DATA)/renders/heldout \
	    --count $(HELDOUT) --split heldout

train: $(READY) ## Draw scenes, train the networks and write them under models/ (hours; torch)
	$(INSTALL) --editable '.[train]'
	$(BIN)/python -m models.scenes --out $(DATA)/raster/train --count $(SCENES)
	$(BIN)/python -m models.scenes --out $(DATA)/raster/heldout --count $(HELDOUT) --split heldout
	$(BIN)/python -m models.crossings.train --steps $(CROSSINGS_STEPS) $(PICTURES) \
	    --renders $(wildcard $(DATA)/renders/train)
	$(BIN)/python -m models.squares.train --steps $(SQUARES_STEPS) $(PICTURES) \
	    --renders $(wildcard $(DATA)/renders/train $(DATA)/renders/board) \
	    --test $(DATA)/raster/heldout $(wildcard $(DATA)/renders/heldout)
	$(BIN)/python -m models.pieces.train --steps $(PIECES_STEPS) $(PICTURES) \
	    --renders $(wildcard $(DATA)/renders/train $(DATA)/renders/board) \
	    --test $(DATA)/raster/heldout $(wildcard $(DATA)/renders/heldout)
	$(BIN)/python -m models.train_export crossings $(DATA)/train/crossings.pt
	$(BIN)/python -m models.train_export pieces $(DATA)/train/pieces.pt
	$(BIN)/python -m models.train_export squares $(DATA)/train/squares.pt
	$(BIN)/python -m models.train_quantise squares --views $(DATA)/raster/train \
	    $(wildcard $(DATA)/renders/board)
	$(BIN)/python -m models.train_quantise pieces --views $(DATA)/raster/train \
	    $(wildcard $(DATA)/renders/board)

PICTURES = --out $(DATA)/train --scenes $(DATA)/raster/train $(addprefix --shared ,$(PHOTOS))

languages: $(READY) ## Bring the catalogues of the page's languages up to date and compile them
	$(BIN)/python -m tests.damcam.languages

wheel: $(READY) ## Build dist/damcam-*.whl
	rm -rf dist
	$(PIP) wheel --quiet --no-deps --build-constraint constraints.txt --wheel-dir dist .

clean: ## Remove what was built, but not .venv
	rm -rf dist build .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@.ci/system-packages $(PYTHON) opencv
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("damcam needs Python 3.11")'
	@echo "Setting up $(VENV)"
	@$(PIP) --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) pip
	@$(INSTALL) --build-constraint constraints.txt --editable '.[hall]' --group dev
	@touch $@

$(RENDER_VENV)/.ready: pyproject.toml
	@.ci/system-packages $(PYTHON) blender
	@echo "Setting up $(RENDER_VENV)"
	@$(PYTHON) -m venv $(RENDER_VENV)
	@$(RENDER_VENV)/bin/python -m pip install --quiet --upgrade pip
	@$(RENDER_VENV)/bin/python -m pip install --quiet --group render
	@touch $@

$(ORACLES_VENV)/.ready: pyproject.toml
	@echo "Setting up $(ORACLES_VENV)"
	@$(PYTHON) -m venv $(ORACLES_VENV)
	@$(ORACLES_VENV)/bin/python -m pip install --quiet --upgrade pip
	@$(ORACLES_VENV)/bin/python -m pip install --quiet --group oracles
	@touch $@
