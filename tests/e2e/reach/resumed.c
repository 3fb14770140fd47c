// A resumed run knows the targets that were reached before, and continues to look for the others. That states come from
// a checkpoint makes no target unreachable.
// RUN: rm -rf %t && status 3 %tamar run -q --sym-stdin 12 --search dfs --target %s:20 --target %s:23 --max-paths 3 --out %t %s | FileCheck --check-prefix=FIRST %s
// RUN: status 3 %tamar run -q --resume %t --max-paths 400 | FileCheck --check-prefix=THEN %s
// FIRST-DAG: {{^}}reached {{.*}}resumed.c:20  test 2,
// FIRST-DAG: {{^}}not found {{.*}}resumed.c:23
// THEN-DAG: {{^}}reached {{.*}}resumed.c:20  test 2,
// THEN-DAG: {{^}}reached {{.*}}resumed.c:23
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 12; i++) {
        int c = getchar();
        if (c == 'a' + i)
            sum += (unsigned)i * 3;
        else if (c > 200)
            // The first target.
            sum ^= (unsigned)c;
    }
    if (sum == 198) {
        puts("the second");
    }
    return sum == 77;
}
