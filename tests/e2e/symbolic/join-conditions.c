// --join-conditions: && and || are one branch if the right operand has no side effect and cannot fail. Values are those
// of the operators, other right operands are evaluated only where they must be, and native builds take the same path.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %tamar run -q %s --out apart && %tamar run -q %s --join-conditions --out joined
// RUN: %tamar replay joined >replayed && grep -q 'as predicted' replayed && not grep -q DIFFERS replayed
// RUN: python3 -c 'import json; a, b = (json.load(open(f"{n}/summary.json")) for n in ("apart", "joined")); assert a["complete"] and b["complete"] and b["assertions"]["proved"] == 1, b; assert a["paths"]["completed"] > b["paths"]["completed"] == 15, (a["paths"], b["paths"]); assert b["coverage"]["block"]["total"] < a["coverage"]["block"]["total"]'
//
// Otter's figure 4.2 with c || d: seven paths, as in the thesis (4.4), 13 with a branch for each operand.
// RUN: sed 's/c | d/c || d/' %S/../config/interactions.c > figure.c
// RUN: printf 'variable a bool\nvariable b bool\nvariable c bool\nvariable d bool\ntest one: 1\ntest zero: 0\n' > options
// RUN: %tamar config -q options figure.c | grep -q '^13 paths' && %tamar config -q --join-conditions options figure.c | grep -q '^7 paths'
#include <tamar.h>
static int evaluated, three = 3, table[4] = {1, 0, 2, 0};
static struct {
    int x, y;
} pair = {1, 1};
static int evaluate(void) { return ++evaluated; }
int main(void) {
    unsigned char in;
    tamar_symbolic(&in, 1, "in");
    int first = in & 1, a = first, b = in >> 1 & 1, c = in >> 2 & 1, d = in >> 3 & 1, result = 0;
    if ((a && b) || (c && d)) result |= 1;
    if ((a || b) && (c || d)) result |= 2;
    if (!(a && !b) || (c && !d)) result |= 4;
    if (a && (b || (c && d))) result |= 8;
    int x = (a && b) || c, y = a || (b && !c && pair.y == d);
    while (!(a || b)) {
        a = 1;
        result |= 64;
    }
    int *pointer = first ? &three : 0;
    if (pointer && *pointer == 3) result |= 128;         // may fail
    if (first && evaluate()) result |= 256;              // has a side effect
    if (first && 6 / first == 6) result |= 512;          // may fail
    if (in < 4 && table[in]) result |= 1024;             // may fail
    int wanted = ((first & b) | (c & d)) | ((first | b) & (c | d)) << 1 | (!(first & !b) | (c & !d)) << 2 |
                 (first & (b | (c & d))) << 3 | !(first | b) << 6 | first << 7 | first << 8 | first << 9 |
                 (in == 0 || in == 2) << 10;
    tamar_assert(result == wanted && x == ((first & b) | c) && y == (first | (b & !c & d)) && evaluated == first);
    return 0;
}
