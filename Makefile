# Every target sets up what it needs: `make demo` and `make test` work on a fresh machine
# with Python 3.11 or newer, pip and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
COMPILED := $(VENV)/.compiled
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
NEURAL := .venv-neural
NEURAL_READY := $(NEURAL)/.neural-ready
DOCS := .venv-docs
DOCS_READY := $(DOCS)/.docs-ready

# Python compiles what is imported; pip would compile all that is installed, most of it tests.
PIP_INSTALL := pip install --quiet --disable-pip-version-check --no-compile
PIP := $(BIN)/$(PIP_INSTALL)

# Python keeps its bytecode: a test may start the program, which else is compiled every time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup setup-neural demo lint types test test-slow test-neural docs docs-serve pictures golden bench results results-neural stale release pins clean

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## Make .venv with the pinned versions of everything

# The program and what it needs itself: enough for `make demo`.
$(RUNS): pyproject.toml requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "treegauge needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/pip || $(MAKE) --no-print-directory $(VENV)-new
	$(PIP) -r requirements/run.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(READY): $(RUNS) requirements/dev.txt
	$(PIP) -r requirements/dev.txt
	@touch $@

# Some systems ship Python without venv or ensurepip.
$(VENV)-new:
	$(PYTHON) -m venv --clear $(VENV) 2>/dev/null || \
	    { $(PYTHON) -m pip install --quiet --user virtualenv || \
	      $(PYTHON) -m pip install --quiet --user --break-system-packages virtualenv; \
	      $(PYTHON) -m virtualenv --clear $(VENV); }

# On all cores; otherwise the tour would compile as it goes, on one.
$(COMPILED): $(RUNS)
	$(BIN)/treegauge warm-up demo
	@touch $@

demo: $(COMPILED) ## Take the tour
	@$(BIN)/treegauge demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

test: lint types ## Lint, types and tests
	$(BIN)/pytest -n auto --durations=20

# Threads of two tests at once would wait for each other.
NEURAL_PYTEST := TREEGAUGE_THREADS=1 OMP_WAIT_POLICY=passive $(NEURAL)/bin/pytest -n auto

test-slow: setup setup-neural ## The tests that take long
	$(BIN)/pytest -m "slow and not neural" -n auto
	$(NEURAL_PYTEST) -m "slow and neural"

setup-neural: $(NEURAL_READY)

test-neural: setup-neural ## The tests that need PyTorch, in an environment of their own
	$(NEURAL_PYTEST) -m "neural and not slow" --durations=10

# A build for CPUs has 200 MB, a plain one brings gigabytes for GPUs.
$(NEURAL_READY): pyproject.toml requirements/run.txt requirements/dev.txt requirements/neural.txt
	@test -x $(NEURAL)/bin/pip || $(MAKE) --no-print-directory VENV=$(NEURAL) $(NEURAL)-new
	$(NEURAL)/bin/$(PIP_INSTALL) "$$(grep '^torch==' requirements/neural.txt)+cpu" || \
	    $(NEURAL)/bin/$(PIP_INSTALL) "$$(grep '^torch==' requirements/neural.txt)"
	$(NEURAL)/bin/$(PIP_INSTALL) -r requirements/neural.txt -r requirements/dev.txt
	$(NEURAL)/bin/$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# An environment of its own: a tester needs no site, and a writer no test.
$(DOCS_READY): pyproject.toml requirements/run.txt requirements/docs.txt
	@test -x $(DOCS)/bin/pip || $(MAKE) --no-print-directory VENV=$(DOCS) $(DOCS)-new
	$(DOCS)/bin/$(PIP_INSTALL) -r requirements/run.txt -r requirements/docs.txt
	$(DOCS)/bin/$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# Not part of `make test`: a first build runs five notebooks and compiles what they use, most of a minute of
# computing, and needs an environment that nothing else needs.
# The theme advertises its successor on every build; docs/architecture.md says where we stand.
docs docs-serve: export NO_MKDOCS_2_WARNING := 1
# Not with --quiet: warnings would not be counted, and so fail nothing.
docs: $(DOCS_READY) ## Build the site into build/site; a broken link or a missing image fails
	$(DOCS)/bin/python -m mkdocs build
	$(DOCS)/bin/python -m website.check build/site

docs-serve: $(DOCS_READY) ## Show the site, and show it anew when a page changes
	$(DOCS)/bin/python -m mkdocs serve

pictures: setup ## Make the pictures of README and guides anew; needs chromium
	$(BIN)/python -m website.pictures

golden: setup ## Rewrite the golden files of every verb and show what changed
	$(BIN)/python -m tests.golden.regenerate

