# tamar deps: a source whose build files are in a subfolder, one whose build fails, and one without build files. The
# sources are already present, so nothing is downloaded.
# RUN: rm -rf %t && mkdir %t && cd %t && TAMAR_PREFIX=%t/prefix XDG_CACHE_HOME=%t/cache bash %s %tamar
# REQUIRES: run
set -eu
tamar=$1
fail() { echo "$1" >&2; exit 1; }
sources=$XDG_CACHE_HOME/tamar/deps/sources
mkdir -p "$sources"/inner-example/{docs,inner-example,tools} "$sources"/broken-example "$sources"/empty-example/docs "$sources"/two-example/{one,two}
touch "$sources"/{inner,broken,empty,two}-example/.complete
cat >"$sources/inner-example/inner-example/Makefile" <<'END'
libinner.a: inner.c
	$(CC) -c inner.c -o inner.o
	ar crs $@ inner.o
install: libinner.a
	mkdir -p $(prefix)/lib64 $(prefix)/include
	cp libinner.a $(prefix)/lib64
	cp inner.h $(prefix)/include
END
echo 'int inner(int x) { return x + 1; }' >"$sources/inner-example/inner-example/inner.c"
echo 'int inner(int x);' >"$sources/inner-example/inner-example/inner.h"
echo 'all:; false' >"$sources/inner-example/tools/Makefile"
printf 'all:\n\t@echo "broken.c:3: error: no such thing"; false\n' >"$sources/broken-example/Makefile"
echo 'all:; true' | tee "$sources/two-example/one/Makefile" >"$sources/two-example/two/Makefile"

"$tamar" deps inner-example || fail "build files in a folder of the library's name"
printf '#include <inner.h>\nint main(int argc, char **argv) { return inner(argc) - 2; }\n' >main.c
"$tamar" cc main.c -linner -o main && ./main && "$tamar" exec main || fail "the library is not found"

if "$tamar" deps broken-example empty-example two-example 2>errors; then fail "status 0 for libraries that were not built"; fi
grep -q 'broken-example: could not be built: broken.c:3: error: no such thing' errors || { cat errors; fail "the cause is not named"; }
grep -q 'not built: broken-example empty-example two-example' errors || { cat errors; fail "what was not built is not named"; }
grep -q 'build files in one and in two' errors || { cat errors; fail "an ambiguous folder is not named"; }

# A tool that the build needs is named with its package, before the build. `tools` has the commands of this machine but it.
mkdir -p "$sources/no-tool-example" tools
touch "$sources/no-tool-example/"{.complete,configure.ac}
ln -sf /usr/bin/* tools
rm -f tools/{autoreconf,libtoolize}
if PATH=$PWD/tools "$tamar" deps no-tool-example 2>errors; then fail "status 0 without a tool"; fi
grep -q 'no-tool-example: could not be built: error: tools are missing: apt-get install.* autoconf.* libtool' errors || { cat errors; fail "the missing tool is not named"; }
