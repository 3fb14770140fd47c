// A loop is executed once in the sliced program: fewer paths, the same lines. A bug of the sliced program only (a
// division by the result of the cut function, 0) is never reported.
// REQUIRES: slice
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %tamar run --json --sym-arg 3 %s > whole.json
// RUN: %tamar slice --mode 5 %s -o sliced.bc 2>&1 | FileCheck --check-prefix=SLICE %s
// SLICE: sliced.bc: 2 of {{[0-9]+}} edges cut, in 2 of 2 functions
// RUN: status 1 %tamar run -q --sym-arg 3 sliced.bc | FileCheck --check-prefix=ITSELF %s
// ITSELF: div-by-zero
// RUN: status 3 %tamar run --json --slice 5 --sym-arg 3 %s > sliced.json 2> said
// RUN: FileCheck --check-prefix=SAID %s < said
// SAID: sliced by mode 5 in {{[0-9.]+}} s: {{[0-9]+}} paths, {{[0-9]+}} inputs for the original; every path of the sliced program was explored
// RUN: python3 -c 'import json; a, b = (json.load(open(f + ".json")) for f in ("whole", "sliced")); assert a["bugs"] == b["bugs"] == [], b; assert a["coverage"]["line"] == b["coverage"]["line"], b; assert b["paths"]["completed"] < a["paths"]["completed"]'
// RUN: status 3 %tamar run -q --json --slice 5 --sym-arg 3 --jobs 1 --out one %s > one.json && status 3 %tamar run -q --json --slice 5 --sym-arg 3 --jobs 3 --out three %s > three.json && diff -r one/tests three/tests
// RUN: python3 -c 'import json; a, b = (json.load(open(f + ".json")) for f in ("sliced", "three")); assert a["coverage"] == b["coverage"] and a["sliced"][0]["paths"] == b["sliced"][0]["paths"], b'
// RUN: %tamar run --json --slice auto --sym-arg 3 %s | FileCheck --check-prefix=AUTO %s
// AUTO: "complete": true
// RUN: status 2 %tamar run --slice 7 %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: --slice
// RUN: status 2 %tamar slice %s -o /nowhere/x.bc 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: /nowhere/x.bc: No such file or directory
#include <stdlib.h>

static int rounds(int n) {
    int count = 1;
    for (int i = 0; i < n; i++) count += 2;
    return count;
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), x = 0, y = 0, z = 0;
    if (a < 0) return -1;
    int share = 100 / rounds(a < 5 ? 2 : 3);
    while (a < 12) {
        if (a < 4)
            x++;
        else if (a < 8)
            y++;
        else
            z++;
        a++;
    }
    return share + x + y + z;
}
