// Otter's Figure 3.5: as Figure 3.3, but `g` is in between, and main calls it only with 30 and more. Backward search
// alone explores `g` with smaller values; forward search alone finds the call but no path through `f`. Mixed search
// reaches the line. The strategy picks after every block, as in Otter.
// RUN: rm -rf %t && mkdir %t
// RUN: for s in 'mix(rp)' 'mix(klee)'; do %tamar reach figure-3.5.c:25 %s --no-prove -q --out "%t/$s" --search "$s" --step 1 --max-instructions 3000000 || exit 1; done
// RUN: for s in rp sdse 'ccbse(rp)'; do status 3 %tamar reach figure-3.5.c:25 %s --no-prove -q --out "%t/$s" --search "$s" --step 1 --max-instructions 300000 || exit 1; done
// RUN: python3 %S/../search/Inputs/summary '%t/mix(rp)' 'paths.partial > 0' 'paths.joined > 0' 'len(bugs) == 0'
// REQUIRES: reach
#include <tamar.h>

static unsigned work(unsigned n) {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) sum += i;
    return sum;
}

static void f(int m, int n) {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (n % 2) sum += n % 2 + 1;
        n /= 2;
    }
    for (volatile int forever = 1; forever;)
        if (sum == 0 && m == 43)
            tamar_assert(0); // the line
}

static void g(int m, int n) {
    for (int i = 0; i < 1000; i++)
        if (m == i) f(m, n);
}

int main(void) {
    int m, n;
    tamar_symbolic(&m, sizeof m, "m");
    tamar_symbolic(&n, sizeof n, "n");
    work(10000);
    if (m >= 30) g(m, n);
    return 0;
}

// The default of `tamar reach`.
// RUN: %tamar reach figure-3.5.c:25 %s --no-prove -q --out %t/default --max-instructions 2000000
