// Targets are the lines that an lcov file counts as not executed; here a first run with less input writes that file.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar run %s --sym-arg 1 -q --out first
// RUN: cd %t && %tamar reach --uncovered-by first/coverage.info %s --sym-arg 2 --out second | FileCheck %s
// REQUIRES: reach
// CHECK: reached {{.*}}uncovered.c:13 {{.*}} and natively
// CHECK: reached {{.*}}uncovered.c:16 {{.*}} and natively
// CHECK-NOT: reached
#include <stdio.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a') {
        if (argv[1][1] == 'b')
            puts("ab");
        puts("a");
        if (argv[1][1] == 'c')
            puts("ac");
    }
    return 0;
}
