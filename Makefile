# make run serves the page, make test runs every test; both set up .venv first, once.
PYTHONS = python3 python3.13 python3.12 python3.11
BIN = .venv/bin

.PHONY: run test test-live lint docs demo clean
.DELETE_ON_ERROR:

run: .venv/.installed
	@exec $(BIN)/python -m app

test: .venv/.installed-dev
	@exec $(BIN)/pytest

test-live: .venv/.installed-dev
	@exec $(BIN)/pytest -m live -s

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

demo: .venv/.installed-dev
	$(BIN)/python -m tests.demo

docs: .venv/.installed-dev
	$(BIN)/python -m tests.pages

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find app memory_tiers tools tests -name __pycache__ -type d -exec rm -rf {} +

.venv/.installed: pyproject.toml $(BIN)/python
	$(BIN)/python -m pip install -e .
	@touch $@

# The tests' packages come on top of the program's, so both marks are set.
.venv/.installed-dev: pyproject.toml $(BIN)/python
	$(BIN)/python -m pip install -e '.[dev]'
	@touch .venv/.installed $@

# The first Python that is new enough and can make environments; an old or broken one is passed by.
$(BIN)/python:
	@for python in $(PYTHONS); do \
	  if "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	  then echo "Making .venv with $$python"; exec "$$python" -m venv --clear .venv; fi; \
	done; \
	echo "There is no Python 3.11 or newer with its venv module;" \
	  "install one (Debian: apt install python3 python3-venv) and repeat." >&2; exit 1
