# The first steps of a new user: a standalone driver with seeds, a function of an archive, an object and a shared library,
# and functions of several other tools in one harness.
# RUN: bash %s %t
# REQUIRES: run, cc
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
fail() { cat log; echo "$1" >&2; exit 1; }
# A driver with main and LLVMFuzzerTestOneInput: the seed is the file that main reads, or standard input.
cat >driver.c <<'E'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 5 && data[0] == 'S' && data[1] == 'E' && data[2] == 'E' && data[3] == 'D' && data[4] == 'x') abort();
    return 0;
}
int main(int argc, char **argv) {
    uint8_t bytes[64];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    return file ? LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, file)) : 1;
}
E
mkdir seeds && printf 'SEEDaaaa' >seeds/one
status 1 "$tamar" run driver.c --sym-file in=8 --seeds seeds --out file -- in >log 2>&1
grep -q 'abort: driver.c:5' log && grep -q 'with file in="SEEDxaaa"' log || fail "a seed as the driver's file"
status 1 "$tamar" run driver.c --sym-stdin 8 --seeds seeds --out stdin >log 2>&1
grep -q 'with stdin ="SEEDxaaa"' log || fail "a seed as standard input"
# Without options the driver gets a symbolic file, and so do the seeds.
status 1 "$tamar" run driver.c --seeds seeds --out default >log 2>&1
grep -q 'nothing is symbolic: trying --sym-file input=0..16 -- input' log || fail "the default input of a driver"
grep -q 'with file input="SEEDxaaa"' log || fail "a seed as the default file"
sed 's/abort()/return 3/' driver.c >quiet.c
"$tamar" run quiet.c --out quiet >log 2>&1 || fail "a driver without a bug"
grep -q 'next: tamar run quiet.c --sym-file input=0..64 -- input   (more symbolic input)' log ||
    grep -q 'next: tamar run quiet.c --sym-file input=0..16 --fail 1 -- input' log || fail "the advice for a driver"
printf 'SEEDaaaaaaaaaaaaaaaaaaaaa' >seeds/long
status 1 "$tamar" run driver.c --seeds seeds --out long >log 2>&1
grep -q '1 of 2 seeds are longer than the symbolic input: cut (the longest has 25 bytes)' log || fail "a long seed"
"$tamar" run driver.c --sym-input 8 --sym-arg 1 --out none >log 2>&1 || true
grep -q -- "--sym-input has no effect: the program's main is run" log || fail "--sym-input beside a main"
# --entry takes the outputs of a library's build.
echo 'int f(const char *s, int n) { return n == 3 && s[0] == (char)113 ? s[n] : 0; }' >lib.c
"$tamar" cc -g -fPIC -c lib.c && ar crs lib.a lib.o && "$tamar" cc -g -shared lib.o -o lib.so
for library in lib.a lib.o lib.so; do
    status 1 "$tamar" run $library --entry f --entry-length s=n --out entry-$library >log 2>&1
    grep -q 'out-of-bounds: .*lib.c:1' log || fail "$library"
done
# Otter's and KLEE's functions; an undeclared function; printing.
cat >habits.c <<'E'
#include <tamar.h>
int main(void) {
    int a[3], m;
    __SYMBOLIC(&m, sizeof m, "m");
    make_symbolic(a);
    tamar_print(m);
    if (a[0] == 5) tamar_assert(a[2] != 7);
    puts("undeclared");
    return m == 3;
}
E
status 1 "$tamar" run -w habits.c --out habits >log 2>&1
grep -q 'assert: habits.c:7' log && grep -q '^tamar: m: [0-9]* (symbolic, for example)$' log || fail "habits"
# Numbers in sentences: one byte, one path.
echo 'int main(int argc, char **argv) { return argv[1][1] == 7; }' >one.c
status 1 "$tamar" run one.c --sym-arg 1 --out one >log 2>&1
grep -q 'here 1 byte with its NUL' log && ! grep -qE '(^|[^0-9])1 (bytes|paths|tests|bugs|times)' log || fail "one byte"
