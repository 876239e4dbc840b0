# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid: one Makefile for everything, not recursive.
#
#   make                  build; ./schedgrid then runs from the checkout
#   make quickstart       install what is missing, build, do the main job, print tables
#   make check            install what the tests need, build, pass all tests
#   make lint             format, layers, sizes, checkers
#   make check-host       the tests that want this machine: real runs, signals, full disks
#   make conformance      the policy held against kernels in guests, for minutes
#   make soak             grids while everything around them is killed, for minutes
#   make bench            figures as ratios measured side by side
#   make bench-fidelity   our programs beside the ones that others know: docs/fidelity.md
#   make man              the man pages, into build/<variant>/man; needs scdoc
#   make install          honours DESTDIR, prefix, bindir, libexecdir, datadir, docdir, mandir
#   make uninstall format compdb dist clean
#
# VARIANT=release|debug|asan|tsan|cov picks flags and its own build directory; V=1 shows
# the command lines; DEVELOPER=1 makes warnings errors.

VARIANT ?= release
OUT     := build/$(VARIANT)

prefix     ?= /usr/local
bindir     ?= $(prefix)/bin
libexecdir ?= $(prefix)/libexec
datadir    ?= $(prefix)/share
docdir     ?= $(datadir)/doc/schedgrid
mandir     ?= $(datadir)/man
INSTALL    ?= install

CC      ?= cc
CFLAGS  ?=
CSTD    := -std=gnu11
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 \
	-Wcast-qual -Wswitch-enum -Wdeclaration-after-statement
# clang warns of the promotion inside libc's NAN; gcc doesn't.
ifneq ($(findstring clang,$(CC)),)
WARN    += -Wmissing-variable-declarations -Wcomma -Wunreachable-code
KEEP_LOOPS := -fno-builtin-memcpy -fno-builtin-memset
else
WARN    += -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wnull-dereference \
	-Wdouble-promotion
KEEP_LOOPS := -fno-tree-loop-distribute-patterns
endif
ifeq ($(DEVELOPER),1)
WARN    += -Werror
endif

OPT_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
OPT_debug   := -Og -g3
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer \
	-fno-sanitize-recover=all
OPT_tsan    := -O1 -g -fsanitize=thread
OPT_cov     := -O0 -g --coverage
ifeq ($(OPT_$(VARIANT)),)
$(error VARIANT=$(VARIANT) is not one of release debug asan tsan cov)
endif

# The figure a workload prints must not depend on how the suite is built, so the native
# programs have flags of their own, printed in the record by their own sources' hash.
PROGRAM_OPT_release := -O2 -g
PROGRAM_OPT         := $(or $(PROGRAM_OPT_$(VARIANT)),$(OPT_$(VARIANT)))
# STREAM's Copy must stay a loop: a call of memcpy() would be measured instead. Its loops
# are aligned, or where the linker happens to put them moves a rate by a quarter.
PROGRAM_CFLAGS_stream := -O3 $(KEEP_LOOPS) -falign-functions=64 -falign-loops=32

PKGS         := jansson yaml-0.1 hwloc libmd libRmath libtracefs libtraceevent zlib libcurl libarchive
PKG_CONFIG   ?= pkg-config
# Asked once, and not before need-build.sh found them to be there.
PKG_CFLAGS    = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS      = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS)))$(PKG_LIBS)

VERSION := $(shell cat VERSION)

ALL_CPPFLAGS = -I. -D_GNU_SOURCE -DSCHEDGRID_VERSION='"$(VERSION)"' $(CPPFLAGS)
ALL_CFLAGS   = $(CSTD) $(WARN) -fno-common $(OPT_$(VARIANT)) $(PKG_CFLAGS) $(CFLAGS)
ALL_LDFLAGS  = $(filter -fsanitize=% --coverage,$(OPT_$(VARIANT))) $(LDFLAGS)

