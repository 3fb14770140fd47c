// Otter's Figure 3.3: from the first call the line looks near, but it is feasible only with the eighth argument, and
// `f` never returns. SDSE enters the first call and stays there, since it forks only in the loop of `f`.
// RUN: rm -rf %t %t.1 %t.2 %t.3 && status 3 %tamar reach figure-3.3.c:27 %s --no-prove --out %t --search sdse --step 2000 --max-instructions 60000 --json -q >%t.json
// RUN: python3 -c 'import json; d = json.load(open("%t.json")); assert d["forks"] < 12 and d["targets"][0]["distance"] == 0 and "figure-3.3.c:26" in d["targets"][0]["obstacle"], d'
//
// Backward, `f` is run with any m and n; the partial path is then tried at each call, and the eighth call takes it.
// SDSE goes from one call of `f` to the next.
// RUN: %tamar reach figure-3.3.c:27 %s --no-prove -q --out %t.1 --search 'ccbse(sdse)' --max-instructions 60000
// RUN: %tamar reach figure-3.3.c:27 %s --no-prove -q --out %t.2 --search 'ccbse(rp)' --step 100 --max-instructions 60000
// RUN: status 3 %tamar reach figure-3.3.c:27 %s --no-prove -q --out %t.3 --search rp --step 100 --max-instructions 60000
// RUN: python3 %S/../search/Inputs/summary %t.1 'paths.partial > 0' 'paths.joined == 1' 'instructions < 30000'
// REQUIRES: reach
#include <tamar.h>

static void f(int m, int n) {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        int a = n % 2;
        if (a) sum += a + 1;
        n /= 2;
    }
    volatile int forever = 1;

    while (forever) {

        if (sum == 0 && m == 7)
            tamar_assert(0); // the line
    }
}

int main(void) {
    int m, n;
    tamar_symbolic(&m, sizeof m, "m");
    tamar_symbolic(&n, sizeof n, "n");
    for (int i = 0; i < 1000; i++)
        if (m == i) f(m, n);
    return 0;
}

// The default strategy picks often enough to leave states that stay near the line.
// RUN: rm -rf %t.4 && %tamar reach figure-3.3.c:27 %s --no-prove -q --out %t.4 --max-instructions 1000000
