// A pointer moves by the result of a comparison, as in parsers of arguments. Once the path has decided the comparison,
// the pointer is concrete again, and a read through it reads one string, not an ite over all of them. The decisions
// record this, too: a resumed run continues with the same paths.
// RUN: rm -rf %t && mkdir %t && cd %t && status 0 %tamar run -q --out whole %s --sym-arg 2 --sym-arg 2 --sym-arg 2 --sym-arg 2
// RUN: cd %t && python3 %S/../search/Inputs/summary whole 'paths.completed == 133' 'queries.sat == 0' 'complete'
// RUN: cd %t && status 3 %tamar run -q --out parts %s --max-forks 20 --search bfs --sym-arg 2 --sym-arg 2 --sym-arg 2 --sym-arg 2
// RUN: cd %t && status 0 %tamar run -q --resume parts --max-forks 100000
// RUN: cd %t && python3 %S/../search/Inputs/summary parts 'paths.completed == 133' 'complete'
// REQUIRES: run
#include <stdbool.h>
#include <string.h>

static char **words;

static bool next(const char *wanted) {
    if (!*words) return false;
    bool same = strcmp(*words, wanted) == 0;
    words += same;
    return same;
}

static int seen;

static int factor(void) {
    if (next("x")) return 1;
    if (!next("y")) return 0;
    seen++; // not a choice of values alone
    return 2;
}

static int sum(void) { // at each place: x, y or neither; then +, - or neither
    int value = factor();
    while (value) {
        if (next("+"))
            value += factor();
        else if (next("-"))
            value -= factor();
        else
            break;
    }
    return value;
}

int main(int argc, char **argv) {
    words = argv + 1;
    return (sum() + seen) & 1;
}
