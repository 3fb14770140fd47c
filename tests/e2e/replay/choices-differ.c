// A native run that takes another path is detected: here its clock differs from the engine's.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar run %s --sym-stdin 1 --emit all -q >/dev/null
// RUN: cd %t && %tamar replay --exact tamar-last | FileCheck --check-prefix=SAME %s
// RUN: cd %t && sed -i 's/"hex": "61"/"hex": "62"/' tamar-last/tests/*.json
// RUN: cd %t && status 1 %tamar replay --exact tamar-last >%t.text; FileCheck %s <%t.text
// RUN: cd %t && printf x >tamar-last/tests/000001.json && status 2 %tamar replay --exact tamar-last 1 2>&1 | FileCheck --check-prefix=DAMAGED %s
// RUN: cd %t && status 2 %tamar replay nowhere 2>&1 | FileCheck --check-prefix=NOWHERE %s
// The other tests are run.
// RUN: cd %t && status 1 %tamar replay --exact tamar-last 2>&1 | FileCheck --check-prefix=REST %s
// REQUIRES: run, replay
// REST-DAG: 000001.json: a value is expected
// REST-DAG: test 000001: {{.*}}: its file is damaged
// REST: 2 tests, {{[01]}} as predicted; 1 damaged
// SAME: 2 tests, 2 as predicted
// CHECK: ANOTHER PATH
// CHECK: 2 tests, 1 as predicted
// DAMAGED: 000001.json: a value is expected
// NOWHERE: nowhere: No such file
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == 'a') puts("a");
    return 0;
}
