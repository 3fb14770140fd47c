// Otter's Figure 3.3: from the first call the line looks near, but only with the eighth argument it is possible, and `f`
// never returns. The shortest distance enters the first call and stays there: it forks in the loop of `f` and no more.
// RUN: rm -rf %t && status 3 %tamar reach figure-3.3.c:20 %s --no-prove --out %t --search sdse --step 2000 --max-instructions 60000 --json -q >%t.json
// RUN: python3 -c 'import json; d = json.load(open("%t.json")); assert d["forks"] < 12 and d["targets"][0]["distance"] == 0 and "figure-3.3.c:19" in d["targets"][0]["obstacle"], d'
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
