# Carries the commands of the README; Meson and Ninja do the work.
#   make demo     install what is missing, build, run Tamar on examples with real bugs
#   make test     the same, then all tests; the last line is `N passed, N failed`
# Further: make, deps, install PREFIX=, bench, fuzz, lint, hostile, asan, clean.

# clang 19 builds everything: Tamar itself, and the C that it executes. CaDiCaL is C++ inside, but only its runtime
# library is needed (libstdc++-12-dev), no C++ compiler.
ifeq ($(origin CC),default)
CC := clang-19
endif
export CC
PREFIX ?= /usr/local
FUZZ_SEEDS ?= 1-400

BUILD := build

.PHONY: all deps demo test install bench fuzz lint hostile asan clean
.DEFAULT_GOAL := all

# $(call build,folder,meson options): configured once, then Ninja decides.
build = @test -f $1/build.ninja || meson setup $1 $2 >$1.log 2>&1 || { cat $1.log; rm -rf $1; exit 1; }; \
	rm -f $1.log; ninja -C $1 --quiet

all: deps
	$(call build,$(BUILD))

deps:
	@scripts/install-deps

demo: all
	@scripts/demo $(BUILD)/src/cli/tamar

test: all
	@scripts/test $(BUILD)

lint: all
	@scripts/lint $(BUILD)

# The assertions of the development build cost time; what is installed or measured is built without them.
install: deps
	$(call build,build-release,-Dbuildtype=release)
	@meson configure build-release -Dprefix=$(abspath $(PREFIX))
	@meson install -C build-release --quiet

bench: deps
	$(call build,build-release,-Dbuildtype=release)
	@bench/all build-release/src/cli/tamar

fuzz: all
	@tests/fuzz/all $(BUILD) $(FUZZ_SEEDS)

# Tiny limits everywhere, so that every slow path runs all the time.
hostile: deps
	$(call build,build-hostile,-Dhostile=true)
	@scripts/test --no-lint build-hostile

asan: deps
	$(call build,build-asan,-Db_sanitize=address$(comma)undefined -Db_lundef=false)
	@scripts/test --no-lint build-asan
comma := ,

clean:
	rm -rf build build-release build-hostile build-asan cache/lint
