# Works with GNU make 3.81 and later. Every path is relative, so that the checkout may lie under any name.
# `make demo` and `make test` do all set-up themselves; they need python3 (3.11 or later) with venv, and a network once.

PYTHON ?= python3
python = .venv/bin/python
import_rules = $(python) -c "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_logo=True))"
pip_install = $(python) -m pip install --quiet --disable-pip-version-check

# Prints nothing if the interpreter will do, else what is wrong with it. Any Python back to version 2 can run it.
complaint = $(shell "$(PYTHON)" -c "import sys; v = sys.version_info[:2]; \
              sys.stdout.write('' if v >= (3, 11) else '$(PYTHON) is Python %d.%d' % v)" 2>/dev/null || echo "$(PYTHON) was not found")
advice = benchkit needs Python 3.11 or later; choose one with: PYTHON=python3.12 make $(MAKECMDGOALS)

# $(call check,NAME,COMMAND): run one check; if it fails, say which.
define check
@echo "== $(1)"
@$(2) || { echo "make $@ stopped: $(1) failed" >&2; exit 1; }
endef

.PHONY: help demo test fmt lint types docs bench peers validity lock clean

help: ## list the targets
	@echo "make TARGET, where TARGET is"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

demo: .venv/.installed ## analyse the motorcycle data and run a short experiment; all goes to demo/
	@$(python) sample_data/demo.py

test: .venv/.installed ## run every check: lint, format, types, import rules, tests
	$(call check,ruff check,$(python) -m ruff check .)
	$(call check,ruff format,$(python) -m ruff format --check .)
	$(call check,mypy,$(python) -m mypy)
	$(call check,import rules,$(import_rules))
	$(call check,pytest,$(python) -m pytest -n 2)

fmt: .venv/.installed ## format the code and mend what ruff can mend
	@$(python) -m ruff check --fix .
	@$(python) -m ruff format .

lint: .venv/.installed ## check style and import rules
	$(call check,ruff check,$(python) -m ruff check .)
	$(call check,ruff format,$(python) -m ruff format --check .)
	$(call check,import rules,$(import_rules))

types: .venv/.installed ## check types
	$(call check,mypy,$(python) -m mypy)

docs: .venv/.installed ## write the generated pages again, and the output shown in README and guide
	@$(python) docs/draw.py
	@$(python) docs/generate.py
	@$(python) tests/docs/rewrite.py README.md docs/guide.md

bench: .venv/.installed ## measure the speed (some minutes); writes docs/benchmarks.md
	@$(MAKE) --no-print-directory peers 2>/dev/null || \
	  echo "make bench: the peers cannot be installed (they need a network), so their columns stay empty" >&2
	@$(python) -m benchmarks.speed

peers: .venv-peers/.installed ## install the packages that make bench compares with, in .venv-peers

validity: .venv/.installed ## simulate error rates and coverage (long); writes docs/validity.md
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(python) -m benchmarks.validity

lock: ## bring requirements.lock in line with pyproject.toml (needs uv on the PATH)
	@command -v uv >/dev/null || { echo "make lock needs uv on the PATH" >&2; exit 1; }
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --all-extras --quiet --output-file requirements.lock pyproject.toml

clean: ## remove everything that was made: .venv, demo, caches
	rm -rf .venv .venv-peers demo dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps lie inside .venv and are written last, so that an interrupted set-up starts again. --clear, because a
# package whose unpacking was interrupted would pass for an installed one.
.venv/.locked: requirements.lock
	$(if $(complaint),$(error $(complaint); $(advice)))
	@echo "setting up .venv (once; about a minute)"
	@"$(PYTHON)" -m venv --clear .venv
	@$(pip_install) --require-hashes -r requirements.lock
	@touch $@

.venv/.installed: .venv/.locked pyproject.toml
	@$(pip_install) --no-deps --no-build-isolation -e .
	@touch $@

# a folder that holds an unfinished set-up would pass for the peers: no stamp, no folder
.venv-peers/.installed: benchmarks/peers.txt
	$(if $(complaint),$(error $(complaint); $(advice)))
	@echo "setting up .venv-peers (once; about a minute)"
	@"$(PYTHON)" -m venv --clear .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/peers.txt || \
	  { rm -rf .venv-peers; exit 1; }
	@touch $@
