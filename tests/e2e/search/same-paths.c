// The paths depend neither on the strategy nor on the time at which conditions are checked.
// RUN: rm -rf %t.*
// RUN: for s in rp fair dfs dfs-random bfs random depth covnew klee exe sage oasis oasis-runs oasis-any 'fresh(exe)' 'batch(rp)' 'rr(rp,dfs)' 'share(fair,fresh(exe))' 'ph(rp,dfs,2)' 'pending(rp)'; do for f in --feasibility=eager --feasibility=pending --relax-checks; do status 1 %tamar run -q --search "$s" $f --out %t.$s$f --sym-arg 2 --sym-stdin 0..2 %s && python3 %S/Inputs/summary "%t.$s$f" 'paths.completed == 151' 'len(bugs) == 2' 'complete' || exit 1; done; done
// RUN: status 1 %tamar run -q --search zesti --out %t.z --sym-arg 2 --sym-stdin 0..2 %s
// RUN: python3 %S/Inputs/summary %t.z 'paths.completed == 151' 'len(bugs) == 2' 'complete' 'paths.infeasible > 0' 'time.infeasible > 0'
// REQUIRES: run
#include <stdio.h>

static const char letters[] = "abcdef";
static int table[4] = {7, 1, 0, 3};

int main(int argc, char **argv) {
    int sum = 0, c;
    for (const char *p = argv[1]; *p; p++) {
        switch (*p) {
        case 'a': sum += 1; break;
        case 'b':
        case 'c': sum += 2; break;
        case 'z': sum = -1; break;
        default: sum += 3;
        }
    }
    while ((c = getchar()) != EOF) {
        if (c < 'k') sum++;
        if (sum == 5) sum = letters[c & 7]; // index 7 is past the end
    }
    if (sum >= 0 && sum < 4) return 10 / table[sum]; // one is zero
    return 0;
}
