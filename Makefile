# Everything a newcomer needs: `make book` and `make test`. Both share one .venv, made once.
.DEFAULT_GOAL := help
.PHONY: help setup book lab release test test-book test-lowest test-ecosystem lint bench audit serve clean lock

PYTHON ?= python3
VENV   := .venv
LOWEST := .venv-lowest
AUDIT  := .venv-audit
OTHERS := .venv-ecosystem
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
LAB    := $(VENV)/.lab
JOBS   ?= 2
PORT   ?= 8000
unexport PYTHONDONTWRITEBYTECODE  # many processes start here: what one has compiled, the next need not

help:  ## show this help
	@echo "cvstrat: how should a data set be cut into folds?"
	@echo
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24
	@echo
	@echo "Options: JOBS=$(JOBS) (notebooks and tests at a time), PORT=$(PORT), PYTHON=$(PYTHON), LABFLAGS= (such as --no-browser, or --allow-root in a container)"

setup: $(READY)  ## make .venv with the locked packages (the other targets do this by themselves)

# uv installs in seconds and compiles bytecode on the way; pip is there when uv is not. Both come with the hashes of the lock.
$(READY): requirements.lock pyproject.toml src/compendium/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "cvstrat needs Python 3.11 or newer; choose one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up $(VENV) (once; half a minute with uv, two to three with pip) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > $(VENV)/uv.lock
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.lock \
	  || echo "uv cannot be had here: pip does the work"
	@if test -x $(BIN)/uv; then \
	  VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip sync --quiet --compile-bytecode --require-hashes requirements.lock && \
	  VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable . --editable src/compendium ; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . --editable src/compendium ; \
	fi
	@touch $@

book: $(READY)  ## execute what changed, render the book, say where it is
	@$(BIN)/compendium book --jobs $(JOBS)

# JupyterLab comes on top of the locked packages, from a lock of its own that agrees with them.
$(LAB): requirements-lab.lock $(READY)
	@if test -x $(BIN)/uv; then \
	  VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements-lab.lock ; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-lab.lock ; \
	fi
	@touch $@

lab: $(LAB)  ## open JupyterLab on the notebooks
	@$(BIN)/jupyter lab --notebook-dir notebooks $(LABFLAGS)

release: $(READY)  ## build dist/: packages, book, PDF, notebooks, results, checksums (needs Chromium)
	@$(BIN)/compendium release --output dist --jobs $(JOBS)

PYTEST = $(BIN)/python -m pytest --numprocesses $$(($(JOBS) + 1)) --dist worksteal  # one waits for a process or a browser

test: $(READY)  ## run the tests of both packages
	@$(PYTEST) --ignore tests/book

test-book: book  ## run chapters on other data, and look at the built pages in a browser (needs Chromium)
	@$(PYTEST) tests/book

test-lowest: $(READY)  ## run the library's tests with the oldest versions it says it takes
	@test -x $(BIN)/uv || { echo "this needs uv, which cannot be had here"; exit 1; }
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	@VIRTUAL_ENV=$(abspath $(LOWEST)) $(BIN)/uv pip install --quiet --resolution lowest-direct --compile-bytecode .
	@VIRTUAL_ENV=$(abspath $(LOWEST)) $(BIN)/uv pip install --quiet --resolution highest --compile-bytecode \
	  'hypothesis>=6.170' 'pytest>=8.3,<9' 'pytest-xdist>=3.6'  # old checks of scikit-learn warn in pytest 9
	@$(LOWEST)/bin/python -m pytest --numprocesses $(JOBS) --dist worksteal tests/cvstrat

test-ecosystem: $(READY)  ## run the splitters inside skore, mlxtend, Optuna, imbalanced-learn, polars
	@test -x $(BIN)/uv || { echo "this needs uv, which cannot be had here"; exit 1; }
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(OTHERS)
	@VIRTUAL_ENV=$(abspath $(OTHERS)) $(BIN)/uv pip install --quiet --resolution highest --compile-bytecode . \
	  'hypothesis>=6.100' 'pytest>=8.3' imbalanced-learn mlxtend optuna optuna-integration polars skore
	@$(OTHERS)/bin/python -m pytest tests/cvstrat/test_ecosystem.py

lint: $(READY)  ## style, types, paired notebooks
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/compendium pair --check

bench: $(READY)  ## speed, as ratios measured in one run
	@$(BIN)/python -m benchmarks

audit: $(READY)  ## ask the database of advisories whether a locked package has a known hole (needs the network)
	@test -x $(BIN)/uv || { echo "this needs uv, which cannot be had here"; exit 1; }
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(AUDIT)
	@VIRTUAL_ENV=$(abspath $(AUDIT)) $(BIN)/uv pip sync --quiet --require-hashes requirements-audit.lock
	@for lock in requirements.lock requirements-audit.lock requirements-lab.lock; do \
	  $(AUDIT)/bin/pip-audit --requirement $$lock --require-hashes --disable-pip || exit 1; done

serve: book  ## build, then serve the book on 127.0.0.1
	@echo "http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

clean:  ## remove what the commands made, but for .venv
	rm -rf _build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-header --no-annotate \
	  --generate-hashes --no-emit-index-url

lock: $(READY)  ## resolve the packages anew into requirements.lock, and those of the audit and of JupyterLab
	$(COMPILE) --no-emit-package cvstrat --extra dev src/compendium/pyproject.toml -o requirements.lock
	echo pip-audit | $(COMPILE) - -o requirements-audit.lock
	$(COMPILE) --no-emit-package cvstrat --no-emit-package cvstrat-compendium --constraint requirements.lock --extra lab \
	  src/compendium/pyproject.toml -o requirements-lab.lock
