// A seed with numbers is followed with a few branches for each character of a number, whatever its digits.
// RUN: rm -rf %t.out %t.seeds
// RUN: mkdir %t.seeds
// RUN: printf '3.14159265358979e0,-2.5e-3,1e100,0.30000000000000004,6.02214076e23' >%t.seeds/numbers
// RUN: status 3 %tamar run --sym-stdin 66 --seeds %t.seeds --max-paths 1 --out %t.out %s >%t.txt
// RUN: python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["symbolic"]["branches"] < 600)' %t.out/summary.json | FileCheck %s
// REQUIRES: run
// CHECK: True
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char text[128] = "", *at = text, *end;
    double sum = 0;
    if (read(0, text, sizeof text - 1) <= 0) return 0;
    for (;; at = end + 1) {
        sum += strtod(at, &end);
        if (end == at || *end != ',') break;
    }
    return sum > 1e99 ? 0 : 1;
}
