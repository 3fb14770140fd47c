// memcpy of zero bytes may begin at any address, also far past the object's end. A large object can become an array
// term: one path for all addresses. A mapping with a page of other access rights cannot: one path for each address.
// RUN: rm -rf %t.a.out %t.b.out
// RUN: %tamar run --emit all --out %t.a.out %s >%t.txt
// RUN: grep "no bug found" %t.txt
// RUN: grep "1 path, 1 test; every path was explored" %t.txt
// RUN: %tamar run --emit all --out %t.b.out -DMAPPED %s >%t.txt
// RUN: grep "no bug found" %t.txt
// RUN: grep "3 paths, 3 tests; every path was explored" %t.txt
// RUN: grep "slower: a block in a large object: the path forks on each address" %t.txt
// REQUIRES: run
#include <string.h>
#include <sys/mman.h>
#include <tamar.h>

static char large[70000], to[8], *volatile start = large;

int main(void) {
#ifdef MAPPED
    start = mmap(NULL, 81920, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(start + 77824, 4096, PROT_READ);
#endif
    unsigned where;
    unsigned char length;
    tamar_symbolic(&where, sizeof where, "where");
    tamar_symbolic(&length, sizeof length, "length");
    tamar_assume((where == 0) | (where == 6000) | (where == 100000));
    tamar_assume((length <= 4) & ((where != 100000) | (length == 0)));
    memcpy(to, start + where, length);
    return 0;
}
