// One access that can fail in several ways is one bug for each way: the first one found hides none of the others.
// RUN: rm -rf %t.a %t.b %t.c
// RUN: status 1 %tamar run -q --sym-stdin 1..1 --out %t.a %s
// RUN: python3 %S/Inputs/check-kinds %t.a
// RUN: status 1 %tamar run -q --sym-stdin 1..1 --feasibility pending --out %t.b %s
// RUN: python3 %S/Inputs/check-kinds %t.b
// RUN: status 1 %tamar run -q --sym-stdin 1..1 --relax-checks --out %t.c %s
// RUN: python3 %S/Inputs/check-kinds %t.c
// REQUIRES: run
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int kept[2] = {1, 2}, *out_of_scope, *freed = malloc(8), c = getchar();
    {
        int inner[2] = {3, 4};
        out_of_scope = inner;
    }
    free(freed);
    int *pointers[6] = {kept, freed, NULL, out_of_scope, kept, kept + 1};
    if (c < 0 || c > 5) return 7;
    return pointers[c][c == 4 ? 9 : 0]; // FAILS
}
