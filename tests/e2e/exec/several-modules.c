// The linker's rules over bitcode and C files: weak and common definitions, aliases, local names, redefined
// library functions, constructors of all modules.
// RUN: %clang -c -emit-llvm -fcommon -DOTHER %s -o %t.bc
// RUN: status 3 %tamar exec -fcommon %s %t.bc >%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#ifdef OTHER
int shared[8] = {1, 2, 3};
int tentative[16];
static int own(void) { return 200; }
int other(void) { return own() + tentative[15]; }
int strong(void) { return 2; }
static int started;
__attribute__((constructor(150))) static void start(void) { started = 7; }
int has_started(void) { return started; }
#else
#include <stdio.h>
extern int shared[];
int tentative[2];
int other(void);
int has_started(void);
__attribute__((weak)) int strong(void) { return 1; }
extern int nowhere(void) __attribute__((weak));
static int own(void) { return 100; }
int atoi(const char *text) { return text[0] - '0' + 1000; } // comes before the library's
int main(void) {
    tentative[1] = 5;
    printf("%d %d %d\n", own() + other(), strong(), nowhere == NULL);
    printf("%d %d %d\n", shared[2], atoi("3"), has_started());
    return shared[2];
}
#endif
// CHECK: 300 2 1
// CHECK-NEXT: 3 1003 7
