// A value that the program never set is 0 without the check, but no proof depends on it, and the run is not complete.
// With --uninitialised symbolic it is any value.
//
// Copies, masked bits, and results that are the same for every value are not uses.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar run -w -DUNUSED --sym-stdin 1 --out unused %s >unused.txt
// RUN: cd %t && grep "assertions: 3 proved, 0 failed" unused.txt && grep '"gave_up": \[\]' unused/summary.json
//
// In each of these the assertion holds for 0 only.
// RUN: cd %t && for what in LOCAL PHI ARRAY HEAP SCOPE INDIRECT MEMBER FLOATING WIDE REALLOC ALLOCA; do \
// RUN:     status 3 %tamar run -w -D$what --sym-stdin 1 --out $what %s >$what.txt || exit 1; \
// RUN:     grep "assertions: 0 proved, 0 failed, 1 open" $what.txt || exit 1; \
// RUN:     grep "depends on a value that was never set: only 0 was tried at .*unset.c" $what.txt || exit 1; \
// RUN:     status 1 %tamar run -q -w -D$what --sym-stdin 1 --uninitialised symbolic --out $what.any %s || exit 1; \
// RUN:     python3 -c 'import json, sys; s = json.load(open(sys.argv[1])); assert s["complete"] and s["assertions"]["failed"] == 1, s' $what.any/summary.json || exit 1; done
// The exact build sets such values of locals; other memory is not controlled natively.
// RUN: cd %t && status 1 %tamar replay LOCAL.any >local.txt; grep "exact: the same" local.txt && grep "only the exact build has values for locals" local.txt && not grep DIFFERS local.txt
// RUN: cd %t && status 1 %tamar replay HEAP.any >heap.txt; grep "memory that was never written holds what it happens to: DID NOT RUN" heap.txt
// In every mode, and after an interruption:
// RUN: cd %t && for how in "--feasibility pending" --relax-checks "--search dfs" "--max-paths 1"; do \
// RUN:     status 3 %tamar run -q -w -DPHI --sym-stdin 1 $how --out how %s || exit 1; \
// RUN:     python3 -c 'import json; s = json.load(open("how/summary.json")); assert not s["complete"] and not s["assertions"]["proved"], s' && rm -rf how || exit 1; done
// RUN: cd %t && status 3 %tamar run -q -w -DLATE --sym-stdin 1 --search dfs --max-paths 1 --out again %s && status 3 %tamar run -q --resume again --max-paths 0
// REQUIRES: run, replay
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    int i;
    unsigned low : 3, high : 5;
};

int main(void) {
    int c = getchar();
#ifdef UNUSED
    struct padded one, two; // padding and the other bits of a bit-field
    one.c = (char)c, one.i = 4, one.low = 5, one.high = 1;
    two = one;
    assert(two.low == 5 && two.high == 1 && two.c == (char)c && two.i == 4);
    char buffer[32], copy[32], *block = malloc(8); // half-filled
    strcpy(buffer, "text");
    memcpy(copy, buffer, sizeof copy);
    assert(strlen(copy) == 4);
    int never;
    block[3] = 7;
    assert((never & 0) == 0 && block[3] == 7);
    free(block);
#endif
#ifdef LOCAL
    int x;
    assert(x == 0);
#endif
#ifdef PHI
    int x;
    if (c == 'a') x = 3;
    assert(x == 0 || x == 3);
#endif
#ifdef ARRAY
    int x[4];
    x[1] = 0;
    assert(x[1] + x[2] == 0);
#endif
#ifdef HEAP
    unsigned char *x = malloc(8);
    assert(x[5] < 7);
#endif
#ifdef SCOPE
    for (int i = 0; i < 2; i++) { // what the round before left is not its value
        int x;
        if (i == 0) x = 5;
        if (i == 1) assert(x == 5 || x == 0);
    }
#endif
#ifdef INDIRECT
    char *x = malloc(4);
    int y = 2;
    if (x[1] == 3) y = 8;
    assert(y == 2);
#endif
#ifdef MEMBER
    struct padded x;
    x.c = 1;
    assert(x.i == 0);
#endif
#ifdef FLOATING
    double x;
    assert(x < 5.0);
#endif
#ifdef WIDE
    unsigned __int128 x;
    assert(x >> 100 == 0);
#endif
#ifdef REALLOC
    int *x = malloc(4);
    x[0] = 3;
    x = realloc(x, 64);
    assert(x[0] + x[9] == 3);
#endif
#ifdef ALLOCA
    char x[(c & 3) + 1];
    assert(x[0] == 0);
#endif
#ifdef LATE
    int x;
    if (c == 'q') assert(x == 0);
#endif
    return 0;
}
