// A time limit is kept while one state makes many hard queries: undecided conditions are left for a resumed run, not
// given up.
// RUN: rm -rf %t && mkdir %t && cd %t && status 3 timeout 60 %tamar run --json --sym-stdin 24 --max-time 2 --solver-timeout 1000 %s > summary.json
// RUN: FileCheck %s < summary.json
// CHECK: "gave_up": []
// CHECK: "complete": false
#include <stdint.h>
#include <unistd.h>

int main(void) {
    uint64_t v[3] = {0}, found = 0;
    read(0, v, sizeof v);
    for (int i = 0; i < 50; i++) { // factors of a product of two primes, in 64 bits
        uint64_t a = v[0] + (uint64_t)i, b = v[1] ^ v[2];
        if ((a & 0xffffffff) * (b & 0xffffffff) == 0xd8f3b9c5e2a1f4d7 + 2 * (uint64_t)i && (a & 0xffffffff) > 1 &&
            (b & 0xffffffff) > 1)
            found++;
    }
    return (int)found;
}
