// The arguments after -- are the program's, its exit status is Tamar's.
// RUN: status 3 %tamar exec %s -- one "two words" -x >%t
// RUN: FileCheck %s <%t
// RUN: status 0 %tamar exec %s
// RUN: status 1 %tamar exec %s -- --
// REQUIRES: exec
#include <stdio.h>

int main(int argc, char **argv) {
    for (int i = 1; i <= argc; i++) printf("[%s]\n", argv[i] ? argv[i] : "end");
    return argc - 1;
}
// CHECK: [one]
// CHECK-NEXT: [two words]
// CHECK-NEXT: [-x]
// CHECK-NEXT: [end]
