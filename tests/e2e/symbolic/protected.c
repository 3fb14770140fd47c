// Access rights that change right after an access: the engine's cached translation of the page is invalidated. Ends of
// variable-length arrays whose size differs in each iteration.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 1 --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: grep "6 paths, 6 tests; every path was explored" %t.txt
// RUN: status 1 %tamar replay %t.out | FileCheck %s --check-prefix=REPLAY
// REQUIRES: run, replay
// CHECK: 5 bugs
// AddressSanitizer does not detect the last one: it unpoisons a variable-length array at its end.
// REPLAY: 6 tests, 5 as predicted; 4 of 5 that show a bug confirmed
#include <stdio.h>
#include <sys/mman.h>

static volatile char *page;

static void protect(int rights) {
    if (mprotect((void *)page, 4096, rights)) puts("refused");
}

int main(void) {
    int c = getchar();
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[1] = (char)c;
    page[2] = 5;
    protect(PROT_READ);
    if (page[2] != 5) return 1; // reading is allowed
    if (c == 'a') page[2] = 6;  // CHECK-DAG: out-of-bounds {{.*}}protected.c:[[#@LINE]]
    protect(PROT_NONE);
    if (c == 'b') return page[2]; // CHECK-DAG: out-of-bounds {{.*}}protected.c:[[#@LINE]]
    protect(PROT_READ | PROT_WRITE);
    page[2]++; // nothing was lost
    if (page[2] != 6 || page[1] != (char)c) return 2;
    protect(PROT_READ);
    if (c == 'c') page[1] = 0; // CHECK-DAG: out-of-bounds {{.*}}protected.c:[[#@LINE]]
    volatile char *kept = &page[2];
    for (int n = 1; n <= 4; n++) {
        volatile char sized[n];
        sized[n - 1] = (char)n;
        if (c == 'd' && n == 3)
            return sized[c - 'a']; // CHECK-DAG: out-of-bounds {{.*}}protected.c:[[#@LINE]]
        if (c == 'e' && n == 2) kept = &sized[1];
        if (sized[n - 1] != n) return 3;
    }
    return *kept == 6 ? 0 : 4; // CHECK-DAG: use-after-{{free|scope}} {{.*}}protected.c:[[#@LINE]]
}
