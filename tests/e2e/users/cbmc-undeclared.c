// nondet_NAME without a declaration returns every value of the type in its name, not only those of an int.
// RUN: rm -rf %t.out && status 1 %tamar run -w --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | grep "4 of 4 that show a bug confirmed"
// CHECK-DAG: assert {{.*}}  a wide number
// CHECK-DAG: assert {{.*}}  a fraction
// CHECK-DAG: assert {{.*}}  not a number
// CHECK-DAG: assert {{.*}}  a size
// CHECK: every path was explored
int main(void) {
    int which = nondet_int();
    if (which == 1) __CPROVER_assert(nondet_ulong() != 0x100000000, "a wide number");
    if (which == 2) __CPROVER_assert(nondet_double() != 0.5, "a fraction");
    if (which == 3) {
        float x = nondet_float();
        __CPROVER_assert(x == x, "not a number");
    }
    if (which == 4) __CPROVER_assert(nondet_size_t() != 0x123456789, "a size");
    if (which == 5) __CPROVER_assert(nondet_uchar() < 256 && nondet_short() > -32769, "narrow");
    return 0;
}
