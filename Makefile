# SPDX-License-Identifier: Apache-2.0 OR MIT
# The front door: `make help` lists the targets. Each sets up what it needs first.
PYTHON := /usr/bin/python3
VENV := .venv
BUILD := build
SOURCES := $(shell find src include python cmake -type f -not -name '*.pyc' 2>/dev/null) \
           CMakeLists.txt pyproject.toml VERSION

PACKAGE := $(VENV)/.package
# The packages on top of it, read from the tree: runnel-store, runnel-gpu, runnel-lab.
PRODUCTS := $(addprefix $(VENV)/.,store-product gpu-product lab-product)
# Requirements that pip installs, each file after those that it names; in packaging/, what one package is made with.
PINNED := $(addprefix requirements/,build runtime store demo test ray gpu fuzz site tools proofs) $(basename $(wildcard packaging/*/requirements.in))

# Requirements of the proofs from machine code.
PROVER := $(BUILD)/proofs/forms.abi3.so

.PHONY: all help proofs-frama-c proofs-machine configured library inventory provider srtp engine tables format requirements demo check test fresh campaign proofs test-ray bench bench-newest bench-store bench-store-ray lab lab-check install clean packages site test-site system-packages
.DEFAULT_GOAL := all

all: library inventory $(PACKAGE) $(PRODUCTS) engine ## the C library in build/, the Python packages and the command line in .venv/bin/runnel

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F '|' '{ printf "%-20s%s\n", $$1, $$2 }'
	@echo "  Options: make check CIPHER=rabbit KERNEL=avx2; make install PREFIX=/usr/local HISTORIC=ON PROVIDER=ON SRTP=ON."

system-packages:
	@tools/install-packages build

configured: system-packages
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja -DRUNNEL_HISTORIC=ON -DRUNNEL_PAPERS=ON -DRUNNEL_PRECOMPILE=ON >/dev/null

library: configured ## the C library alone
	@cmake --build $(BUILD) --target runnel_static runnel_shared

inventory: library ## build/inventory.json, the list of everything that exists: what lab, site and tests read
	@cmake --build $(BUILD) --target inventory

provider: configured ## the OpenSSL provider, build/provider/runnel.so
	@tools/install-packages provider
	@cmake --build $(BUILD) --target runnel_provider

srtp: configured ## types for libsrtp, build/srtp/librunnel_srtp.so
	@tools/install-packages srtp
	@cmake --build $(BUILD) --target runnel_libsrtp

# Wherever pip is called it takes nothing without a hash: to build a source distribution it would fetch tools without one, so
# only wheels are taken, and what lies here is built with what has been installed.
$(VENV)/.made: requirements/build.txt requirements/runtime.txt requirements/store.txt | system-packages
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/pip install -q --disable-pip-version-check --only-binary=:all: --require-hashes \
	    -r requirements/build.txt -r requirements/runtime.txt -r requirements/store.txt
	@touch $@

# The objects of `make library` are linked, not compiled again: the broken and withdrawn ciphers too, which no wheel has.
$(PACKAGE): $(SOURCES) $(VENV)/.made | library
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
	    --config-settings=cmake.define.RUNNEL_HISTORIC=ON --config-settings=cmake.define.RUNNEL_PAPERS=ON \
	    --config-settings=cmake.define.RUNNEL_LIBRARY="$(abspath $(BUILD))/librunnel.a" .
	@touch $@

# Python alone: the lab's engine is built beside the library.
$(PRODUCTS): $(VENV)/.%-product: %/pyproject.toml VERSION $(VENV)/.made
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps \
	    --config-settings=wheel.cmake=false -e $*
	@touch $@

# The engine of `runnel speed`, and the shims for libraries in C++, where their headers are.
engine: configured $(VENV)/.made
	@cmake --build $(BUILD) --target speed >/dev/null
	@mkdir -p $(VENV)/lib && ln -sfn "$(abspath $(BUILD))/bench" $(VENV)/lib/runnel

# Further requirements, without a word of what runnel-gpu needs on a machine with a GPU. demo: Google's Tink, which opens what the demo has sealed. gpu: the compiler for GPUs, 90 MB; a GPU
# is not needed. fuzz: what fuzzes Python code.
$(addprefix $(VENV)/.,demo test gpu fuzz proofs): $(VENV)/.%: requirements/%.txt $(VENV)/.made
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-warn-conflicts --only-binary=:all: --require-hashes -r $<
	@touch $@

# Pins of everything that pip installs, with the hashes of all files of each release, from the .in files; versions that are
# there already stay. --upgrade, or --upgrade-package NAME, in UPGRADE takes newer ones.
requirements: system-packages ## the pins of all that pip installs, made anew
	@$(PYTHON) -m venv $(BUILD)/pip-tools
	@$(BUILD)/pip-tools/bin/pip install -q --disable-pip-version-check --only-binary=:all: --require-hashes -r requirements/tools.txt
	@for each in $(PINNED); do \
	    (cd $$(dirname $$each) && "$(CURDIR)/$(BUILD)/pip-tools/bin/pip-compile" -q --generate-hashes --strip-extras --no-header \
	        --annotation-style=line --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe $(UPGRADE) \
	        $$(basename $$each).in) && \
	    sed -i '1i # SPDX-License-Identifier: Apache-2.0 OR MIT\n# Made of '$$(basename $$each)'.in by `make requirements`; these files are installed and no others.' \
	        $$each.txt || exit 1; \
	done

# Lays out C and Python as .clang-format and pyproject.toml say.
format: $(VENV)/.test ## C and Python laid out as the settings say
	@tools/install-packages test
	@git ls-files -z '*.c' '*.h' '*.cc' '*.cpp' | xargs -0 clang-format-19 -i
	@$(VENV)/bin/ruff check -q --fix && $(VENV)/bin/ruff format -q

# The chart of README.md, and the data that ciphers are chosen by. All tables of what is recorded are the site's.
tables: all $(VENV)/.test ## README's chart and the chooser's data, from results/ and lab/results/
	@$(VENV)/bin/python tools/documents.py --write

# The package, which has the library in it, and what measures: what else `make` builds, the demo does not show.
demo: ## the main job on real input, on a page
	@tools/quietly "Packages of the system" tools/install-packages build demo
	@tools/quietly "A Python environment with Google's Tink" $(MAKE) $(VENV)/.demo
	@tools/quietly "Runnel" $(MAKE) $(PACKAGE) $(VENV)/.lab-product
	@tools/quietly "What measures it beside other libraries" $(MAKE) engine
	@$(VENV)/bin/python tools/demo.py

# The three loops: see tests/README.md. With CIPHER or KERNEL, everything that a change there can break.
CIPHER ?=
KERNEL ?=
CHOSEN := $(foreach each,$(CIPHER),--cipher $(each)) $(foreach each,$(KERNEL),--kernel $(each))
PYTEST = RUNNEL_BUILD_DIR="$(CURDIR)/$(BUILD)" $(VENV)/bin/python -m pytest -q -n 2 --dist worksteal
QUICK := not builds and not lab and not slow

check: ## format, types, units, quick properties: minutes; CIPHER=rabbit KERNEL=avx2: what a change there can break
	@tools/install-packages build demo test $(if $(strip $(CHOSEN)),lab)
	@$(MAKE) --no-print-directory -s all $(VENV)/.test $(VENV)/.gpu
	@$(PYTEST) --scale 100 -m "$(if $(strip $(CHOSEN)),not builds and not slow,$(QUICK))" $(CHOSEN)

test: ## everything
	@tools/install-packages build demo test lab media
	@tools/unpack-servers $(BUILD)/servers
	@tools/fetch-peers $(BUILD)/peers
	@$(MAKE) --no-print-directory all $(VENV)/.test $(VENV)/.gpu $(PROVER)
	@$(PYTEST) -rs

# As a newcomer would: in a clone of the last commit, on a Debian that has nothing but make. COMMANDS='make install' in place
# of the two.
fresh: ## make demo, then make test on a bare Debian 12; as root, half an hour, 10 GB for so long
	@tools/install-packages fresh
	@tools/fresh-debian $(if $(COMMANDS),"$(COMMANDS)")

# Each part adds what it tried to results/reliability/: docs/reliability.md. What was stopped continues where it was.
HOURS = 1
campaign: ## the long runs, HOURS=n for all parts together, PART=name for one of them, ONLY=names in it: docs/reliability.md
	@tools/install-packages build demo test lab fuzz
	@tools/fetch-peers $(BUILD)/peers
	@$(MAKE) --no-print-directory all $(VENV)/.test $(VENV)/.gpu $(VENV)/.fuzz
	@RUNNEL_BUILD_DIR="$(CURDIR)/$(BUILD)" $(VENV)/bin/python tests/campaign/run.py --hours $(HOURS) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only "$(ONLY)") $(PART)

# Of Frama-C, then of machine code; KERNEL=aes/vaes512 TARGET=rv32: that kernel's machine code alone. What was proved of the
# code that the build makes is not proved again, unless AGAIN=1. COMPILERS=all: kernels in C by other compilers instead.
proofs: $(if $(KERNEL)$(COMPILERS),,proofs-frama-c) proofs-machine ## the core for all inputs, kernels from their machine code: proofs/README.md

proofs-frama-c:
	@tools/install-packages proofs
	@test -e $(HOME)/.why3.conf || why3 config detect >/dev/null 2>&1
	@python3 proofs/prove.py
	@python3 proofs/eva.py

TARGET ?=
OPERANDS ?= 100000
proofs-machine: inventory $(VENV)/.lab-product $(PACKAGE) $(VENV)/.test $(PROVER)
	@tools/install-packages lab
	@$(VENV)/bin/python proofs/machine/prove.py $(KERNEL) $(addprefix --target ,$(TARGET)) $(if $(AGAIN),--again) \
	    $(if $(COMPILERS),--compilers)
ifeq ($(strip $(KERNEL)$(TARGET)$(COMPILERS)),)
	@$(VENV)/bin/python proofs/machine/prove.py --lengths
	@$(VENV)/bin/python proofs/machine/prove.py --forms $(OPERANDS)
	@$(VENV)/bin/python proofs/machine/prove.py --stale
	@$(VENV)/bin/python proofs/machine/prove.py --table
endif

# The domain of the proofs in C, and what executes single instructions.
PROVER_SOURCES := $(wildcard proofs/machine/core/*.[ch] proofs/machine/native/*)
$(PROVER): $(PROVER_SOURCES) $(VENV)/.proofs
	@mkdir -p $(@D)
	@cc -std=c11 -O2 -Wall -Wextra -shared -fPIC $$($(PYTHON) -c 'import sysconfig; print("-I" + sysconfig.get_path("include"))') \
	    proofs/machine/core/*.c -o $@
	@if [ "$$(uname -m)" = x86_64 ]; then \
	    cc -std=c11 -O2 -Wall -Wextra -shared -fPIC proofs/machine/native/x86_64.[cS] -o $(@D)/native_x86_64.so; fi

# The newest releases of OpenSSL, libsodium and RustCrypto, for `runnel speed` and `make bench` to measure beside the system's:
# from a registry of crates, pinned with their hashes, which takes about ten minutes. What cannot be built is named.
bench-newest: ## the newest OpenSSL, libgcrypt, libsodium and RustCrypto, for make bench to measure too
	@tools/install-packages build
	@command -v cargo >/dev/null || tools/install-packages newest
	@$(PYTHON) bench/build_newest.py $(BUILD)/bench/newest

# All figures of results/, and README's chart; needs a quiet machine and about forty minutes.
bench: ## all figures of results/; needs a quiet machine
	@tools/install-packages build demo provider bench
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@$(VENV)/bin/python bench/targets.py
	@$(VENV)/bin/python bench/batch.py --write
	@$(VENV)/bin/python bench/python_calls.py --write
	@$(VENV)/bin/python bench/encrypt_file.py --disk . --write
	@$(VENV)/bin/python bench/file_formats.py --write
	@$(MAKE) --no-print-directory provider
	@$(VENV)/bin/python bench/openssl_provider.py --write
	@$(VENV)/bin/python tools/documents.py --write

# The rows of lab/results/ that are not of the code as it is, on simulated processors and on this one; then all published
# vectors through every kernel, the chooser's data, and the example firmware. Needs a clean tree, since each row names its
# commit, and for the host's figures a quiet machine; ALL=--all measures every row anew.
lab: ## the figures of lab/results/ whose code has changed, in minutes; ALL=--all: all of them
	@tools/install-packages build demo lab
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@rm -rf $(BUILD)/lab/before && mkdir -p $(BUILD)/lab && cp -r lab/results $(BUILD)/lab/before
	@RUNNEL_SOURCE="$(CURDIR)" $(VENV)/bin/runnel lab run --record $(ALL)
	@RUNNEL_SOURCE="$(CURDIR)" $(VENV)/bin/runnel lab verify
	@RUNNEL_SOURCE="$(CURDIR)" $(VENV)/bin/runnel lab behind --before $(BUILD)/lab/before
	@$(VENV)/bin/python tools/documents.py --write
	@for each in examples/firmware/*/Makefile; do \
	    echo "$$(dirname $$each):" && $(MAKE) --no-print-directory -s -C $$(dirname $$each) || exit 1; \
	done

lab-check: ## whether every row of lab/results/ is of the code as it is, and of a commit in the history
	@tools/install-packages build demo lab
	@$(MAKE) --no-print-directory all $(VENV)/.test
	@RUNNEL_SOURCE="$(CURDIR)" $(VENV)/bin/runnel lab check

# make install PREFIX=/usr/local: headers, static and shared library, pkg-config and CMake files, from what `make library`
# compiled; HISTORIC=ON for the broken and withdrawn ciphers too. The loader of a running system is told of the library
# where it looks for it, in its own folders and as root; otherwise what is left to do is printed. With PROVIDER=ON also the
# OpenSSL provider, to where OpenSSL looks for it or to MODULESDIR, and its configuration to PREFIX/share/runnel; with
# SRTP=ON the types for libsrtp.
PREFIX ?= /usr/local
HISTORIC ?= OFF
PROVIDER ?= OFF
SRTP ?= OFF
MODULESDIR = $(shell pkg-config --variable=modulesdir libcrypto)
EDITION = $(if $(filter ON,$(HISTORIC)),historic,plain)
install: library $(if $(filter ON,$(PROVIDER)),provider) $(if $(filter ON,$(SRTP)),srtp) ## headers and libraries for C programs; PREFIX=/usr/local HISTORIC=OFF PROVIDER=OFF SRTP=OFF
	@cmake --build $(BUILD) --target runnel_$(EDITION)
	@cmake --install $(BUILD) --prefix "$(PREFIX)" --component $(EDITION)
ifeq ($(PROVIDER),ON)
	@test -n "$(MODULESDIR)" || { echo "Say where OpenSSL looks for modules: MODULESDIR=…"; exit 1; }
	@install -D -m 755 $(BUILD)/provider/runnel.so "$(DESTDIR)$(MODULESDIR)/runnel.so"
	@install -D -m 644 integrations/openssl/runnel.cnf "$(DESTDIR)$(PREFIX)/share/runnel/runnel.cnf"
	@echo "OpenSSL's programs use it by: export OPENSSL_CONF='$(PREFIX)/share/runnel/runnel.cnf'"
endif
ifeq ($(SRTP),ON)
	@cmake --install $(BUILD) --prefix "$(PREFIX)" --component srtp
endif
	@tools/after-install "$(PREFIX)" "$$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' $(BUILD)/CMakeCache.txt)"

# Each is built and used as its users would; packaging/README.md. ALLOW_MISSING=1: also where a tool is missing.
packages: ## every package, built and run, into results/packages.json; ALLOW_MISSING=1 where tools are missing
	@tools/install-packages build demo test packages
	@$(MAKE) --no-print-directory -s all $(VENV)/.test
	@packaging/build --write $(if $(ALLOW_MISSING),--allow-missing)

# Requirements of the site, in an environment of its own that sees the one in .venv.
SITE_VENV := $(BUILD)/site-venv
$(SITE_VENV)/.made: requirements/site.txt $(VENV)/.test
	@$(PYTHON) -m venv $(SITE_VENV)
	@$(SITE_VENV)/bin/pip install -q --disable-pip-version-check --no-warn-conflicts --only-binary=:all: --require-hashes -r requirements/site.txt
	@echo "import site; site.addsitedir('$(abspath $(VENV))/lib/$$($(PYTHON) -c 'import sys; print("python%d.%d" % sys.version_info[:2])')/site-packages')" \
	    > $$(echo $(SITE_VENV)/lib/python3*/site-packages)/runnel.pth
	@touch $@

site: ## documentation, the papers' pages, the chooser: build/site/index.html
	@tools/install-packages build site
	@$(MAKE) --no-print-directory -s all $(SITE_VENV)/.made
	@$(SITE_VENV)/bin/python site/build.py

test-site: site ## the site in Chromium: answers, keyboard, axe, links, no request elsewhere
	@RUNNEL_BUILD_DIR="$(CURDIR)/$(BUILD)" $(SITE_VENV)/bin/python -m pytest -q tests/test_site.py tests/test_site_rules.py tests/test_site_pages.py

# Ray, and the libraries that read through fsspec, in an environment of their own that sees the one in .venv: 1 GB.
RAY_VENV := $(BUILD)/ray-venv
$(RAY_VENV)/.made: requirements/ray.txt $(VENV)/.test
	@$(PYTHON) -m venv $(RAY_VENV)
	@$(RAY_VENV)/bin/pip install -q --disable-pip-version-check --no-warn-conflicts --only-binary=:all: --require-hashes -r requirements/ray.txt
	@echo "import site; site.addsitedir('$(abspath $(VENV))/lib/$$($(PYTHON) -c 'import sys; print("python%d.%d" % sys.version_info[:2])')/site-packages')" \
	    > $$(echo $(RAY_VENV)/lib/python3*/site-packages)/runnel.pth
	@touch $@

test-ray: ## runnel store on Ray, and its files in pandas, pyarrow, dask and zarr
	@$(MAKE) --no-print-directory -s all $(RAY_VENV)/.made
	@RUNNEL_BUILD_DIR="$(CURDIR)/$(BUILD)" $(RAY_VENV)/bin/python -m pytest -q --campaign store/tests/test_store_ray.py store/tests/test_store_ray_lies.py store/tests/test_store_fsspec_users.py

# The store is versitygw's, files on this disk, where Go builds it; else moto's, in memory.
bench-store: ## runnel store against an S3 on this machine, with 1 and 2 threads: docs/scale.md
	@$(MAKE) --no-print-directory -s all $(VENV)/.test
	@$(VENV)/bin/python bench/store.py --build $(BUILD)/versitygw

bench-store-ray: ## runnel store on Ray, with one worker and with two: docs/scale.md
	@$(MAKE) --no-print-directory -s all $(RAY_VENV)/.made
	@$(RAY_VENV)/bin/python bench/store.py --ray --mib 2048

clean: ## removes build/ and .venv
	@rm -rf $(BUILD) $(VENV) demo-files
