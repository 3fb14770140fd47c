// A variable-length array of a symbolic length: each length is a path, none is left out. A length of which there are too many is given up, and
// said.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --sym-stdin 1 --emit all --out %t.a %s | FileCheck %s
// RUN: python3 -c 'import json; s = json.load(open("%t.a/summary.json")); assert s["complete"] and s["assertions"]["failed"] == 1, s'
// RUN: status 3 %tamar run --sym-stdin 4 -DLARGE --out %t.b %s | FileCheck %s --check-prefix=LARGE
// REQUIRES: run
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
#ifdef LARGE
    unsigned length;
    if (fread(&length, sizeof length, 1, stdin) != 1) return 1;
    length = length % 100000 + 1;
#else
    int c = getchar();
    if (c < 0) return 1;
    unsigned length = ((unsigned)c & 7) + 1;
#endif
    char text[length];
    memset(text, 'x', sizeof text);
#ifndef LARGE
    assert(sizeof text != 6);
#endif
    return text[0] != 'x';
}
// CHECK: assert: {{.*}}assertion `sizeof text != 6` fails
// CHECK: slower: alloca of a symbolic size: each size becomes a path
// LARGE: given up: alloca of a large symbolic size: it got one value
