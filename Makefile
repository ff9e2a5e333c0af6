# Everything that a newcomer needs: `make run`, `make test`. Both start from nothing but python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Where bytecode is forbidden, each of the many processes that tests start would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run setup quick test test-full check format bench clean

help:               ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(READY)       ## set up, then the studio: play, analyse and see the search, in a browser
	@$(BIN)/plyforge studio

setup: $(READY)     ## create .venv and install Plyforge into it

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Plyforge needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version`. Try: make PYTHON=python3.12 run"; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(READY)

quick: $(READY)     ## two minutes: tests that were short when `make test` last ran here, new ones; at first, the shortest files
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --quick

test: $(READY)      ## the tests; with nothing compiled yet, some 13 minutes on two cores
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile

# What is the same however the rules run: pages, commands, documents.
ONCE := --ignore=tests/studio --ignore=tests/docs

test-full: $(READY) ## all tests: also the long ones, all interpreted, and compiled code with bounds checks
	PLYFORGE_TEST_FULL=1 $(BIN)/python -m pytest -q -n 2 --dist loadfile
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 --dist loadfile $(ONCE)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n 2 --dist loadfile $(ONCE)

check: $(READY)     ## format, lint, types, layers; the studio's page, where node is there
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python tests/support/check_page.py

format: $(READY)    ## let the formatter and the linter mend what they can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# Not here, since they take hours: benchmarks/natural_strength.py, chess_suite.py, ladder.py (docs/guides/measure-strength.md).
bench: $(READY)     ## speed, as ratios in one run; installs the libraries to compare with
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]" || \
	  echo "the libraries to compare with can't be installed here: their rows are left out"
	@$(BIN)/plyforge bench
	@$(BIN)/python benchmarks/alpha_beta.py
	@$(BIN)/python benchmarks/backgammon.py
	@$(BIN)/python benchmarks/calls.py
	@$(BIN)/python benchmarks/checkers.py
	@$(BIN)/python benchmarks/chess_perft.py
	@$(BIN)/python benchmarks/chess_search.py
	@$(BIN)/python benchmarks/endings.py
	@$(BIN)/python benchmarks/engine.py
	@$(BIN)/python benchmarks/go.py
	@$(BIN)/python benchmarks/hidden.py
	@$(BIN)/python benchmarks/interpreted.py
	@$(BIN)/python benchmarks/latency.py
	@$(BIN)/python benchmarks/learning.py
	@$(BIN)/python benchmarks/monte_carlo.py
	@$(BIN)/python benchmarks/natural_boards.py
	@$(BIN)/python benchmarks/othello.py
	@$(BIN)/python benchmarks/pacman.py
	@$(BIN)/python benchmarks/slider.py
	@$(BIN)/python benchmarks/solve_connect4.py
	@$(BIN)/python benchmarks/start_up.py
	@$(BIN)/python benchmarks/studio.py

clean:              ## remove what `make` made
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
