// Tables of 65,536 elements read at a symbolic index below their size: pointers, structs with functions, two
// dimensions. All elements are tried at once, where SAT took more than ten seconds or gave up.
// RUN: rm -rf %t.a
// RUN: %tamar run -q --max-time 60 --emit all --out %t.a %s
// RUN: python3 -c 'import json; s = json.load(open("%t.a/summary.json")); assert s["complete"] and s["queries"]["unknown"] == 0 and s["queries"]["sat"] < 4 and s["paths"]["completed"] == 10, (s["queries"], s["paths"])'
// RUN: %tamar replay %t.a | grep "10 tests, 10 as predicted"
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

static int cells[64], *pointers[65536];

static void pointer_table(unsigned i) {
    for (int k = 0; k < 64; k++) cells[k] = k * k;
    for (int k = 0; k < 65536; k++) pointers[k] = &cells[k / 8 % 64];
    *pointers[i] += 1;
    if (*pointers[i] != 49 + 1) exit(1);
    tamar_assert(i / 8 % 64 == 7);
    exit(2);
}

static int first(int x) { return x / 2; }
static int second(int x) { return x / 3; }
static struct operation {
    const char *name;
    int (*function)(int);
} operations[65536];

static void function_table(unsigned i) {
    for (int k = 0; k < 65536; k++) operations[k] = (struct operation){"name", k % 3 ? first : second};
    int y = operations[i].function((int)i);
    tamar_assert(y == (int)(i % 3 ? i / 2 : i / 3));
    exit(3);
}

static int grid[256][256];

static void two_dimensions(unsigned x, unsigned y) {
    for (int v = 0; v < 256; v++)
        for (int h = 0; h < 256; h++) grid[v][h] = h * v;
    grid[y][x]++;
    tamar_assert(grid[y][x] == (int)(x * y) + 1);
    if (grid[y][x] != 255 * 255 + 1) exit(4);
    tamar_assert(x == 255 && y == 255);
    exit(5);
}

int main(void) {
    unsigned i = (unsigned)tamar_int("i"), j = (unsigned)tamar_int("j");
    switch (tamar_choose(3)) {
    case 0:
        if (i >= 65536) exit(6);
        pointer_table(i);
    case 1:
        if (i >= 65536) exit(6);
        function_table(i);
    default:
        if (i >= 256 || j >= 256) exit(6);
        two_dimensions(i, j);
    }
}
