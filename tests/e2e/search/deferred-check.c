// An assertion whose failing side was deferred is not proved: not if the run ends before the check, nor if it is
// resumed and ends again, nor if the solver gives no answer. It is proved once the side was refuted.
// RUN: rm -rf %t && mkdir %t && cd %t && status 3 %tamar run -q --feasibility pending --search bfs --max-tests 1 --emit all --out early %s
// RUN: cd %t && python3 %S/Inputs/summary early 'assertions.proved == 0' 'assertions.failed == 0' 'assertions.open == 3'
// RUN: cd %t && cp -r early again && status 3 %tamar run -q --resume again --max-tests 2 --max-instructions 1
// RUN: cd %t && python3 %S/Inputs/summary again 'assertions.proved == 0' 'assertions.open == 3'
// RUN: cd %t && status 1 %tamar run -q --resume early --max-tests 100
// RUN: cd %t && python3 %S/Inputs/summary early 'assertions.proved == 1' 'assertions.failed == 1' 'assertions.open == 0' 'complete'
// RUN: cd %t && status 1 %tamar run -q --feasibility pending --out whole %s
// RUN: cd %t && python3 %S/Inputs/summary whole 'assertions.proved == 1' 'assertions.failed == 1' 'assertions.open == 0' 'complete'
// RUN: cd %t && status 3 %tamar run -q --feasibility pending -DHARD --solver-timeout 0.2 --out hard %s
// RUN: cd %t && python3 %S/Inputs/summary hard 'assertions.proved == 0' 'assertions.open == 1' 'paths.incomplete == 1'
// REQUIRES: run
#include <assert.h>
#include <tamar.h>

int main(void) {
#ifdef HARD
    unsigned long p;
    tamar_symbolic(&p, sizeof p, "p");
    for (int i = 0; i < 9; i++) p = p * p ^ p >> 31 ^ p << 11;
    assert(p != 0x123456789abcdef);
#else
    unsigned x, y, z;
    tamar_symbolic(&x, sizeof x, "x");
    tamar_symbolic(&y, sizeof y, "y");
    tamar_symbolic(&z, sizeof z, "z");
    tamar_assume(x < y && y < z);
    assert(x + 1 <= y);             // holds
    assert(x * 7 + y != 123456789); // does not
    switch (z - x) {                // cases wait in the same way
    case 0:
    case 1: assert(0); // no value comes there: open while undecided, then not counted
    }
#endif
    return 0;
}
