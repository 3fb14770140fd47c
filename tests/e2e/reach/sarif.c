// For each result of a static analyser, the output says whether an input confirms it.
// RUN: rm -rf %t && mkdir %t && cd %t && python3 %S/Inputs/make-sarif.py %s >report.sarif
// RUN: cd %t && status 1 %tamar reach --sarif report.sarif %s --sym-arg 2 --out out --no-prove | FileCheck %s
// REQUIRES: reach
// CHECK-DAG: {{^}}confirmed {{.*}}sarif.c:21 core.NullDereference {{.*}}null, test
// CHECK-DAG: {{^}}not confirmed {{.*}}sarif.c:24 core.DivideZero {{.*}}reached, but no such bug
// CHECK-DAG: {{^}}confirmed {{.*}}sarif.c:26 deadcode.Style {{.*}}(reached)
// CHECK-DAG: {{^}}not confirmed {{.*}}sarif.c:29 bufferOverrun {{.*}}unreachable
// CHECK-DAG: {{^}}confirmed {{.*}}sarif.c:13 core.NullDereference {{.*}}null, test
// CHECK: 3 of 5 reports confirmed
#include <stdio.h>

static int first(const int *of) { return *of; } // REPORT core.NullDereference

int main(int argc, char **argv) {
    int *p = &argc, n = argv[1][0];
    int zero = argv[1][1] == 'z';
    if (n == 'n') p = 0;
    if (zero)
        n = 1;
    printf("%d\n", *p); // REPORT core.NullDereference
    if (n < 1)
        n = 2;
    printf("%d\n", 10 / n); // REPORT core.DivideZero
    if (zero)
        puts("z"); // REPORT deadcode.Style
    char small[2] = {0};
    if (n > 5 && n < 4)
        small[n] = 1; // REPORT bufferOverrun
    return small[0] + first(argv[1][1] == 'f' ? 0 : p);
}
