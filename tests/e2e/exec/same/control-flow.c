// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Computed goto, switch with ranges and fall-through, nested loops with labels, short-circuit evaluation.
#include <setjmp.h>
#include <stdio.h>

static int machine(const char *code) {
    static const void *const operations[] = {&&add, &&subtract, &&twice, &&stop};
    int accumulator = 1;
    goto *operations[*code++ - '0'];
add:
    accumulator += 5;
    goto *operations[*code++ - '0'];
subtract:
    accumulator -= 2;
    goto *operations[*code++ - '0'];
twice:
    accumulator *= 2;
    goto *operations[*code++ - '0'];
stop:
    return accumulator;
}

static int classify(long x) {
    switch (x) {
    case -5 ... - 1: return -1;
    case 0: x = 10; // fall through
    case 10: return (int)x;
    case 100:
    case 200: return 2;
    case 0x7fffffffffffL: return 3;
    default: return x > 1000 ? 4 : 5;
    }
}

static int calls;
static int count(int result) {
    calls++;
    return result;
}

static jmp_buf place;
static void leave(int depth) {
    if (depth == 0) longjmp(place, 42);
    leave(depth - 1);
}

int main(void) {
    printf("%d\n", machine("0210223"));
    static const long inputs[] = {-6, -5, -1, 0, 1, 10, 100, 200, 0x7fffffffffffL, 5000};
    for (int i = 0; i < 10; i++) printf("%d ", classify(inputs[i]));
    for (int i = 0; i < 10; i++)
        for (int j = 0;; j++) {
            if (j > i) break;
            if ((i + j) % 3 == 0) continue;
            if (i * j > 40) goto out;
            count(1);
        }
out:
    if (count(0) && count(1)) count(1);
    if (count(1) || count(1)) count(0) ? count(1) : count(2), count(3);
    volatile int before = 1;
    int came = setjmp(place);
    if (!came) {
        before = 2;
        leave(10);
    }
    printf("\n%d %d %d\n", calls, came, before);
    return 0;
}
