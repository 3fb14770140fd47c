// on_exit gets the status of exit or of main's return, in reverse order of registration, mixed with atexit.
// RUN: same-as-native %tamar %s && same-as-native %tamar %s -- x
// RUN: %tamar cc -w %s -o %t && status 7 %t >%t.native && status 7 %tamar exec %t >%t.ours && cmp %t.native %t.ours
// RUN: status 7 %t | FileCheck %s
// CHECK: last 7 5
// CHECK-NEXT: atexit
// CHECK-NEXT: nested 7
// CHECK-NEXT: first 7 5
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void nested(int status, void *argument) { printf("nested %d\n", status); }
static void show(int status, void *argument) {
    printf("%s %d %d\n", (char *)argument, status, status * 11 % 72);
}
static void plain(void) {
    puts("atexit");
    on_exit(nested, NULL);
}
static __attribute__((destructor)) void destroy(void) { puts("destructor"); }

int main(int argc, char **argv) {
    if (on_exit(show, "first") || atexit(plain) || on_exit(show, "last")) return 1;
    if (argc > 1) exit(300);
    return 7;
}
