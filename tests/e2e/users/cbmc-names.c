// CBMC's names beyond assume and assert: types, contracts, predicates on pointers, overflow, arrays, floats. None is declared.
// RUN: rm -rf %t.out && status 1 %tamar run -w --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | grep "2 of 2 that show a bug confirmed"
// CHECK-DAG: assert {{.*}}cbmc-names.c:[[# @LINE + 43]]  any content
// CHECK-DAG: assert {{.*}}cbmc-names.c:[[# @LINE + 48]]  part of an array
// CHECK: every path was explored
// No warning about these names.
// RUN: rm -rf %t.out && status 1 %tamar run -q -Wall -Wextra --out %t.out %s 2>&1 >/dev/null | (! grep -E 'warning.*(CPROVER|TAMAR)')
// A quantifier is syntax that only CBMC has.
// RUN: rm -rf %t.out && status 2 %tamar run -DQUANTIFIER -w --out %t.out %s 2>&1 | FileCheck --check-prefix=QUANTIFIER %s
// QUANTIFIER: cbmc-names.c: does not compile: CBMC's quantifiers are not C
#include <float.h>
#include <limits.h>
#include <stdlib.h>

static int half(int x)
    __CPROVER_requires(x >= 0)
    __CPROVER_ensures(__CPROVER_return_value <= x)
{
    return x / 2;
}

static void floats(void) {
    __CPROVER_assert(__CPROVER_isnanf(0.0f / 0.0f) && !__CPROVER_isnand(1.0), "nan");
    __CPROVER_assert(__CPROVER_isinff(FLT_MAX * 2) && __CPROVER_isfinited(DBL_MAX), "infinite");
    __CPROVER_assert(__CPROVER_signf(-1.5f) && __CPROVER_fabs(-2.5) == 2.5 && __CPROVER_fabsf(-0.5f) == 0.5f, "sign");
}

int main(void) {
    __CPROVER_size_t wide = 0x100000000;
    __CPROVER_assume(wide); // its lower half is 0
    __CPROVER_bool flag = nondet_bool();
    int array[4] = {1, 2, 3, 4}, copy[4], number = nondet_int(), *block = malloc(12), *gone = malloc(4);
    free(gone);
    __CPROVER_assert(__CPROVER_r_ok(block, 12) && !__CPROVER_w_ok(block, 13) && __CPROVER_rw_ok(block), "accessible");
    __CPROVER_assert(!__CPROVER_r_ok(gone, 1) && !__CPROVER_r_ok((char *)0, 1) && __CPROVER_r_ok(&array[3]), "gone");
    __CPROVER_assert(!__CPROVER_r_ok(&array[3], 5) && __CPROVER_LIVE_OBJECT(array) && !__CPROVER_LIVE_OBJECT(gone), "ends");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(&array[1]) == 16 && __CPROVER_POINTER_OFFSET(&array[1]) == 4, "place");
    __CPROVER_assert(__CPROVER_same_object(array, array + 4) && !__CPROVER_same_object(array, block), "objects");
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(block) && !__CPROVER_DYNAMIC_OBJECT(array), "on the heap");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(block) == __CPROVER_POINTER_OBJECT(block + 2), "number");
    __CPROVER_assert(!__CPROVER_same_object(gone, NULL) && __CPROVER_same_object(gone, gone + 1) && !__CPROVER_same_object(gone, block), "freed");
    __CPROVER_assert(!__CPROVER_same_object((char *)1, (char *)2) && !__CPROVER_same_object(NULL, (char *)2), "no object");
    __CPROVER_assert(__CPROVER_overflow_plus(INT_MAX, 1) && !__CPROVER_overflow_mult(3l, 4), "overflow");
    __CPROVER_assert(__CPROVER_overflow_minus(INT_MIN, 1) && __CPROVER_overflow_unary_minus(INT_MIN), "overflow");
    __CPROVER_havoc_object(block + 1); // all of it
    if (flag) __CPROVER_assert(block[2] != 77, "any content");
    __CPROVER_array_set(copy, 7);
    __CPROVER_assert(copy[0] == 7 && copy[3] == 7 && !__CPROVER_array_equal(array, copy), "set");
    __CPROVER_array_copy(copy, array);
    __CPROVER_assert(__CPROVER_array_equal(array, copy), "copied");
    __CPROVER_havoc_slice(array + 1, 4);
    if (!flag) __CPROVER_assert(array[1] != 9, "part of an array");
    __CPROVER_assert(array[0] == 1 && array[2] == 3, "the rest");
    for (int i = 0; i < 3; i++)
        __CPROVER_loop_invariant(i <= 3)
        __CPROVER_assert(half(i) <= i, "loop");
    floats();
    __CPROVER_cover(number == 3);
    __CPROVER_printf("%d", number);
#ifdef QUANTIFIER
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> array[i] > 0 }, "all");
#endif
    free(block);
    return 0;
}
