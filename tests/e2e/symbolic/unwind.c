// --unwind N: a loop with more than N iterations is named, and the run is not complete; with enough iterations it is.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: status 1 %tamar run --sym-arg 4 --unwind 5 --out five %s | FileCheck --check-prefix=FIVE %s
// RUN: status 3 %tamar run --sym-arg 4 --unwind 2 --out two %s | FileCheck --check-prefix=TWO %s
// RUN: %tamar replay five | FileCheck --check-prefix=REPLAY %s
// TWO: given up: a loop has more rounds than --unwind allows{{[^:]*}} at {{[^ ]*}}unwind.c:23, {{[^ ]*}}unwind.c:15 (2 times)
// FIVE-NOT: a loop has more rounds
// FIVE: every path was explored
// REPLAY: [[TESTS:[0-9]+]] tests, [[TESTS]] as predicted; [[BUGS:[1-9]]] of [[BUGS]] that show a bug confirmed
#include <assert.h>
#include <string.h>
static int sum(const char *text) {
    int total = 0;
    // inner loops are counted from 0 each time: three times two iterations are six in all
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) total += i * j;

    for (const char *p = text; *p; p++) total += *p == 'x';
    return total;
}
static int again(const char *text) {
    int rounds = 0;
    do rounds++;
    while (rounds < 5 && text[0] == 'y');
    return rounds;
}
int main(int argc, char **argv) {
    if (argc < 2) return 1;
    if (again(argv[1]) == 5) return 5;
    assert(sum(argv[1]) != 6);
    return 0;
}
