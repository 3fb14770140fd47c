// The exact build alone does not confirm a bug: status 1, with the reason and the remedy. Sanitizers confirm it.
// RUN: rm -rf %t && status 1 %tamar run -q --sym-stdin 1 --out %t %s
// RUN: status 1 %tamar replay --exact %t >%t.txt; FileCheck %s <%t.txt
// RUN: %tamar replay --exact --sanitizers %t | FileCheck %s --check-prefix=BOTH
// REQUIRES: run, replay
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    if (getchar() == 'x') abort();
    return 0;
}
// CHECK: 2 tests, 2 as predicted; 0 of 1 that show a bug confirmed, 1 by the exact build alone
// CHECK: status 1: the exact build alone confirms no bug, since it shares the engine's model; replay without --exact
// BOTH: 1 of 1 that show a bug confirmed
// BOTH-NOT: status 1
