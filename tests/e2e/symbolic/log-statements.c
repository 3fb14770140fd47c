// --log-statements: each executed line of user code, with the number of its path and of its conditions; forks; ends.
// RUN: rm -rf %t && mkdir %t && %tamar run -q --search dfs --log-statements %t/log --out %t/1 %s && FileCheck %s <%t/log
// CHECK: [0,0] {{.*}}log-statements.c:[[# @LINE + 13]] : if (x > 0) {
// CHECK-NEXT: [0,1] {{.*}}log-statements.c:[[# @LINE + 12]] : path 1 forks off
// CHECK-DAG: [{{[0-9]+}},1] {{.*}}:[[# @LINE + 13]] : } else if (x < -5)
// CHECK-DAG: [{{[0-9]+}},2] {{.*}}:[[# @LINE + 13]] : return 1;
// CHECK-DAG: [{{[0-9]+}},2] {{.*}}:[[# @LINE + 13]] : return 2;
// CHECK-DAG: [{{[0-9]+}},1] {{.*}}:[[# @LINE + 9]] : return 0;
// CHECK-DAG: [{{[0-9]+}},2] {{.*}} : the path ends: {{.*}}
// RUN: status 2 %tamar run --log-statements %t/x --target main --out %t/2 %s 2>%t/err && grep -q 'statements cannot be logged while targets are looked for' %t/err
// RUN: status 2 %tamar run --log-statements %t/none/x --out %t/3 %s 2>%t/err && grep -q 'No such file' %t/err
#include <tamar.h>
int main(void) {
    int x;
    tamar_symbolic(&x, sizeof x, "x");
    if (x > 0) {
        return 0;
    } else if (x < -5)
        return 1;
    return 2;
}
// REQUIRES: run
