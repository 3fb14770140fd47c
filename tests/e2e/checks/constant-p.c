// __builtin_constant_p does not evaluate its argument.
// RUN: %tamar exec -w %s | grep "0 0 0 0 1"
// RUN: %tamar exec -w -O2 %s | grep "0 0 0 0 1"
// RUN: %tamar exec -w --check all %s | grep "0 0 0 0 1"
// REQUIRES: exec
#include <stdio.h>

static struct {
    int list[4], after;
} object;
static int table[4];

int main(int argc, char **argv) {
    int zero = argc - 1, nine = argc + 8, *null = zero ? &zero : 0;
    int division = __builtin_constant_p(argc / zero), pointer = __builtin_constant_p(*null);
    int member = __builtin_constant_p(object.list[nine]), element = __builtin_constant_p(table[nine]);
    printf("%d %d %d %d %d\n", division, pointer, member, element, __builtin_constant_p(5 / 2));
    return 0;
}
