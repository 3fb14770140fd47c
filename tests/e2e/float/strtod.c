// strtod of six unconstrained bytes: the default search finds a spelling of 125 that takes all six.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 6 --max-time 300 --max-tests 1 --emit errors --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: abort: {{.*}}strtod.c:[[#@LINE+9]]
// REPLAY: as predicted
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char text[7] = "", *end;
    if (read(0, text, 6) != 6) return 0;
    double number = strtod(text, &end);
    if (end == text + 6 && number == 12.5e1) abort();
    return 0;
}
