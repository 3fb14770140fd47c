# A user of KLEE: bitcode made by hand, klee.h, POSIX options, .ktest files in both directions.
# RUN: bash %s %t %S
# REQUIRES: run, replay, stats
set -eu
work=$1 root=$2/../../..
rm -rf "$work" && mkdir "$work" && cd "$work"
PATH=$(dirname "$TAMAR_BINARY"):$PATH
cat >sign.c <<'END'
#include <assert.h>
#include <klee/klee.h>
int get_sign(int x) {
    if (x == 0) return 0;
    if (x < 0) return -1;
    return 1;
}
int main(void) {
    int a;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_assume(a != 12345);
    int sign = get_sign(a);
    if (a == 54321) assert(sign < 0);
    return sign;
}
END
clang-19 -I "$root/include" -emit-llvm -c -g -O0 -Xclang -disable-O0-optnone sign.c -o sign.bc
status 1 tamar run sign.bc --out klee-out --emit all >text
grep -q 'assert: sign.c:13' text
grep -q '^4 paths' text || { cat text; exit 1; }
cat >read.py <<'END'
import pathlib, struct, sys
values = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.ktest")):
    data, at = path.read_bytes(), 5
    def number():
        global at
        at += 4
        return struct.unpack(">i", data[at - 4:at])[0]
    def counted():
        global at
        size = number()
        at += size
        return data[at - size:at]
    assert data[:5] == b"KTEST" and number() == 3
    [counted() for _ in range(number())]
    number(), number()
    objects = {counted(): counted() for _ in range(number())}
    values.append(struct.unpack("<i", objects[b"a"])[0])
assert sorted(set((v > 0) - (v < 0) for v in values)) == [-1, 0, 1] and 54321 in values and 12345 not in values, values
END
python3 read.py klee-out/tests
tamar replay klee-out | grep -q '1 of 1 that show a bug confirmed'
tamar stats klee-out | grep -q '^queries'
# A .ktest file of KLEE (its own names, its own model_version) as the seed of a run.
cat >write.py <<'END'
import struct
def counted(b): return struct.pack(">i", len(b)) + b
objects = [(b"a", struct.pack("<i", 54321))]
data = b"KTEST" + struct.pack(">i", 3) + struct.pack(">i", 1) + counted(b"sign.bc") + struct.pack(">ii", 0, 0)
data += struct.pack(">i", len(objects)) + b"".join(counted(n) + counted(v) for n, v in objects)
import os
os.makedirs("seeds", exist_ok=True)
open("seeds/test000001.ktest", "wb").write(data)
END
python3 write.py
status 1 tamar run sign.bc --seeds seeds --out seeded --emit all -q >text
grep -q 'assert: sign.c:13' text
# The options of KLEE's POSIX environment that scripts use.
cat >echo.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == 'n') puts("n");
    return 0;
}
END
tamar run echo.c --sym-args 0 2 2 --sym-stdin 2 --search dfs --max-time 30 --out posix >text 2>&1
grep -q 'every path was explored' text
