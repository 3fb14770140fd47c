// A resumed run names the reason for which the interrupted one dropped paths, and advises nothing else.
// RUN: rm -rf %t && status 3 %tamar run --sym-stdin 6 --max-depth 4 --max-paths 4 --search dfs --out %t %s | FileCheck --check-prefix=FIRST %s
// RUN: status 3 %tamar run --resume %t --max-paths 0 | FileCheck %s
// FIRST: ended by --max-paths
// FIRST: paths were dropped: --max-depth
// CHECK: ended by --max-depth; 0 paths left
// CHECK-NOT: --max-memory
#include <stdio.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 6; i++) {
        int c = getchar();
        if (c == 'a' + i)
            n++;
        else if (c > 100 + i)
            break;
    }
    return n;
}
