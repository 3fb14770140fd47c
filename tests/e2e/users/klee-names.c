// Every function of KLEE's klee.h does what it does in KLEE.
// RUN: rm -rf %t && status 3 %tamar run %s --emit all --out %t >%t.text 2>&1 && FileCheck %s <%t.text
// RUN: python3 %S/Inputs/klee-names %t/tests
// RUN: %tamar replay %t -q | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: no bug found
// CHECK: klee_set_forking(0): the other sides of a branch are not explored
// REPLAY: 4 tests, 4 as predicted
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

static int plain(int x) { return x + 1; }
int aliased(int x) { return plain(x); }
int replacement(int x) { return x + 100; }
int use_alias(int x) { return aliased(x); }

static void aliases(void) {
    klee_assert(use_alias(1) == 2);
    klee_alias_function("aliased", "replacement");
    klee_assert(use_alias(1) == 101 && aliased(2) == 102);
    klee_alias_function("aliased", "aliased");
    klee_assert(use_alias(1) == 2);
}

// One of the two sides is taken, and the path continues without a fork.
static void forking(void) {
    int x = klee_int("unforked"), sides = 0;
    klee_set_forking(0);
    if (x > 5) sides++;
    switch (x) {
    case 3: sides += 2; break;
    case 7: sides += 4; break;
    }
    klee_set_forking(1);
    klee_assert(!(x > 5) == !(sides & 1) && (x == 3) == ((sides & 2) != 0));
}

static void others(void) {
    char *fixed = (char *)0x40000010;
    int value = klee_range(3, 5, "range");
    klee_assert(value == 3 || value == 4);
    klee_define_fixed_object(fixed, 4);
    memset(fixed, 7, 4);
    fixed[value - 1] = 9; // a symbolic index
    klee_assert(fixed[1] == 7 && fixed[2] + fixed[3] == 16);
    if (!klee_is_replay()) klee_assert(!klee_is_symbolic(3));
    klee_assert(klee_get_value_i32(value) >= 3 && klee_get_valued(1.5) == 1.5);
    klee_check_memory_access(fixed, 4);
    klee_open_merge();
    if (value == 3) klee_warning_once("three");
    klee_close_merge();
    klee_print_expr("value", value);
    klee_print_range("value", value);
    klee_stack_trace();
    klee_mark_global(fixed);
    klee_assert(!klee_is_replay());
}

int main(void) {
    char text[4];
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 4; i++) klee_prefer_cex(text, (text[i] >= 'a') & (text[i] <= 'f'));
    klee_prefer_cex(text, text[0] == 'z'); // an earlier one excludes it
    klee_prefer_cex(text, text[1] == 'c');
    aliases();
    forking();
    others();
    if (text[2] == '#') klee_silent_exit(0);
    if (text[3] != 'Q') return 0;
    puts("Q");
    return 1;
}
