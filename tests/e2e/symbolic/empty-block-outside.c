// A block of no bytes may begin anywhere, also far past the object's end. In a large object that can become an array
// all addresses are one path. In a mapping of which a part has other rights each address becomes a path.
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