$(BENCH_READY): $(READY) requirements/bench.txt
	$(PIP) -r requirements/bench.txt
	@touch $@

bench: $(BENCH_READY) setup-neural ## Measure against peers and record docs/benchmarks.md
	$(BIN)/python -m benchmarks

results: export TREEGAUGE_DATA := $(or $(TREEGAUGE_DATA),../shared/treebanks)
results: export PATH := $(CURDIR)/$(BIN):$(PATH)
results: TAG_MAP ?= ../shared/tagsets/en-ptb.map
results: setup runs/en_wsj_whole.conllx ## Run all experiments behind the pages (a day) and write their numbers
	python -m studies.penn_sample $(TAG_MAP)
	python -m studies.cause_treebanks $(dir $(TAG_MAP))
	python -m studies.stale
	for name in dependency-induction weighted-inducers weighted-inducers-dev dmv-length-dev tu-2012 fine-tags-dev fine-classes tree-substitution challenge-chains reducibility penn bare-text bare-text-dev em-curves em-curves-wsj parsers small-parsers-dev taggers parser-ensemble nonprojective-parsers tag-induction tag-induction-wsj sparsity-penn sparsity-wsj sparsity-ud pagerank-causes tu-causes tu-strength tu-strength-whole more-text; do \
	    treegauge run studies/$$name.toml && python -m studies.measured $$name || exit 1; \
	done
	python -m studies.reproduced word-order word-order14 perplexity tagger-evaluation
	python -m studies.parallel_texts
	python -m studies.word_order_texts --measure
	python -m studies.german_word_order --measure
	python -m studies.learning_curves
	python -m studies.accuracy_models
	python -m studies.small_taggers --measure
	python -m studies.extrinsic_trees --measure
	python -m studies.head_styles
	python -m studies.head_rules --measure
	python -m studies.expected_accuracy
	python -m studies.interval_coverage --measure
	python -m studies.challenge --measure
	python -m studies.reproduced pascal-extrinsic pascal-scaling pascal-scaling-treebanks
	python -m studies.pages
	python -m studies.results_page
	$(MAKE) --no-print-directory results-neural

# Both parts of the sample of the Wall Street Journal in one file.
runs/en_wsj_whole.conllx:
	mkdir -p runs
	for part in train test; do \
	    xz -dc $$TREEGAUGE_DATA/en_wsj_sample/$$part.conllx.xz || exit 1; \
	done > $@.new
	mv $@.new $@

# Systems on PyTorch, in their own environment.
results-neural: export TREEGAUGE_DATA := $(or $(TREEGAUGE_DATA),../shared/treebanks)
results-neural: export PATH := $(CURDIR)/$(NEURAL)/bin:$(PATH)
results-neural: setup-neural runs/en_wsj_whole.conllx ## Those with neural systems alone (hours)
	for name in neural-parsers neural-parsers-gpu neural-epochs-dev neural-dmv neural-dmv-wsj mmi-wsj mmi-ewt; do \
	    treegauge run studies/$$name.toml && python -m studies.measured $$name || exit 1; \
	done
	python -m studies.reproduced word-order-neural neural-original ned-wsj tagger-evaluation-paper
	python -m studies.generalised_gold --measure
	python -m studies.long_dependencies
	python -m studies.pages

stale: export TREEGAUGE_DATA := $(or $(TREEGAUGE_DATA),../shared/treebanks)
stale: setup ## List the studies and reproductions that have to be measured again
	$(BIN)/python -m studies.stale

release: ## Make a release: make release VERSION=x.y.z
	@test -n "$(VERSION)" || { echo "which version? make release VERSION=x.y.z" >&2; exit 2; }
	@$(MAKE) --no-print-directory setup
	$(BIN)/python -m releasing $(VERSION)

pins: ## Pin the newest versions that fit
	rm -rf $(VENV)-pins && $(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/pip install --quiet hatchling .
	$(VENV)-pins/bin/pip freeze --exclude treegauge > requirements/run.txt
	$(VENV)-pins/bin/pip install --quiet -r requirements/dev.in
	$(VENV)-pins/bin/pip freeze --exclude treegauge > requirements/dev.txt
	rm -rf $(VENV)-pins && $(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/pip install --quiet -r requirements/run.txt -r requirements/docs.in
	$(VENV)-pins/bin/pip freeze > requirements/docs.txt
	rm -rf $(VENV)-pins

clean: ## Remove everything that was made
	rm -rf $(VENV) $(VENV)-pins $(NEURAL) $(DOCS) build .bench .hypothesis .mypy_cache .pytest_cache .ruff_cache dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
