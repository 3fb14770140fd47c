// Parses `s=FLOAT` and `n=INTEGER` lines from ten symbolic bytes: two numbers whose product exceeds 999 reach the abort.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 10 --max-time 300 --max-tests 1 --emit errors --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: abort {{.*}}ini-numbers.c:[[#@LINE+25]]
// REPLAY: as predicted
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static float scale = 1;
static long count = 1;

int main(void) {
    char text[11] = "";
    if (read(0, text, 10) != 10) return 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *equals = strchr(line, '='), *end;
        if (*line == ';' || *line == '[') continue;
        if (!equals || equals != line + 1) return 0;
        if (*line == 's')
            scale = strtof(equals + 1, &end);
        else if (*line == 'n')
            count = strtol(equals + 1, &end, 10);
        else
            return 0;
        if (*end) return 0;
    }
    if (!(scale > 0) || count <= 0) return 0;
    if (scale * (float)count > 999 && scale < 1e4f && count < 100) abort();
    return 0;
}