# A directory is a layer, see docs/architecture.md. A workload is a folder: its program.c
# becomes $(OUT)/programs/<folder>, all else belongs to the suite.
layers        := lib record benchmarks policy runner compare cli
SRCS          := $(sort $(foreach d,$(layers),$(wildcard $(d)/*.c)) \
	$(filter-out %/program.c,$(wildcard benchmarks/*/*.c)))
PROGRAM_SRCS  := $(sort $(wildcard benchmarks/*/program.c))
# What runs in guests, which have no libraries: see runner/guest/init.c.
STATIC_DIR    := $(OUT)/programs/static
GUEST_INIT    := $(STATIC_DIR)/guest-init
GUEST_INIT_SRCS := runner/guest/init.c runner/placement_trace.c runner/schedstat_take.c \
	$(addprefix lib/,clock.c cpulist.c err.c file.c json.c proc.c text.c trace.c)
GUEST_INIT_PKGS := jansson libtracefs libtraceevent
UNIT_SRCS     := $(sort $(wildcard tests/unit/test-*.c))
UNIT_SHARED   := $(filter-out $(UNIT_SRCS),$(wildcard tests/unit/*.c))

obj      = $(patsubst %.c,$(OUT)/%.o,$(1))
OBJS     := $(call obj,$(SRCS))
PROGRAMS := $(patsubst benchmarks/%/program.c,$(OUT)/programs/%,$(PROGRAM_SRCS))
# reaim's jobs start /bin/sh, which no guest has.
STATIC_PROGRAMS  := $(patsubst benchmarks/%/program.c,$(STATIC_DIR)/%, \
	$(filter-out benchmarks/reaim/program.c,$(PROGRAM_SRCS))) $(GUEST_INIT)
UNITS    := $(patsubst tests/unit/%.c,$(OUT)/tests/%,$(UNIT_SRCS))
UNIT_OBJS := $(call obj,$(UNIT_SRCS) $(UNIT_SHARED))

# What the files of a build follow besides their sources: see $(OUT)/flags.
QUOTED_CPPFLAGS = $(subst ",\",$(ALL_CPPFLAGS))
ALL_FLAGS = $(CC) $(QUOTED_CPPFLAGS) $(ALL_CFLAGS) $(PROGRAM_OPT) \
	$(foreach p,$(notdir $(PROGRAMS)),$(PROGRAM_CFLAGS_$p)) $(ALL_LDFLAGS) $(PKG_LIBS)

# $(call keep,TEXT): rewrite the target only when it doesn't hold TEXT already.
keep = printf '%s\n' "$(1)" | cmp -s - $@ || printf '%s\n' "$(1)" > $@

ifeq ($(V),1)
say = @:
else
Q   := @
say = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-7s %s\n')
endif

# A second make, for what follows an installation of packages; parallel by itself.
NPROC  := $(shell nproc)
SUBMAKE = +$(Q)$(MAKE) --no-print-directory \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(NPROC))

.DEFAULT_GOAL := all

all: $(OUT)/schedgrid $(PROGRAMS) $(STATIC_PROGRAMS)
	@ln -sfn $(OUT)/schedgrid schedgrid

need-build:
	@tools/need-build.sh $(firstword $(CC)) $(PKG_CONFIG) $(PKGS)

need-cmocka: | need-build
	@tools/need-build.sh $(firstword $(CC)) $(PKG_CONFIG) cmocka

$(OUT)/flags: FORCE | need-build
	@mkdir -p $(@D)
	@$(call keep,$(ALL_FLAGS))

# A source that went away leaves no newer file behind; its object leaves this list.
$(OUT)/objects: FORCE
	@mkdir -p $(@D)
	@$(call keep,$(OBJS))

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/schedgrid: $(OBJS) $(OUT)/objects
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(PKG_LIBS) -lm

# libc and pthreads only: what the forking process maps must not enter the figure.
$(OUT)/programs/%: benchmarks/%/program.c $(OUT)/flags
	@mkdir -p $(@D)
	$(say) PROGRAM $@
	$(Q)$(CC) -I. -D_GNU_SOURCE $(CPPFLAGS) $(CSTD) $(WARN) -fno-common $(PROGRAM_OPT) \
		$(PROGRAM_CFLAGS_$*) -MMD -MP -MF $@.d $(CFLAGS) $(ALL_LDFLAGS) -o $@ $< -lpthread

# Whatever the variant: a guest has no sanitizer's libraries either.
$(STATIC_DIR)/%: benchmarks/%/program.c $(OUT)/flags
	@mkdir -p $(@D)
	$(say) STATIC $@
	$(Q)$(CC) -I. -D_GNU_SOURCE $(CPPFLAGS) $(CSTD) $(WARN) -fno-common \
		$(PROGRAM_OPT_release) $(PROGRAM_CFLAGS_$*) -MMD -MP -MF $@.d $(CFLAGS) -static \
		$(LDFLAGS) -o $@ $< -lpthread

$(GUEST_INIT): $(GUEST_INIT_SRCS) $(wildcard lib/*.h) runner/placement_trace.h $(OUT)/flags
	@mkdir -p $(@D)
	$(say) STATIC $@
	$(Q)$(CC) $(ALL_CPPFLAGS) $(CSTD) $(WARN) -fno-common $(PROGRAM_OPT_release) \
		$(shell $(PKG_CONFIG) --static --cflags $(GUEST_INIT_PKGS)) $(CFLAGS) -static \
		$(LDFLAGS) -o $@ $(GUEST_INIT_SRCS) \
		$(shell $(PKG_CONFIG) --static --libs $(GUEST_INIT_PKGS))

$(UNIT_OBJS): | need-cmocka

$(OUT)/tests/%: $(OUT)/tests/unit/%.o $(call obj,$(UNIT_SHARED)) \
		$(filter-out $(OUT)/cli/main.o,$(OBJS)) $(OUT)/objects | $(OUT)/tests/programs
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(PKG_LIBS) -lcmocka -lm

# The suite looks for its programs beside itself, and so do the tests.
$(OUT)/tests/programs:
	@mkdir -p $(@D)
	@ln -sfn ../programs $@

units: $(UNITS) $(PROGRAMS) $(STATIC_PROGRAMS)

# Everything that is compiled, and no link in the checkout to it.
everything: $(OUT)/schedgrid $(PROGRAMS) $(STATIC_PROGRAMS) $(UNITS)

# A new directory each time: a rebuilt program must not add to older records.
QUICKSTART := results/quickstart-$(shell date -u +%Y%m%dT%H%M%SZ)

quickstart:
	@tools/install-packages.sh build
	$(SUBMAKE) all
	@echo "./schedgrid run configs/quickstart.yaml -o $(QUICKSTART)" >&2
	@./schedgrid run configs/quickstart.yaml -o $(QUICKSTART)
	@echo "./schedgrid compare $(QUICKSTART)" >&2
	@./schedgrid compare $(QUICKSTART)
	@tools/two-kernels.sh $(QUICKSTART)-kernels

# exitcode: 1 means something else for schedgrid. Suppressions are for libraries only.
export ASAN_OPTIONS  ?= detect_leaks=1:strict_string_checks=1:exitcode=99
export UBSAN_OPTIONS ?= print_stacktrace=1:halt_on_error=1:exitcode=99
export LSAN_OPTIONS  ?= suppressions=$(CURDIR)/tools/lsan.supp:print_suppressions=0

# What a test runs, whatever the variant.
TEST_ENV = SCHEDGRID='$(CURDIR)/$(OUT)/schedgrid' SCHEDGRID_SOURCE='$(CURDIR)'

check:
	@tools/install-packages.sh build check
	$(SUBMAKE) run-check

run-check: all units
	@$(TEST_ENV) tools/run-tests.sh $(OUT)/tap/check $(UNITS) \
		$(sort $(wildcard tests/cli/*.bats tests/tools/*.bats))

check-host:
	@tools/install-packages.sh build check host guest publish
	$(SUBMAKE) run-check-host

# One after the other: a second load would enter the figures.
run-check-host: all
	@$(TEST_ENV) TEST_JOBS=1 TEST_TIMEOUT_SEC=900 tools/run-tests.sh \
		$(OUT)/tap/check-host $(sort $(wildcard tests/host/*.bats))

bench:
	@tools/install-packages.sh build bench
	$(SUBMAKE) run-bench

run-bench: all
	@missed=0; for bench in $(sort $(wildcard tests/bench/*.sh)); do \
		echo "$$bench" >&2; $(TEST_ENV) $$bench || missed=1; \
	done; exit $$missed

conformance:
	$(Q)tools/install-packages.sh build guest
	$(SUBMAKE) run-conformance

run-conformance: all
	$(Q)$(TEST_ENV) tests/conformance/run.sh

soak:
	@tools/install-packages.sh build host
	$(SUBMAKE) run-soak

run-soak: all
	@failed=0; for soak in $(sort $(wildcard tests/soak/*.sh)); do \
		echo "$$soak" >&2; $(TEST_ENV) $$soak || failed=1; \
	done; exit $$failed

bench-fidelity:
	@tools/install-packages.sh build fidelity >&2
	@$(SUBMAKE) -s run-bench-fidelity

run-bench-fidelity: all
	@$(TEST_ENV) tests/fidelity/run.sh $(ONLY)

LINTS := format layers size words headers shell spelling cppcheck gcc tidy

lint:
	@tools/install-packages.sh build check lint
	$(SUBMAKE) -k -Otarget $(LINTS:%=lint-%)

C_FILES     = $(shell find $(wildcard $(layers) tests kmod) -name '*.[ch]')
SLURM_SCRIPTS = $(addprefix configs/slurm/,feature helper prolog reboot)
SHELL_FILES = $(wildcard tools/*.sh .ci/run tests/bench/*.sh tests/fidelity/*.sh \
	tests/soak/*.sh tests/conformance/*.sh) tools/build-kernel $(SLURM_SCRIPTS)
BATS_FILES  = $(wildcard tests/*/*.bats tests/*/*.bash)

lint-format:
	$(say) LINT format
	$(Q)clang-format --dry-run -Werror $(C_FILES)

lint-layers lint-size lint-words:
	$(say) LINT $(@:lint-%=%)
	$(Q)tools/check-$(@:lint-%=%).sh

lint-headers: | need-cmocka
	$(say) LINT headers
	$(Q)tools/check-headers.sh $(CC) $(ALL_CPPFLAGS) $(CSTD) $(WARN) $(PKG_CFLAGS)

# What shellcheck can't know: the variables of a load, and that a test is a subshell.
BATS_MISLEADS := SC2034,SC2154,SC2030,SC2031

lint-shell:
	$(say) LINT shell
	$(Q)shellcheck $(SHELL_FILES)
	$(Q)shellcheck -s bats -e $(BATS_MISLEADS) $(BATS_FILES)

lint-spelling:
	$(say) LINT spelling
	$(Q)codespell

lint-cppcheck:
	$(say) LINT cppcheck
	@mkdir -p build/cppcheck
	$(Q)cppcheck -q -j$(NPROC) --cppcheck-build-dir=build/cppcheck --std=c11 -I. \
		-D_GNU_SOURCE -DSCHEDGRID_VERSION='"0"' --inline-suppr \
		--enable=warning,style,performance,portability --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=variableScope \
		--suppress=unusedStructMember --suppress=legacyUninitvar $(wildcard $(layers))

# Builds of their own, so that nobody's objects are thrown away for another compiler.
lint-gcc:
	$(say) LINT gcc
	$(SUBMAKE) -s CC=gcc DEVELOPER=1 OUT=build/lint-gcc everything

lint-tidy:
	$(say) LINT tidy
	$(SUBMAKE) -k -s CC=clang DEVELOPER=1 OUT=build/lint-clang everything run-tidy

TIDY_CONFIG := .clang-tidy tests/unit/.clang-tidy tools/tidy.h

# The object stands for all headers of the file. One file a process: clang-tidy 14 mixes
# files up otherwise.
$(OUT)/%.tidy: %.c $(OUT)/%.o $(TIDY_CONFIG)
	$(Q)clang-tidy --quiet $< -- $(ALL_CPPFLAGS) $(CSTD) $(PKG_CFLAGS) \
		$(if $(filter-out lib/err.c,$<),-include tools/tidy.h) 2>$@.log || \
		{ cat $@.log; exit 1; }
	@touch $@

$(OUT)/programs/%.tidy: benchmarks/%/program.c $(OUT)/programs/% $(TIDY_CONFIG)
	$(Q)clang-tidy --quiet $< -- -I. -D_GNU_SOURCE $(CSTD) 2>$@.log || \
		{ cat $@.log; exit 1; }
	@touch $@

run-tidy: $(OBJS:.o=.tidy) $(UNIT_OBJS:.o=.tidy) $(PROGRAMS:=.tidy)

format:
	clang-format -i $(C_FILES)

CONFIGS = $(shell find configs -type f)
DOCS    = $(wildcard README.md LICENSE docs/*.md)
SCHEMAS = $(wildcard docs/schema/*.json)

install: all
	$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(libexecdir)/schedgrid' \
		'$(DESTDIR)$(docdir)'
	$(INSTALL) -m 755 $(OUT)/schedgrid '$(DESTDIR)$(bindir)/schedgrid'
	$(INSTALL) -m 755 $(PROGRAMS) '$(DESTDIR)$(libexecdir)/schedgrid'
	$(INSTALL) -d '$(DESTDIR)$(libexecdir)/schedgrid/static'
	$(INSTALL) -m 755 $(STATIC_PROGRAMS) '$(DESTDIR)$(libexecdir)/schedgrid/static'
	$(INSTALL) -m 644 $(DOCS) '$(DESTDIR)$(docdir)'
	$(INSTALL) -d '$(DESTDIR)$(docdir)/schema'
	$(INSTALL) -m 644 $(SCHEMAS) '$(DESTDIR)$(docdir)/schema'
	set -e; for config in $(CONFIGS); do \
		$(INSTALL) -D -m 644 $$config '$(DESTDIR)$(datadir)/schedgrid/'$$config; \
	done
	$(INSTALL) -m 755 $(SLURM_SCRIPTS) '$(DESTDIR)$(datadir)/schedgrid/configs/slurm'
	$(INSTALL) -D -m 644 tools/completion.bash \
		'$(DESTDIR)$(datadir)/bash-completion/completions/schedgrid'
ifneq ($(shell command -v scdoc),)
	tools/man-pages.sh $(OUT)/schedgrid $(OUT)/man
	$(INSTALL) -d '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(mandir)/man5'
	$(INSTALL) -m 644 $(OUT)/man/*.1 '$(DESTDIR)$(mandir)/man1'
	$(INSTALL) -m 644 $(OUT)/man/*.5 '$(DESTDIR)$(mandir)/man5'
endif

uninstall:
	rm -f '$(DESTDIR)$(bindir)/schedgrid'
	rm -rf '$(DESTDIR)$(libexecdir)/schedgrid' '$(DESTDIR)$(datadir)/schedgrid' \
		'$(DESTDIR)$(docdir)' '$(DESTDIR)$(mandir)'/man[15]/schedgrid*.[15]
	rm -f '$(DESTDIR)$(datadir)/bash-completion/completions/schedgrid'

man: all
	tools/man-pages.sh $(OUT)/schedgrid $(OUT)/man

compdb:
	@mkdir -p build
	bear --output build/compile_commands.json -- \
		$(MAKE) -B -s OUT=build/compdb everything

dist:
	@mkdir -p build
	git archive --prefix=schedgrid-$(VERSION)/ -o build/schedgrid-$(VERSION).tar.gz HEAD

clean:
	rm -rf build schedgrid

FORCE:
.PHONY: all units everything need-build need-cmocka quickstart check run-check \
	check-host run-check-host conformance run-conformance soak run-soak bench run-bench bench-fidelity \
	run-bench-fidelity \
	lint $(LINTS:%=lint-%) run-tidy format install man \
	uninstall compdb dist clean FORCE
.SECONDARY:
-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
