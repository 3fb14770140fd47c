// A parser that copies fields out of its input, each with a length in front of it. The path forks on the few lengths of
// such a field, so what follows lies at known offsets. The run is complete, with a path for every way through the
// parser; a length that the input does not give, or that has many values, does not fork.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: status 1 %tamar run -q %s --sym-stdin 7 --out fields >found 2>&1 && grep -c '^tamar: out-of-bounds' found | grep -qx 1
// RUN: python3 -c 'import json; j = json.load(open("fields/summary.json")); p = j["paths"]; assert j["complete"] and not j["gave_up"] and (p["completed"], p["errors"]) == (101, 35), j'
// RUN: %tamar replay fields | grep -q 'that show a bug confirmed'
// RUN: %tamar run -q %s -DOTHER --sym-stdin 8 --out other && python3 -c 'import json; j = json.load(open("other/summary.json")); assert j["complete"] and j["paths"]["completed"] == 1, j["paths"]'
#include <stdlib.h>
#include <string.h>
#include <tamar.h>
#include <unistd.h>
#ifdef OTHER
int main(void) {
    unsigned char input[8], copy[300] = {0}, many;
    unsigned length;
    tamar_symbolic(&length, sizeof length, "length");
    tamar_assume(length <= 8);
    if (read(0, input, 8) != 8) return 2;
    memcpy(copy, input, length); // another input gives the length
    many = input[7];
    memmove(copy + 20, copy, many); // 256 lengths
    return copy[3] == 7;
}
#else
int main(void) {
    unsigned char input[7], *at = input, sum = 0;
    if (read(0, input, sizeof input) != sizeof input) return 2;
    while (input + sizeof input - at >= 2) {
        unsigned char kind = *at++, length = *at++;
        if (length > input + sizeof input - at) return 3;
        unsigned char *field = malloc(length);
        memcpy(field, at, length);
        at += length;
        if (kind == 1 && length) sum += field[0];
        if (kind == 2) sum ^= field[1]; // a field of one byte, or none
        free(field);
    }
    return sum == 99;
}
#endif
