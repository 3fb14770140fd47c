// --check float finds each of the three errors, with an input that causes it; without the option none is reported.
// RUN: rm -rf %t.out %t.off
// RUN: status 1 %tamar run --check float --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar run --emit all --out %t.off %s | grep "no bug found"
// RUN: status 125 %tamar exec --check float %s -- x 2>&1 | FileCheck --check-prefix=EXEC %s
// RUN: %tamar exec %s -- x
// REQUIRES: run, exec
// CHECK-DAG: div-by-zero{{:?}} {{.*}}checked.c:23
// CHECK-DAG: overflow{{:?}} {{.*}}checked.c:24
// CHECK-DAG: not-a-number{{:?}} {{.*}}checked.c:26
// EXEC: div-by-zero
#include <tamar.h>

int main(int argc, char **argv) {
    float a = 1, b = 0;
    if (argc == 1) {
        tamar_symbolic(&a, sizeof a, "a");
        tamar_symbolic(&b, sizeof b, "b");
    }
    tamar_assume(a >= -100 && a <= 1e10f && b > -2 && b < 2);

    volatile float quotient = a / b;
    volatile int whole = (int)a;
    float far = a * 1e38f; // infinite, when a is more than 3.4
    volatile float nothing = far - far;
    return quotient > 7 && whole == 5 && nothing == 0;
}
