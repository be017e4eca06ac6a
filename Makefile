# TokenVault's commands. `make` alone lists them.
#
# Variables: PREFIX and DESTDIR for install; PREREQUISITES=skip where packages are not apt's
# business; DEMO_SECONDS for run; FILTER for the tests to run; CRASH_SWEEP and BARS for their options;
# FUZZ_SECONDS for each target of fuzz and FUZZ_TARGETS for some of them.

PREFIX ?= /usr/local
DESTDIR ?=
BIN = $(DESTDIR)$(PREFIX)/bin
# Where a person's service manager looks, for ~/.local as for /usr/local and /usr.
USER_UNITS = $(DESTDIR)$(PREFIX)/share/systemd/user
UNITS = $(addprefix tokenvault-,host.service host.socket token.socket token@.service)
# Where the machine's service manager looks, for /usr/local as for /usr.
SYSTEM_UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/system
SHARE = $(DESTDIR)$(PREFIX)/share/tokenvault
COMPLETIONS = $(DESTDIR)$(PREFIX)/share
MANUAL = $(DESTDIR)$(PREFIX)/share/man
LIB = $(DESTDIR)$(PREFIX)/lib
INCLUDE = $(DESTDIR)$(PREFIX)/include
FILTER ?=
CRASH_SWEEP ?=
BARS ?=
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=

SHELL = /bin/bash
.SHELLFLAGS = -euo pipefail -c
.DEFAULT_GOAL = help
.DELETE_ON_ERROR:
.PHONY: help prerequisites test-prerequisites toolchain build static host library simulate test \
  test-release test-whole test-sanitizers cases crash-sweep mutants bars samples programs fuzz lint \
  format docs run bench \
  install install-library install-units install-scenarios \
  install-completions install-manual uninstall clean

ifeq ($(PREREQUISITES),skip)
install-packages = @:
else
install-packages = @.ci/prerequisites
endif

STRICT = --explicit-target-dependency-import-check error
# A backtrace of a test that means to crash takes seconds and says nothing.
# All tests at once measure how they wait for one another, and open more files than inotify takes.
TEST = SWIFT_BACKTRACE=enable=no SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 swift test --disable-xctest $(STRICT) \
  $(if $(FILTER),--filter '$(FILTER)')
# What begins is kept for whoever looks into a crash; the terminal gets what ended.
QUIETLY = 2>&1 | tee .build/test.log | sed -u '/^◇/d'
# The whole C library and the Swift runtime inside: no loader, no search for libraries. Tasks would
# bring libdispatch along, whose start costs a tenth of what `token` takes and which it never uses.
STATIC = --product tokenvault --scratch-path .build/static --traits Inotify \
  --static-swift-stdlib -Xswiftc -static-executable
