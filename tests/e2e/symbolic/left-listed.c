// A pointer read from a table at a symbolic index, or selected, belongs to the object it points to: an access through
// it that lands in another object is an error, whatever indices the path excludes. Accesses that stay inside are not.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run -q %s --out out >text 2>&1
// RUN: grep -c 'out-of-bounds:' %t/text | grep -x 5
// RUN: grep -o 'left-listed.c:[0-9]*' %t/text | cut -d: -f2 | sort -n | uniq >%t/found
// RUN: grep -n '// wrong$' %s | cut -d: -f1 | sort -n >%t/wanted && cmp %t/found %t/wanted
// REQUIRES: run
#include <string.h>
#include <tamar.h>
static struct {
    unsigned char room[4096];
} around[3];
static unsigned char small[8], *const table[3] = {around[0].room, small, around[2].room}, *kept;
int main(void) {
    unsigned k = (unsigned)tamar_int("k") % 3, n = (unsigned)tamar_int("n");
    tamar_assume(n > 1000 && n < 4000); // no red zone
    unsigned char *p = table[k], *q = small + n, *r = around[1].room + n;
    switch (tamar_choose(8)) {
    case 0: return p[n]; // wrong
    case 1: p[n] = 1; return 0; // wrong
    case 2: kept = p + n; return *kept; // wrong
    case 3: memset(p + n, 1, 5); return 0; // wrong
    case 4: return *(k ? q : r); // wrong
    case 5: return k != 1 ? p[n] : 0;
    case 6: kept = p + n; return kept[-(long)n];
    case 7: return p[n % 8];
    }
    return 0;
}
