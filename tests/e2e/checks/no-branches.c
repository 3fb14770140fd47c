// Checks are not branches: lines, blocks, edges and conditions of a program do not depend on --check, nor do its paths
// if nothing fails.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && %tamar run -w --check none --sym-stdin 2 --emit all --out off %s >/dev/null
// RUN: cd %t && %tamar run -w --check undefined,integer,implicit-conversion,nullability --sym-stdin 2 --emit all --out on %s >/dev/null
// RUN: cd %t && %tamar cc -w %s -o program && %tamar run --check undefined --sym-stdin 2 --emit all --out built program >/dev/null
// RUN: cd %t && python3 -c 'import json; a, b, c = (json.load(open(f + "/summary.json")) for f in ("off", "on", "built")); assert a["coverage"] == b["coverage"] == c["coverage"] and a["paths"] == b["paths"] == c["paths"], (a, b)'
// RUN: cd %t && %tamar replay on | grep "as predicted"
// REQUIRES: run, replay, cc
#include <stdio.h>

struct counts {
    int seen[8], sum;
};

int main(void) {
    struct counts counts = {0};
    int a = getchar(), b = getchar();
    if (a < 0 || b < 0) return 1;
    unsigned char low = (unsigned char)(a & 7);
    counts.seen[low]++;
    counts.sum += (1 << (b & 15)) + a / (b + 1);
    int *where = &counts.seen[b & 7];
    *where += 3;
    if (counts.sum > 4000 && *where == 4) return 2;
    return counts.seen[(a >> 3) & 7] > 2;
}