# libcurl and libjose stay the system's, which gets their security updates.
HOST = --product tokenvault-host --scratch-path .build/host --static-swift-stdlib
SIMULATE = --product tokenvault-simulate --scratch-path .build/host --static-swift-stdlib
SCENARIOS = $(notdir $(wildcard Samples/scenarios/*.scenario))

# What C programs link has Swift's runtime inside and shows nothing of it; libsodium stays the
# system's. The kernel's inotify, because libinotifytools is for GPL-2 programs only. Swift's runtime
# cannot be unloaded.
LIBRARY = --product tokenvault-c --scratch-path .build/library --traits KernelInotify \
  --static-swift-stdlib -Xswiftc -static-stdlib -Xlinker -soname=libtokenvault.so.0 \
  -Xlinker --version-script=Sources/CTokenVault/tokenvault.map -Xlinker -z -Xlinker nodelete

# SwiftPM would take gold, which fails on what the fuzzer adds.
FUZZ = --product TokenVaultFuzz --scratch-path .build/fuzz --sanitize=address \
  -Xswiftc -sanitize=fuzzer -Xswiftc -DFUZZING -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
	  while IFS='|' read -r name text; do printf 'make %-20s %s\n' "$$name" "$$text"; done

prerequisites: ## install the missing Debian packages that building needs
	$(install-packages) build

test-prerequisites: ## install the missing Debian packages that the tests need as well
	$(install-packages) build test
	@.ci/python-packages

# Without its libraries a toolchain can't even say its version.
toolchain:
	@command -v swift >/dev/null || .ci/toolchain
	$(install-packages) build
	@.ci/toolchain

build: toolchain prerequisites ## build everything for debugging
	@swift build $(STRICT)

static: toolchain prerequisites ## build the static tokenvault, with its symbols, in .build/static
	@echo 'Building tokenvault, optimized; the first time takes minutes.'
	@swift build --quiet -c release $(STRICT) $(STATIC) 2>&1 | sed "/Using 'dlopen' in statically/d"

host: toolchain prerequisites ## build the host for release, in .build/host
	@echo 'Building tokenvault-host, optimized; the first time takes minutes.'
	@swift build --quiet -c release $(STRICT) $(HOST)

library: toolchain prerequisites ## build libtokenvault, for C and Python, in .build/library
	@echo 'Building libtokenvault, optimized; the first time takes minutes.'
	@swift build --quiet -c release $(STRICT) $(LIBRARY)

simulate: toolchain prerequisites ## build tokenvault-simulate for release, in .build/host
	@swift build --quiet -c release $(STRICT) $(SIMULATE)

test: toolchain test-prerequisites static library ## run all tests, a real provider among them
	@$(TEST) $(QUIETLY)

test-release: toolchain test-prerequisites static library ## run all tests against optimized code
	@$(TEST) -c release $(QUIETLY)

test-whole: toolchain test-prerequisites static library ## run all tests, each as long as its case asks for
	@TOKENVAULT_WHOLE=1 $(TEST) $(QUIETLY)

ANNOTATIONS = $(CURDIR)/.build/annotations.o
$(ANNOTATIONS): Tests/Sanitizers/annotations.c
	@mkdir -p .build
	@"$$(dirname "$$(readlink -f "$$(command -v swiftc)")")/clang" -c -fPIC -O1 -Wall -Wextra -Werror \
	  -DREPORTS='"$(CURDIR)/.build/sanitizer-report"' $< -o $@

# sanitized SANITIZER: all tests under it; what it says of them is in the log, of programs in files.
define sanitized
	@rm -f .build/sanitizer-report.*
	@$(TEST) --sanitize=$(1) --scratch-path .build/$(1)-sanitizer -Xlinker $(ANNOTATIONS) $(QUIETLY)
	@shopt -s nullglob; \
	  if grep -a -H -E '(WARNING|ERROR): [A-Za-z]*Sanitizer' .build/test.log \
	  .build/sanitizer-report.*; \
	  then echo 'test-sanitizers: the $(1) sanitizer says this' >&2; exit 1; fi
	@echo 'No report of the $(1) sanitizer'
endef

test-sanitizers: toolchain test-prerequisites static library $(ANNOTATIONS) ## run all tests under two sanitizers
	$(call sanitized,thread)
	$(call sanitized,address)

samples: build library ## run the samples without a display, beside real hosts and simulated ones
	$(install-packages) samples
	@Tests/Samples/samples

programs: build ## give programs that already exist a token, each as README says
	$(install-packages) programs
	@Tests/Programs/programs

# A full log may be judged by itself: .ci/cases .build/test.log
cases: FILTER = /[a-z]{2}[0-9]{2}(And|[A-Z])
cases: toolchain test-prerequisites ## run the tests of listed cases and say which test proves which
	@$(TEST) >.build/cases.log 2>&1 || tail -n 40 .build/cases.log
	@.ci/cases .build/cases.log

crash-sweep: build test-prerequisites ## kill the host at each of its system calls; CRASH_SWEEP=--resume goes on
	@mkdir -p .build
	@Tests/CrashSweep/crash-sweep --results .build/crash-sweep.jsonl $(CRASH_SWEEP)

mutants: toolchain test-prerequisites ## take one check away at a time: a test has to notice each
	@.ci/mutants

bars: build library ## show a session in each real bar and tray, and read the screens; BARS='--skip tint2' leaves one out
	$(install-packages) bars
	@Tests/Bars/bars $(BARS)

fuzz: toolchain prerequisites ## fuzz each target for FUZZ_SECONDS, two at a time
	@echo 'Building the fuzzer, optimized; the first time takes minutes.'
	@swift build --quiet -c release $(STRICT) $(FUZZ)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) Tests/Fuzz/run $(FUZZ_TARGETS)

lint: toolchain ## check format, imports, lengths and scripts
	@.ci/lint

format: toolchain ## bring all Swift files into the project's format
	@swift format --in-place --parallel --recursive Package.swift Sources Agents Samples Tests

docs: build ## write the documentation of the libraries for widgets to .build/docs
	@.ci/docs

run: build ## show it: a provider, the host and a panel; DEMO_SECONDS=20 ends it
	@Samples/demo/run

bench: toolchain test-prerequisites static host ## measure, print a table, write .build/bench.json
	$(install-packages) bench || echo 'Not every peer could be installed: its row says so.'
	@Tests/Bench/run

install: static host simulate install-library install-units install-scenarios install-completions install-manual ## install everything under PREFIX
	install -d '$(BIN)'
	strip -o '$(BIN)/tokenvault' .build/static/release/tokenvault
	strip -o '$(BIN)/tokenvault-host' .build/host/release/tokenvault-host
	strip -o '$(BIN)/tokenvault-simulate' .build/host/release/tokenvault-simulate
	chmod 0755 '$(BIN)/tokenvault' '$(BIN)/tokenvault-host' '$(BIN)/tokenvault-simulate'
	@echo "Installed in $(BIN): tokenvault, tokenvault-host and tokenvault-simulate."
	@echo 'Nothing is started or enabled.'
	@case ":$$PATH:" in *":$(BIN):"*) ;; *) echo 'It is not in your PATH yet.' ;; esac
	@echo 'Next: write ~/.config/tokenvault/config.toml; tokenvault-host example-config generic shows how.'

install-library: library ## install libtokenvault, its header and its pkg-config file under PREFIX
	install -d '$(LIB)/pkgconfig' '$(INCLUDE)'
	strip -o '$(LIB)/libtokenvault.so.0' .build/library/release/libtokenvault-c.so
	chmod 0644 '$(LIB)/libtokenvault.so.0'
	ln -sf libtokenvault.so.0 '$(LIB)/libtokenvault.so'
	install -m 0644 Sources/CTokenVault/tokenvault.h '$(INCLUDE)/tokenvault.h'
	sed 's|@PREFIX@|$(PREFIX)|' Sources/CTokenVault/tokenvault.pc.in \
	  >'$(LIB)/pkgconfig/tokenvault.pc'
	chmod 0644 '$(LIB)/pkgconfig/tokenvault.pc'

# Nothing is enabled here: that is for whoever's sessions they are.
install-units:
	install -d '$(USER_UNITS)' '$(SYSTEM_UNITS)' '$(SHARE)'
	for unit in $(UNITS); do \
	  sed 's|@BIN@|$(PREFIX)/bin|' "Service/user/$$unit" >'$(USER_UNITS)'/"$$unit"; \
	  chmod 0644 '$(USER_UNITS)'/"$$unit"; done
	sed 's|@BIN@|$(PREFIX)/bin|' Service/system/tokenvault.service \
	  >'$(SYSTEM_UNITS)/tokenvault.service'
	install -m 0644 Service/user/namespaces.conf '$(SHARE)/namespaces.conf'
	chmod 0644 '$(SYSTEM_UNITS)/tokenvault.service'

# Where tokenvault-simulate looks, from its own place.
install-scenarios:
	install -d '$(SHARE)/scenarios'
	install -m 0644 $(SCENARIOS:%=Samples/scenarios/%) '$(SHARE)/scenarios'

# The programs write them, each its own.
install-completions: static host simulate
	install -d '$(COMPLETIONS)'/{bash-completion/completions,zsh/site-functions} \
	  '$(COMPLETIONS)/fish/vendor_completions.d'
	for program in static/release/tokenvault host/release/tokenvault-{host,simulate}; do \
	  name=$${program##*/}; program=.build/$$program; \
	  $$program completions bash >'$(COMPLETIONS)'/bash-completion/completions/"$$name"; \
	  $$program completions zsh >'$(COMPLETIONS)'/zsh/site-functions/_"$${name//-/_}"; \
	  $$program completions fish >'$(COMPLETIONS)'/fish/vendor_completions.d/"$$name.fish"; done

install-manual:
	install -d '$(MANUAL)'/man{1,5}
	for page in Agents/Manual/*; do install -m 0644 "$$page" '$(MANUAL)'/man"$${page##*.}"; done

uninstall: ## remove what install put there
	rm -f $(SCENARIOS:%='$(SHARE)/scenarios/%')
	rm -f '$(COMPLETIONS)'/{bash-completion/completions,zsh/site-functions}/{,_}tokenvault{,-host,-simulate,_host,_simulate} \
	  '$(COMPLETIONS)'/fish/vendor_completions.d/tokenvault{,-host,-simulate}.fish
	rm -f '$(BIN)/tokenvault' '$(BIN)/tokenvault-host' '$(BIN)/tokenvault-simulate' \
	  $(UNITS:%='$(USER_UNITS)/%') '$(SHARE)/namespaces.conf' \
	  '$(SYSTEM_UNITS)/tokenvault.service' '$(LIB)'/libtokenvault.so{,.0} \
	  '$(LIB)/pkgconfig/tokenvault.pc' '$(INCLUDE)/tokenvault.h'
	rm -f '$(MANUAL)'/man1/tokenvault{,-host}.1 '$(MANUAL)'/man5/tokenvault-{config,snapshot}.5
	! [ -d '$(SHARE)' ] || rmdir --ignore-fail-on-non-empty '$(SHARE)/scenarios' '$(SHARE)'

clean: ## remove everything that was built
	rm -rf .build
