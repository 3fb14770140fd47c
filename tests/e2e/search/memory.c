// Infeasible pending states are freed before any other state: no path is lost, although each of them holds a megabyte
// and not all fit into the limit.
// RUN: rm -rf %t.*
// RUN: %tamar run -q --search 'pending(rp)' --max-memory 130 --out %t.1 %s
// RUN: python3 %S/Inputs/summary %t.1 'paths.killed == 0' 'paths.infeasible >= 200' 'paths.completed == 2' 'complete'
// RUN: %tamar run -q --search 'pending(rp)' --max-memory 0 --out %t.2 %s
// RUN: python3 %S/Inputs/summary %t.2 'paths.completed == 2' 'complete' 'peak_memory > 200 << 20'
// REQUIRES: run
// UNSUPPORTED: sanitized
#include <string.h>
#include <tamar.h>

static char large[1 << 20];

int main(void) {
    unsigned char a, b;
    int answer = 0;
    tamar_symbolic(&a, sizeof a, "a");
    tamar_symbolic(&b, sizeof b, "b");
    tamar_assume(a + b == 100);
    for (int i = 1; i <= 220; i++) {
        memset(large, i, sizeof large);
        if (a + b == 100 + i) answer = 1; // never
    }
    return a > 50 ? 1 : answer;
}
