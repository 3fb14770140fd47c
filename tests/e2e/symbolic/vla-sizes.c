// A variable-length array of symbolic length is one object with a symbolic bound: no length forks, none is left out.
// RUN: rm -rf %t.a %t.b %t.c
// RUN: status 1 %tamar run --sym-stdin 1 --emit all --out %t.a %s | FileCheck %s
// RUN: python3 -c 'import json; s = json.load(open("%t.a/summary.json")); assert s["complete"] and s["assertions"]["failed"] == 1, s'
// RUN: %tamar run --sym-stdin 8 -DLARGE --out %t.b %s | FileCheck %s --check-prefix=LARGE
// RUN: %tamar replay %t.b | FileCheck %s --check-prefix=REPLAY
// RUN: status 1 %tamar run --sym-stdin 8 -DLARGE -DPAST --out %t.c %s | FileCheck %s --check-prefix=PAST
// RUN: %tamar replay %t.c | grep "2 of 2 that show a bug confirmed"
// REQUIRES: run
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
#ifdef LARGE
    unsigned length, at;
    if (fread(&length, sizeof length, 1, stdin) != 1 || fread(&at, sizeof at, 1, stdin) != 1) return 1;
#ifdef PAST
    if (!length || at > length) return 1; // `at` may be the length, and the length more than there is stack for
#else
    length = length % 100000 + 1;
    at %= length;
#endif
    // PAST: stack-overflow: {{.*}}vla-sizes.c:[[#@LINE+1]]
    int table[length];
    if (length > 1000000) return 2;
    memset(table, 0, sizeof table);
    // PAST: out-of-bounds: {{.*}}vla-sizes.c:[[#@LINE+1]]
    table[at] = 1;
    assert(table[length / 2] == (at == length / 2));
#else
    int c = getchar();
    if (c < 0) return 1;
    unsigned length = ((unsigned)c & 7) + 1;
    char text[length];
    memset(text, 'x', sizeof text);
    assert(sizeof text != 6);
    return text[length - 1] != 'x';
#endif
    return 0;
}
// CHECK: assert: {{.*}}assertion `sizeof text != 6` fails
// CHECK: 2 paths
// LARGE: no bug found
// LARGE: every path was explored{{$}}
// LARGE: assertions: 1 proved, 0 failed
// REPLAY: as predicted
