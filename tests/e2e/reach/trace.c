// The stack of an ASan report, or of gdb, is enough to find an input that takes the same path: its lines are targets in
// this order. The last line can also be reached without the others, through `other`.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -g -O0 -fsanitize=address -I%S/../../../include %s -o crash && (ASAN_OPTIONS=detect_leaks=0 ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19 ./crash yx 2>asan.txt; true)
// RUN: cd %t && grep -q heap-buffer-overflow asan.txt
// RUN: cd %t && %tamar reach --trace asan.txt %s --sym-arg 3 --out asan --no-prove | FileCheck %s
// RUN: cd %t && python3 -c 'import json; d = json.load(open("asan/summary.json")); n = max(t["test"] for t in d["targets"]); t = json.load(open("asan/tests/%%06d.json" %% n)); assert bytes.fromhex(t["inputs"][0]["hex"])[:2] == b"yx", t'
// RUN: cd %t && printf '#0  put (at=0x1, i=9) at /somewhere/trace.c:23\n#1  0x0000000000401136 in by_y (s=0x7ffe "yx") at trace.c:32\n#2  main (argc=2) at trace.c:42\n' >gdb.txt
// RUN: cd %t && %tamar reach --trace gdb.txt %s --sym-arg 3 --out gdb --no-prove | FileCheck %s
// RUN: cd %t && printf '{"runs":[{"results":[{"codeFlows":[{"threadFlows":[{"locations":[{"location":{"physicalLocation":{"artifactLocation":{"uri":"trace.c"},"region":{"startLine":42}}}},{"location":{"physicalLocation":{"artifactLocation":{"uri":"trace.c"},"region":{"startLine":32}}}},{"location":{"physicalLocation":{"artifactLocation":{"uri":"trace.c"},"region":{"startLine":23}}}}]}]}]}]}]}' >flow.sarif
// RUN: cd %t && %tamar reach --trace flow.sarif %s --sym-arg 3 --out flow --no-prove | FileCheck %s
// RUN: cd %t && status 1 %tamar reach --trace gdb.txt %s --sym-arg 1 --out short --no-prove >/dev/null
// REQUIRES: reach
// CHECK-DAG: reached {{.*}}trace.c:42
// CHECK-DAG: reached {{.*}}trace.c:32
// CHECK-DAG: reached {{.*}}trace.c:23
#include <stdlib.h>
#include <string.h>

static char *table;

static void put(char *at, int i) {
    if (i > 3)
        at[i] = 1; // the line, out of bounds

}

static void other(void) { put(table, 9); }

static void by_y(const char *s) {
    if (s[1] != 'x') return;

    put(table, 4 + (s[2] == 0));
}


int main(int argc, char **argv) {
    table = malloc(4);
    const char *s = argv[1];
    if (argc < 2) return 1;
    if (s[0] == 'z') other();
    if (s[0] == 'y')
        by_y(s);
    return 0;
}
