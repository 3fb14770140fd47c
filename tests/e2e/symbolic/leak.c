// Leaked memory is reported with the stack that allocated it. Memory is not leaked if a global, a live frame or another
// object still points to it, or into its middle, at the end. One bug, however the paths end.
// RUN: rm -rf %t.*.out
// RUN: status 1 %tamar run --emit all --check leak --out %t.a.out %s >%t.txt
// RUN: grep "1 bug" %t.txt
// RUN: grep "3 paths, 3 tests; every path was explored" %t.txt
// RUN: cat %t.a.out/bugs/leak-*.txt | FileCheck %s
// RUN: %tamar replay %t.a.out | grep "3 tests, 3 as predicted; 2 of 2 that show a bug confirmed"
// RUN: %tamar run --out %t.b.out %s | grep "no bug found"
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

struct node {
    struct node *next;
    char *name;
};

static struct node *list;
static char *middle;

static char *make(size_t size) {
    // CHECK: allocated by:
    // CHECK: malloc
    // CHECK: make {{.*}}leak.c:[[#@LINE+1]]
    return malloc(size);
}

static void add(void) {
    struct node *node = malloc(sizeof *node);
    node->name = malloc(7);
    node->next = list;
    list = node;
}

static void lose(void) {
    volatile char *lost = make(24);
    // CHECK: lose {{.*}}leak.c:[[#@LINE-1]]
    lost[0] = 1;
}

int main(void) {
    unsigned char c;
    tamar_symbolic(&c, 1, "c");
    static char *here;
    here = malloc(5);
    add(), add();
    middle = (char *)malloc(40) + 20;
    if (c < 200) lose(); // two of three paths
    if (c < 100) exit(here[0] = 0);
    return 0;
}
