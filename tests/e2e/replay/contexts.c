// A parser that runs as a coroutine: each of its branches is explored, its bug is found, and all tests take their path
// in the native builds. Contexts have one schedule, so the run is complete.
// RUN: rm -rf %t && status 1 %tamar run %s --sym-stdin 3 --out %t >%t.text && FileCheck %s <%t.text
// RUN: %tamar replay %t | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: index 4 is out of bounds
// CHECK: every path was explored
// REPLAY-NOT: DIFFERS
// REPLAY: 1 of 1 that show a bug confirmed
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t reader, parser;
static int next, total, table[4] = {1, 2, 3, 4};

static int take(void) {
    swapcontext(&parser, &reader);
    return next;
}

static void parse(int base) {
    char text[4] = "";
    for (int i = 0; take() != EOF; i++) {
        if (next == 'x' && i == 1) total += table[next - 'x' + base];
        if (next == '+') total += base;
        text[i & 3] = (char)next;
    }
    total += text[0] == text[1];
}

int main(void) {
    char *stack = malloc(64 << 10);
    getcontext(&parser);
    parser.uc_stack.ss_sp = stack;
    parser.uc_stack.ss_size = 64 << 10;
    parser.uc_link = &reader;
    makecontext(&parser, (void (*)(void))parse, 1, 4);
    swapcontext(&reader, &parser);
    do {
        next = getchar();
        swapcontext(&reader, &parser);
    } while (next != EOF);
    free(stack);
    return total > 4;
}
