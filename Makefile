# Carries the commands of the README; Meson and Ninja do the work.
#   make demo     install what is missing, build, run Tamar on examples with real bugs
#   make test     the same, then all tests; the last line is `N passed, N failed`
# Further: make, deps, install PREFIX=, deb, bench, fuzz, lint, hostile, asan, clean.

# clang 19 builds everything: Tamar itself, and the C that it executes. CaDiCaL is C++ inside, but only its runtime
# library is needed (libstdc++-12-dev), no C++ compiler.
ifeq ($(origin CC),default)
CC := clang-19
endif
export CC
PREFIX ?= /usr/local
FUZZ_SEEDS ?= 1-400

BUILD := build

.PHONY: all deps test-deps demo test install deb bench fuzz lint hostile asan clean
.DEFAULT_GOAL := all

all: deps
	@scripts/build $(BUILD)

deps:
	@scripts/install-deps

test-deps:
	@scripts/install-deps test

demo: all
	@scripts/demo $(BUILD)/src/cli/tamar

test: test-deps all
	@scripts/test $(BUILD)

lint: all
	@scripts/lint $(BUILD)

# The assertions of the development build cost time; what is installed or measured is built without them.
install: deps
	@scripts/build build-release -Dbuildtype=release
	@meson configure build-release -Dprefix=$(abspath $(PREFIX))
	@meson install -C build-release --quiet

# build-release/tamar_VERSION_amd64.deb
deb: deps
	@scripts/build build-release -Dbuildtype=release
	@scripts/deb build-release

bench: deps
	@scripts/build build-release -Dbuildtype=release
	@bench/all build-release/src/cli/tamar

fuzz: all
	@tests/fuzz/all $(BUILD) $(FUZZ_SEEDS)

# Tiny limits everywhere, so that every slow path runs all the time.
hostile: deps
	@scripts/build build-hostile -Dhostile=true
	@scripts/test --no-lint build-hostile

asan: deps
	@scripts/build build-asan -Db_sanitize=address,undefined -Db_lundef=false
	@scripts/test --no-lint build-asan

clean:
	rm -rf build build-release build-hostile build-asan cache/lint cache/lint-cppcheck
