// AddressSanitizer accepts an access that lands in another object: the bug is not confirmed, status 1, with the reason.
// RUN: rm -rf %t && status 1 %tamar run -q --sym-stdin 1..1 --out %t %s
// RUN: status 1 %tamar replay %t >%t.txt
// RUN: FileCheck %s <%t.txt
// REQUIRES: run, replay
// CHECK: sanitizers: not seen {{.*}}; AddressSanitizer does not see an access that lands in another object
// CHECK: 0 of 1 that show a bug confirmed
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(16), *q = malloc(16);
    long to_q = q - p;
    q[0] = 3;
    return getchar() == 'x' ? p[to_q] : 0;
}
