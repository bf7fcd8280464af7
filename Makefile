# SPDX-License-Identifier: Apache-2.0 OR MIT
# The front door. `make` builds the C library (build/) and the Python package with the command line
# (.venv/bin/runnel); `make demo` shows the main job on real input; `make test` proves it all. Each sets up what it
# needs first.
PYTHON := /usr/bin/python3
PIP_TOOLS := 7.6.2
VENV := .venv
BUILD := build
SOURCES := $(shell find src include python bench cmake -type f -not -name '*.pyc' 2>/dev/null) \
           CMakeLists.txt pyproject.toml VERSION

PACKAGE := $(VENV)/.package
# The command `runnel lab`, read from the tree.
LAB := $(VENV)/.lab
# What the measuring engine opens libraries in C++ with, where their headers are: in build/, never in the wheel.
SHIMS := $(BUILD)/bench/runnel-speed-cryptopp.so $(BUILD)/bench/runnel-speed-botan.so

.PHONY: all configured library shims tables format requirements demo test bench lab install clean packages
.DEFAULT_GOAL := all

all: library $(PACKAGE) $(LAB) shims

packages:
	@tools/install-packages build

configured: packages
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja -DRUNNEL_HISTORIC=ON -DRUNNEL_PAPERS=ON >/dev/null

library: configured
	@cmake --build $(BUILD) --target runnel_static runnel_shared

$(VENV)/.made: requirements/build.txt requirements/runtime.txt | packages
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/pip install -q --disable-pip-version-check --require-hashes \
	    -r requirements/build.txt -r requirements/runtime.txt
	@touch $@

$(PACKAGE): $(SOURCES) $(VENV)/.made | packages
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
	    --config-settings=cmake.define.RUNNEL_PAPERS=ON .
	@touch $@

$(LAB): lab/pyproject.toml $(VENV)/.made
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e lab
	@touch $@

# Configured anew while one is missing: its library may have come since.
shims: configured $(VENV)/.made
	@for shim in $(SHIMS); do test -f $$shim || { cmake $(BUILD) >/dev/null && break; }; done
	@cmake --build $(BUILD) --target speed_shims >/dev/null
	@mkdir -p $(VENV)/lib && ln -sfn $(abspath $(BUILD))/bench $(VENV)/lib/runnel

$(VENV)/.test: requirements/test.txt $(VENV)/.made
	@$(VENV)/bin/pip install -q --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

# Pins of everything that pip installs, with the hashes of all files of each release, from the .in files; versions that are
# there already stay. --upgrade, or --upgrade-package NAME, in UPGRADE takes newer ones.
requirements: packages
	@$(PYTHON) -m venv $(BUILD)/pip-tools
	@$(BUILD)/pip-tools/bin/pip install -q --disable-pip-version-check pip-tools==$(PIP_TOOLS)
	@for each in build runtime test; do \
	    (cd requirements && ../$(BUILD)/pip-tools/bin/pip-compile -q --generate-hashes --strip-extras --no-header \
	        --annotation-style=line --no-emit-index-url --no-emit-trusted-host --no-emit-find-links $(UPGRADE) $$each.in) && \
	    sed -i '1i # SPDX-License-Identifier: Apache-2.0 OR MIT\n# Made of '$$each'.in by `make requirements`; `make` installs these files and no others.' \
	        requirements/$$each.txt || exit 1; \
	done

# Lays out C and Python as .clang-format and pyproject.toml say.
format: $(VENV)/.test
	@tools/install-packages test
	@git ls-files -z '*.c' '*.h' '*.cc' '*.cpp' | xargs -0 clang-format-19 -i
	@$(VENV)/bin/ruff check -q --fix && $(VENV)/bin/ruff format -q

# Tables of results/, lab/results/ and the ciphers in all documents, and the chart of README.md.
tables: all $(VENV)/.test
	@$(VENV)/bin/python tools/documents.py --write

# The package alone, which has the library in it: what else `make` builds, the demo does not show.
demo:
	@tools/quietly "Packages of the system" tools/install-packages build demo
	@tools/quietly "A Python environment with Google's Tink" $(MAKE) $(VENV)/.test
	@tools/quietly "Runnel" $(MAKE) $(PACKAGE)
	@tools/quietly "What opens libraries in C++, to measure them" $(MAKE) shims
	@$(VENV)/bin/python tools/demo.py

test:
	@tools/install-packages build demo test lab
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@RUNNEL_BUILD_DIR=$(CURDIR)/$(BUILD) $(VENV)/bin/python -m pytest -q -rs -n 2 --dist worksteal tests

# All figures of results/, and the documents' tables of them; needs a quiet machine and about six minutes.
bench:
	@tools/install-packages build demo
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@$(VENV)/bin/python bench/targets.py
	@$(VENV)/bin/python bench/batch.py --write
	@$(VENV)/bin/python bench/python_calls.py --write
	@$(VENV)/bin/python bench/encrypt_file.py --disk . --write
	@$(VENV)/bin/python tools/documents.py --write

# All results in lab/results/, on simulated processors and on this one, with all published vectors through every kernel,
# the documents' tables of them, and the example firmware; needs half an hour, and a quiet machine for the host's
# figures.
lab:
	@tools/install-packages build demo lab
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@RUNNEL_SOURCE=$(CURDIR) $(VENV)/bin/runnel lab verify
	@RUNNEL_SOURCE=$(CURDIR) $(VENV)/bin/runnel lab run --record
	@$(VENV)/bin/python tools/documents.py --write
	@for each in examples/firmware/*/Makefile; do \
	    echo "$$(dirname $$each):" && $(MAKE) --no-print-directory -s -C $$(dirname $$each) || exit 1; \
	done

# make install PREFIX=/usr/local: headers, static and shared library, pkg-config and CMake files, from what `make library`
# compiled; HISTORIC=ON for the broken and withdrawn ciphers too. The loader of a running system is told of the library
# where it looks for it, in its own folders and as root; otherwise what is left to do is said.
PREFIX ?= /usr/local
HISTORIC ?= OFF
EDITION = $(if $(filter ON,$(HISTORIC)),historic,plain)
install: library
	@cmake --build $(BUILD) --target runnel_$(EDITION)
	@cmake --install $(BUILD) --prefix $(PREFIX) --component $(EDITION)
	@tools/after-install $(PREFIX)

clean:
	@rm -rf $(BUILD) $(VENV) demo-files
