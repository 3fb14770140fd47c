// A packet filter like BSD's, with two missing checks: the memory slot of LDM and STM is not checked, and the check of
// a load adds offset and length without regard to overflow. Filters that exploit these are found, and the sanitizer
// confirms them natively.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --max-depth 60 --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | grep "3 of 3 that show a bug confirmed"
// REQUIRES: run, replay
#include <string.h>
#include <tamar.h>

enum { RET, LDW, LDM, STM, ADD };
struct instruction {
    unsigned char code;
    unsigned operand;
};

static unsigned run(const struct instruction *code, unsigned count, const unsigned char *packet,
                    unsigned length) {
    unsigned a = 0, memory[4] = {0};
    for (unsigned pc = 0; pc < count; pc++) {
        unsigned k = code[pc].operand;
        switch (code[pc].code) {
        case RET: return a;
        case LDW:
            if (k + 4 > length) return 0;
            // CHECK-DAG: tamar: out-of-bounds: {{.*}}packet-filter.c:[[#@LINE+1]]
            memcpy(&a, packet + k, 4);
            break;
        case LDM:
            // CHECK-DAG: tamar: out-of-bounds: {{.*}}packet-filter.c:[[#@LINE+1]]
            a = memory[k];
            break;
        case STM:
            // CHECK-DAG: tamar: out-of-bounds: {{.*}}packet-filter.c:[[#@LINE+1]]
            memory[k] = a;
            break;
        case ADD: a += k; break;
        default: return 0;
        }
    }
    return 0;
}

int main(void) {
    struct instruction filter[2];
    unsigned char packet[16] = "0123456789abcde";
    tamar_symbolic(filter, sizeof filter, "filter");
    return run(filter, 2, packet, sizeof packet) != 0;
}
// CHECK-DAG: every path was explored
