// Text to double without path explosion: one path for each form of the text, not for each value, and no hard queries.
// RUN: rm -rf %t.out %t.more
// RUN: status 1 %tamar run --sym-stdin 3 --max-time 60 --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// RUN: status 1 %tamar run --sym-stdin 5 --max-time 120 --out %t.more -DEXPECTED=12.5e1 %s | FileCheck --check-prefix=MORE %s
// RUN: %tamar replay %t.more | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: abort {{.*}}atof-paths.c:[[#@LINE+19]]
// CHECK: {{^[0-9][0-9][0-9]?}} paths, {{.*}}; every path was explored
// MORE: abort {{.*}}atof-paths.c:[[#@LINE+17]]
// MORE: {{^[0-9]*}} paths, {{.*}}; every path was explored
// REPLAY: as predicted
#include <stdlib.h>
#include <unistd.h>

#ifndef EXPECTED
#define EXPECTED 2.5
#endif

int main(void) {
    char text[16] = "";
    long length = read(0, text, sizeof text - 1);
    if (length <= 0) return 0;
    double number = atof(text);
    if (number > 1e40) return 1;
    if (number < -0.25) return 2;
    if (number == EXPECTED) abort();
    return 0;
}
