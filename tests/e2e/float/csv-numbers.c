// Parses a table of numbers, separated by commas and lines, from ten symbolic bytes; finds a column with a given mean.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 10 --max-time 300 --max-tests 1 --emit errors --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: abort {{.*}}csv-numbers.c:[[#@LINE+26]]
// REPLAY: as predicted
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char text[11] = "";
    double first = 0, second = 0;
    int rows = 0;
    if (read(0, text, 10) != 10) return 0;
    for (char *line = text; *line; rows++) {
        char *end = strchr(line, '\n');
        if (!end) return 0;
        *end = 0;
        double a;
        if (sscanf(line, "%lf,", &a) != 1) return 0;
        char *comma = strchr(line, ',');
        if (!comma) return 0;
        char *rest;
        second += strtod(comma + 1, &rest);
        if (rest == comma + 1 || *rest) return 0;
        first += a;
        line = end + 1;
    }
    if (rows == 2 && first / rows == 4.5 && second > 10) abort();
    return 0;
}
