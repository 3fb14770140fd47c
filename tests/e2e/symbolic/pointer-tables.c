// Pointers from tables of up to 1,000 objects: an access is one term over the index of the table, so that objects do
// not become paths. The numbers of paths were counted by hand.
// RUN: rm -rf %t.*.out
// RUN: for part in list bad sizes; do status 1 %tamar run --emit all --out %t.$part.out %s -- $part >%t.$part.txt || exit 1; done
// RUN: cat %t.list.txt %t.bad.txt %t.sizes.txt | grep "^[0-9]* bugs*,\|^ [0-9][.] \|^[0-9]* paths\|^assertions" | FileCheck %s
// RUN: %tamar replay %t.bad.out | grep "6 tests, 6 as predicted; 4 of 4 that show a bug confirmed"
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

#define COUNT 1000u
struct node {
    int value;
    struct node *next;
    char name[8];
};
static struct node *table[COUNT];

static unsigned number(const char *name, unsigned most) {
    unsigned n;
    tamar_symbolic(&n, sizeof n, name);
    tamar_assume(n <= most);
    return n;
}

static void fill(void) {
    for (unsigned i = 0; i < COUNT; i++) {
        table[i] = calloc(1, sizeof(struct node));
        table[i]->value = (int)i * 3;
        table[i]->next = i ? table[i - 1] : NULL;
    }
}

// Nine paths: the value is 300; the next one's is 600; without a next, j is k or not; with one, j is k and k is 500 or
// not; j is not k, and k is not 500; k is 500, and j is 999 or not.
static void list(void) {
    fill();
    unsigned k = number("k", COUNT - 1), j = number("j", COUNT - 1);
    struct node *node = table[k];
    if (node->value == 300) return;
    if (node->next && node->next->value == 600) return;
    node->value = 7;
    tamar_assert(table[j]->value == (j == k ? 7 : (int)j * 3));
    tamar_assert(k != 500 || table[j]->value != 2997); // fails: j is 999
}

// Six paths: null, freed, read past the end, write to a constant, and two valid ones.
static void bad(void) {
    static const struct node constant = {9, NULL, "nine"};
    static int small;
    fill();
    table[3] = NULL;
    free(table[4]);
    table[5] = (struct node *)&small;
    table[6] = (struct node *)&constant;
    unsigned k = number("k", 9);
    struct node *node = table[k];
    if (node->name[0] == 'n' && k == 7) return; // never: only the constant has a name
    node->value++;
    if (node->value == 28) tamar_assert(k == 9);
}

// Objects of a symbolic size. Three paths: the size is too small for object 2; k is 2 or not.
static void sizes(void) {
    unsigned n = number("n", 40), k = number("k", 2);
    char *blocks[3] = {malloc(8), malloc(8), malloc(n)};
    blocks[k][4] = 'x';
    if (k == 2) tamar_assert(n >= 5);
}

int main(int argc, char **argv) {
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'l': list(); break;
    case 'b': bad(); break;
    default: sizes();
    }
    return 0;
}
// CHECK: 1 bug,
// CHECK: 1. assert
// CHECK: {{^}}9 paths, 9 tests; every path was explored
// CHECK: assertions: 1 proved, 1 failed
// CHECK: 4 bugs,
// CHECK-DAG: use-after-free {{.*}}read of 1 byte
// CHECK-DAG: null {{.*}}read of 1 byte
// CHECK-DAG: out-of-bounds {{.*}}read of 1 byte
// CHECK-DAG: out-of-bounds {{.*}}write of 4 bytes to constant memory
// CHECK: {{^}}6 paths, 6 tests; every path was explored
// CHECK: assertions: 1 proved, 0 failed
// CHECK: 1 bug,
// CHECK: 1. out-of-bounds
// CHECK: {{^}}3 paths, 3 tests; every path was explored
// CHECK: assertions: 1 proved, 0 failed
