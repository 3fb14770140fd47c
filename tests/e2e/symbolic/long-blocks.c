// A block of up to 100,000 bytes, or 512 MB, with symbolic length and address is one update of the object's array: no
// length becomes a path. Each part has assertions about every byte, and one that fails for one input.
// RUN: rm -rf %t.*.out
// RUN: for part in copy words grow input huge; do status 1 %tamar run --emit all --sym-stdin 4 --out %t.$part.out %s -- $part >%t.$part.txt || exit 1; done
// RUN: cat %t.copy.txt %t.words.txt %t.grow.txt %t.input.txt %t.huge.txt | grep "^[0-9]* bug\|^[0-9]* paths\|^assertions" | FileCheck %s
// RUN: %tamar replay %t.copy.out | grep "\([0-9]*\) tests, \1 as predicted; 1 of 1 that show a bug confirmed"
// REQUIRES: run
#include <stdlib.h>
#include <string.h>
#include <tamar.h>
#include <unistd.h>

#define SIZE 100000u
static unsigned char source[SIZE], target[SIZE];
static int words[SIZE], copied[SIZE];

static unsigned number(const char *name, unsigned most) {
    unsigned n;
    tamar_symbolic(&n, sizeof n, name);
    tamar_assume(n <= most);
    return n;
}

static int at_source(unsigned i) { return i == 70000 ? 8 : 3; }
static int was_copied(unsigned k, unsigned at, unsigned n) { return k >= at && k - at < n; }

static void copy(void) {
    unsigned n = number("n", SIZE), at = number("at", SIZE), k = number("k", SIZE - 1);
    tamar_assume(at <= SIZE - n);
    memset(source, 3, SIZE);
    source[70000] = 8;
    memcpy(target + at, source, n);
    tamar_assert(target[k] == (was_copied(k, at, n) ? at_source(k - at) : 0));
    memmove(target + 1, target, SIZE - 1); // the copied array moves as a whole
    if (k) tamar_assert(target[k] == (was_copied(k - 1, at, n) ? at_source(k - 1 - at) : 0));
    memset(target, 9, n);
    tamar_assert(k >= n || target[k] == 9);
    tamar_assert(k != 77777 || n != 70005 || target[k] != 8); // fails: at is 7776
}

static void move_words(void) {
    unsigned n = number("n", SIZE), k = number("k", SIZE - 1), j = number("j", SIZE - 1);
    words[5] = 1 << 20;
    words[n / 2] = 77;
    memcpy(copied, words, n * sizeof *words);
    tamar_assert(copied[k] == (k < n ? words[k] : 0));
    copied[k] = -1;
    tamar_assert(copied[j] == (j == k ? -1 : j < n ? words[j] : 0));
    ((unsigned char *)copied)[4 * j + 1] = 6; // one byte of an element
    tamar_assert(j != k || copied[j] == -1 - (249 << 8));
    // Eight paths: k < n or not, and j is k, below n, or neither; where j is below n, the last assertion fails for 5.
    tamar_assert(j == k || copied[j] != (1 << 20 | 6 << 8)); // fails: j is 5
}

static void grow(void) {
    unsigned n = number("n", SIZE), m = number("m", SIZE), k = number("k", SIZE - 1);
    tamar_assume(n >= 20 && m >= 20 && k < n && k < m);
    char *p = malloc(n);
    memset(p, 'a', n);
    p[n - 1] = 'z';
    p = realloc(p, m);
    tamar_assert(p[k] == (k == n - 1 ? 'z' : 'a'));
    char *q = calloc(1, m);
    memcpy(q, p, n < m ? n : m);
    tamar_assert(q[k] == p[k]);
    if (m > n) tamar_assert(q[m - 1] == 0);
    if (n == 4711 && m == 4712) q[m] = 1; // out of bounds
    free(q);
    free(p);
}

static void move_huge(void) {
    unsigned n = number("n", 1u << 29);
    tamar_assume(n >= 100);
    char *p = malloc(n), *q = malloc(n);
    memset(p, 1, n);
    p[n / 2] = 5;
    memcpy(q, p, n);
    tamar_assert(q[n / 2] == 5 && q[n / 3] == 1);
    q = realloc(q, n + n / 2);
    tamar_assert(q[n / 2] == 5);
    tamar_assert(n != 123456789 || q[n - 1] != 1); // fails
    free(p);
    free(q);
}

static void read_input(void) {
    unsigned at = number("at", SIZE), k = number("k", SIZE - 1);
    tamar_assume(at <= SIZE - 4);
    long got = read(0, target + at, 4);
    tamar_assert(got == 4);
    tamar_assert(k - at < 4 || !target[k]);
    tamar_assert(k != 31337 || target[k] != 'x'); // fails
}

int main(int argc, char **argv) {
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'c': copy(); break;
    case 'w': move_words(); break;
    case 'g': grow(); break;
    case 'h': move_huge(); break;
    default: read_input();
    }
    return 0;
}
// CHECK: 1 bug,
// CHECK: {{^[0-9]+}} paths, {{[0-9]+}} tests; every path was explored
// CHECK: assertions: 3 proved, 1 failed
// CHECK: 1 bug,
// CHECK: {{^}}8 paths, 8 tests; every path was explored
// CHECK: assertions: 3 proved, 1 failed
// CHECK: 1 bug,
// CHECK: {{^}}5 paths, 5 tests; every path was explored
// CHECK: assertions: 3 proved, 0 failed
// CHECK: 1 bug,
// CHECK: {{^}}5 paths, 5 tests; every path was explored
// CHECK: assertions: 2 proved, 1 failed
// CHECK: 1 bug,
// CHECK: {{^}}2 paths, 2 tests; every path was explored
// CHECK: assertions: 2 proved, 1 failed
