// A block of no bytes may begin anywhere. In a large object each place becomes a path, also the one past its end where only the
// length 0 is left.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --out %t.out %s >%t.txt
// RUN: grep "no bug found" %t.txt
// RUN: grep "3 paths, 3 tests; every path was explored" %t.txt
// REQUIRES: run
#include <string.h>
#include <tamar.h>

static char large[70000], to[8], *volatile start = large;

int main(void) {
    unsigned where;
    unsigned char length;
    tamar_symbolic(&where, sizeof where, "where");
    tamar_symbolic(&length, sizeof length, "length");
    tamar_assume((where == 0) | (where == 6000) | (where == 100000));
    tamar_assume((length <= 4) & ((where != 100000) | (length == 0)));
    memcpy(to, start + where, length);
    return 0;
}
