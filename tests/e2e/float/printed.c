// Numbers to text: one path for each sign, number of digits before the point and power of two, not for each digit. The
// number is found from its text, and a text that no number gives is refuted.
// RUN: rm -rf %t.out %t.none %t.long
// RUN: status 1 %tamar run --max-time 120 --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// RUN: %tamar run --max-time 120 --out %t.none '-DEXPECTED="12.345"' %s | FileCheck --check-prefix=NONE %s
// RUN: status 1 %tamar run --max-time 120 --out %t.long -DINTEGER '-DEXPECTED="-123456789012"' %s | FileCheck --check-prefix=LONG %s
// REQUIRES: run, replay
// CHECK: abort {{.*}}printed.c:[[#@LINE+27]]
// CHECK: {{^[0-9][0-9]?}} paths, {{.*}}; every path was explored
// NONE: {{^[0-9][0-9]?}} paths, {{.*}}; every path was explored
// LONG: abort {{.*}}printed.c:[[#@LINE+24]]
// LONG: {{^[12]?[0-9][0-9]}} paths, {{.*}}; every path was explored
// REPLAY: as predicted
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

#ifndef EXPECTED
#define EXPECTED "12.340"
#endif

int main(void) {
    char text[64];
#ifdef INTEGER
    long number;
    tamar_symbolic(&number, sizeof number, "number");
    snprintf(text, sizeof text, "%ld", number);
#else
    int cents;
    tamar_symbolic(&cents, sizeof cents, "cents");
    tamar_assume(cents >= 0 && cents < 10000);
    snprintf(text, sizeof text, "%.3f", cents / 100.0);
#endif
    if (strcmp(text, EXPECTED) == 0) abort();
    return 0;
}
