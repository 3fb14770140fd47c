// A checkpoint stores common parts of adjacent states once: four hundred states along one path do not take four hundred
// times its decisions. The resumed run explores every path.
// RUN: rm -rf %t && status 3 %tamar run -q --feasibility pending --search dfs --max-paths 1 --out %t %s
// RUN: test $(wc -c < %t/checkpoint) -lt 150000
// RUN: %tamar run -q --resume %t
// RUN: %filecheck --check-prefix=ALL --input-file %t/summary.json %s
// ALL: {{.*}}"completed": 401,{{.*}}
// REQUIRES: run
#include <tamar.h>

int main(void) {
    int x, found = 0;
    tamar_symbolic(&x, sizeof x, "x");
    for (int i = 0; i < 400; i++)
        if (x == i * 7) found++;
    return found;
}
