// The path of a seed is followed to its end without a query, also for symbolic indices into symbolic data, lengths,
// allocation sizes and written tables. Concretized values are replayed. Every alternative is explored later.
// RUN: rm -rf %t && mkdir %t %t/seeds && printf '\003abcdefgh\002\001' >%t/seeds/one
// RUN: status 3 %tamar run -q --emit all --max-paths 1 --seeds %t/seeds --sym-stdin 11 --out %t/1 %s
// RUN: python3 %S/Inputs/summary %t/1 'queries.total == 0' 'paths.completed == 1' 'symbolic.left_out == 0' && cmp %t/seeds/one %t/1/tests/000001/stdin
// RUN: %tamar replay %t/1
// The bug needs another index and another length than the seed has.
// RUN: status 1 %tamar run -q --seeds %t/seeds --sym-stdin 11 --max-time 400 --max-paths 1000000 --max-bugs 1 --out %t/2 %s | FileCheck %s
// CHECK: out-of-bounds: {{.*}}seed-path.c:[[# @LINE + 20]]
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char in[11], counts[256], copy[16];

int main(void) {
    if (read(0, in, sizeof in) != sizeof in) return 1;
    unsigned sum = 0;
    unsigned length = in[0] & 7;
    for (unsigned i = 0; i < length; i++) {
        counts[in[1 + i]]++;                // a write at an unknown place
        sum += counts[in[1 + (in[i] & 7)]]; // a read of what was written
    }
    unsigned char *block = malloc(length + 1); // an unknown size
    if (!block) return 2;
    memset(block, 1, length + 1);
    memcpy(copy, in + 1, length); // an unknown length
    block[0] = copy[in[9] & 15];
    if (in[10] == 9 && length == 5) sum += copy[in[9] & 31]; // more than copy has
    free(block);
    return sum == 77;
}
