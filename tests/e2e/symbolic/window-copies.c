// Copies within a buffer by distance and length from the input (LZ77): every byte that is read was written before. This
// follows from the distances alone, and is decided without SAT although the bytes themselves are many inputs.
// RUN: rm -rf %t.a
// RUN: %tamar run -q --max-time 60 --sym-stdin 4 --out %t.a %s
// RUN: python3 -c 'import json; s = json.load(open("%t.a/summary.json")); assert s["complete"] and s["queries"]["sat"] == 0 and s["paths"]["completed"] == 290, s'
// REQUIRES: run
#include <unistd.h>

int main(void) {
    unsigned char in[4], out[64];
    unsigned length = 0;
    if (read(0, in, sizeof in) != sizeof in) return 9;
    while (length < 8) {
        out[length] = (unsigned char)('a' + length);
        length++;
    }
    for (unsigned i = 0; i < sizeof in; i += 2) {
        unsigned distance = in[i], count = in[i + 1] & 15;
        if (distance == 0 || distance > length) return 1;
        for (; count; count--, length++) out[length] = out[length - distance];
    }
    return out[length - 1] == 'h';
}
