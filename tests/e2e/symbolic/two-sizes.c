// Tables of two and more symbolic sizes: an element is inside because its row and its column are. One access per check
// can be outside.
// RUN: rm -rf %t.a %t.b
// RUN: %tamar run --sym-stdin 16 --emit all --out %t.a %s | FileCheck %s
// RUN: status 1 %tamar run --sym-stdin 16 -DTOO_FAR --emit all --out %t.b %s | FileCheck %s --check-prefix=FAR
// RUN: %tamar replay %t.b | grep "2 of 2 that show a bug confirmed"
// REQUIRES: run
// CHECK: no bug found
// CHECK: every path was explored
// CHECK-NOT: except
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef TOO_FAR
enum { MORE = 1 };
#else
enum { MORE = 0 };
#endif

static int matrix(const uint32_t *in) {
    uint32_t rows = in[0], columns = in[1], row = in[2], column = in[3];
    if (!rows || rows > 1000 || !columns || columns > 1000) return 2;
    int *element = malloc(rows * columns * sizeof *element);
    if (!element || row >= rows || column >= columns + MORE) return 3;
    // FAR-DAG: out-of-bounds: {{.*}}two-sizes.c:[[#@LINE+1]]
    element[row * columns + column] = 7;
    return element[row * columns + column] != 7;
}

static int image(const uint32_t *in) {
    const uint8_t *byte = (const uint8_t *)in;
    size_t width = byte[0], height = byte[1], x = byte[2], y = byte[3];
    if (!width || !height) return 2;
    uint8_t *pixels = calloc(height, width * 3);
    if (!pixels || x >= width || y >= height + MORE) return 3;
    // FAR-DAG: out-of-bounds: {{.*}}two-sizes.c:[[#@LINE+1]]
    pixels[(y * width + x) * 3 + 2] = 1;
    return 0;
}

int main(void) {
    uint32_t in[4];
    if (fread(in, sizeof in, 1, stdin) != 1) return 1;
    return in[3] == 1 << 20 ? image(in) : matrix(in);
}
