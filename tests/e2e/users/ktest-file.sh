# KTEST_FILE, as with KLEE's libkleeRuntest: a natively built program takes its objects from a .ktest file of KLEE or
# Tamar.
# RUN: bash %s %t %tamar
# REQUIRES: run
set -eu
tamar=$2
rm -rf "$1" && mkdir "$1" && cd "$1"
fail() { echo "$1" >&2; exit 1; }
cat >two.c <<'END'
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
    int a, b[2];
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(b, sizeof b, "same");
    klee_assume(a > 5);
    int c = klee_int("same");
    if (klee_is_replay()) printf("%d %d %d %d replay %u\n", a, b[0], b[1], c, klee_is_replay());
    if (a == 7 && c == 9) return 1;
    return 0;
}
END
"$tamar" cc two.c -o two
cat >write.py <<'END'
import struct, sys
def counted(b): return struct.pack(">i", len(b)) + b
def file(name, objects, version=3):
    data = b"KTEST" + struct.pack(">i", version) + struct.pack(">i", 1) + counted(b"two.bc") + (struct.pack(">ii", 0, 0) if version > 1 else b"")
    open(name, "wb").write(data + struct.pack(">i", len(objects)) + b"".join(counted(n) + counted(v) for n, v in objects))
i = lambda *v: struct.pack(f"<{len(v)}i", *v)
file("good.ktest", [(b"arg0", b"x\0"), (b"a", i(7)), (b"model_version", i(1)), (b"same", i(1, 2)), (b"same", i(9))])
file("old.ktest", [(b"a", i(8)), (b"same", i(1, 2)), (b"same", i(9))], 1)
file("assume.ktest", [(b"a", i(5)), (b"same", i(1, 2)), (b"same", i(9))])
file("few.ktest", [(b"a", i(6)), (b"same", i(1, 2))])
file("size.ktest", [(b"a", i(6)), (b"same", i(1)), (b"same", i(9))])
file("name.ktest", [(b"a", i(6)), (b"other", i(1, 2)), (b"same", i(9))][:2])
open("cut.ktest", "wb").write(open("good.ktest", "rb").read()[:-6])
END
python3 write.py
expect() { # FILE STATUS TEXT
    status=0
    KTEST_FILE=$1 ./two >text 2>&1 || status=$?
    [ $status = "$2" ] && grep -qF "$3" text || { cat text; fail "$1: status $status, expected $2: $3"; }
}
expect good.ktest 1 '7 1 2 9 replay 1'
expect old.ktest 0 '8 1 2 9 replay 1'
expect assume.ktest 1 'invalid klee_assume'
expect few.ktest 1 'out of inputs'
expect size.ktest 1 'object sizes differ'
expect name.ktest 1 'object name mismatch'
expect cut.ktest 1 'cut off'
expect nowhere.ktest 1 'unable to open'
KLEE_RUN_TEST_ERRORS_NON_FATAL=1 KTEST_FILE=few.ktest ./two 2>errors | grep -q '^6 1 2 0 replay 1' || fail "errors that are not fatal"
# Tamar's own tests, in the same way
status=0
"$tamar" run --out out --emit all two >text || status=$?
for test in out/tests/*.ktest; do KTEST_FILE=$test ./two; done | grep -q '^7 .* 9 replay 1' || fail "tests of a run"
