// An access at a small constant distance from a valid pointer never lands in another object: red zones are wider.
// RUN: rm -rf %t.out && not %tamar run -w --out %t.out --max-time 200 --sym-stdin 2..2 --emit errors %s >%t.txt 2>&1
// RUN: FileCheck %s --input-file %t.txt
// CHECK-NOT: assert:
// CHECK: every path was explored
// RUN: grep -q '"kind": "out-of-bounds"' %t.out/summary.json
// RUN: not grep -q '"kind": "assert"' %t.out/summary.json
#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GET(sign, n)                                                                                         \
    __attribute__((noinline)) static char get##sign##n(const char *p) { return p[SIGN_##sign n]; }
#define SIGN_plus  +
#define SIGN_minus -
// clang-format off
#define FOR_ALL(DO, sign) \
    DO(sign, 1) DO(sign, 4) DO(sign, 7) DO(sign, 8) DO(sign, 12) DO(sign, 16) \
    DO(sign, 20) DO(sign, 24) DO(sign, 31) DO(sign, 32) DO(sign, 36) DO(sign, 40) \
    DO(sign, 44) DO(sign, 47) DO(sign, 48) DO(sign, 52) DO(sign, 56) DO(sign, 60) \
    DO(sign, 63) DO(sign, 64) DO(sign, 65) DO(sign, 72) DO(sign, 80) DO(sign, 100)
// clang-format on
FOR_ALL(GET, plus)
FOR_ALL(GET, minus)
#define ROW(sign, n) {SIGN_##sign n, get##sign##n},
static const struct {
    long distance;
    char (*get)(const char *);
} rows[] = {FOR_ALL(ROW, plus) FOR_ALL(ROW, minus)};

static char one[1], two[9], three[24], four[40];
static const char five[] = "text", six[3] = {1}, seven[70] = {2};

__attribute__((noinline)) static void judge(const char *p, long size, int at_end, int row) {
    const char *from = at_end ? p + size : p;
    long distance = rows[row].distance + (at_end ? size : 0);
    rows[row].get(from);
    assert(distance >= 0 && distance < size); // otherwise the access has failed
}

// Locals of a function below these, and of a function with a variable-length array.
__attribute__((noinline)) static void below(int object, int at_end, int row) {
    char a[8] = {0}, b[20] = {0}, c[3] = {0}, variable[object + 1];
    variable[0] = 0;
    if (object == 6) judge(a, sizeof a, at_end, row);
    if (object == 7) judge(b, sizeof b, at_end, row);
    if (object == 8) judge(c, sizeof c, at_end, row);
    if (object == 9) judge(variable, sizeof variable, at_end, row);
}

int main(int argc, char **argv) {
    unsigned char in[2];
    char p[4] = {0}, q[16] = {0}, r[33] = {0}, s[1] = {0}, *t = alloca(5), *u = alloca(12), *v = malloc(7),
         *w = malloc(40);
    if (!v || !w || read(0, in, 2) != 2) return 1;
    long argv_size = (long)strlen(argv[0]) + 1;
    t[0] = u[0] = v[0] = w[0] = 0;
    const struct {
        const char *at;
        long size;
    } objects[] = {{one, sizeof one},
                   {two, sizeof two},
                   {three, sizeof three},
                   {four, sizeof four},
                   {five, sizeof five},
                   {six, sizeof six},
                   {0, 0},
                   {0, 0},
                   {0, 0},
                   {0, 0},
                   {seven, sizeof seven},
                   {p, sizeof p},
                   {q, sizeof q},
                   {r, sizeof r},
                   {s, sizeof s},
                   {t, 5},
                   {u, 12},
                   {v, 7},
                   {w, 40},
                   {argv[0], argv_size}};
    int count = sizeof objects / sizeof *objects, row = 0, object = 0;
    while (row < (int)(sizeof rows / sizeof *rows) && in[0] != row) row++;
    while (object < 2 * count && in[1] != object) object++;
    if (row == sizeof rows / sizeof *rows || object == 2 * count) return 1;
    int at_end = object & 1;
    object /= 2;
    if (!objects[object].at)
        below(object, at_end, row);
    else
        judge(objects[object].at, objects[object].size, at_end, row);
    return 0;
}
