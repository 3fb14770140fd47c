// Lines after a crash, a call that does not return or a jump are not covered, also for `tamar reach`. The first path
// that executes them becomes a test.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run -q %s --sym-arg 1 --out out >text
// RUN: cd %t && python3 %S/Inputs/check-lines %s out %tamar
// REQUIRES: run, reach
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
static jmp_buf env;
static void leave(int k) {
    if (k == 1)
        exit(3); // reached
    if (k == 2)
        longjmp(env, 1); // reached
}
static int crash(int *p) {
    int a = 1;
    *p = a; // reached
    a += *p; // never
    printf("%d\n", a); // never
    return a; // never
}
static void never(void) {
    puts("before"); // reached
    exit(1); // reached
    puts("after");
}
// One input crashes where others continue.
static int divide(int c) {
    int y = 100 / (c - 'q'); // reached
    y += 2; // reached
    y *= 3; // reached
    exit(y); // reached
}
int main(int argc, char **argv) {
    int x = 0;
    if (argv[1][0] == 'q' || argv[1][0] == 'r')
        divide(argv[1][0]); // reached
    if (argv[1][0] == 'x') {
        x = crash(NULL); // reached
        puts("behind"); // never
        x++; // never
    }
    if (argv[1][0] == 'n')
        never();
    if (argv[1][0] == 'l') {
        if (setjmp(env) == 0) {
            leave(2); // reached
            puts("not reached"); // never
        }
        puts("jumped"); // reached
    }
    if (argv[1][0] == 'g') {
        if (argc == 2)
            goto out;
        x = 8; // never
    out:;
    end:;
    }
    switch (argv[1][0]) {
    case 1:
        x = argc == 3 ? 100 / (argc - 3) : 1; // reached
        leave(1); // reached
        x = 2; // never
    case 2:;
    case 3:;
    }
    leave(1); // reached
    puts("dead"); // never
    return x; // never
}
