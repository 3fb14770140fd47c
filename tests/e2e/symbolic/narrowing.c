// --check overflow: signed arithmetic, and implicit conversions that lose bits of the value. An explicit cast
// is not an error. Each check is one query for all values; --check arithmetic does not check conversions.
// RUN: rm -rf %t.*.out
// RUN: status 1 %tamar run --check overflow,shift --emit all --out %t.a.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: status 1 %tamar run --check arithmetic --out %t.b.out %s >%t.txt
// RUN: FileCheck %s --check-prefix=ARITHMETIC <%t.txt
// RUN: %tamar run --out %t.c.out %s | grep "no bug found"
// RUN: %tamar replay %t.a.out | grep "\([0-9]*\) tests, \1 as predicted; 5 of 5 that show a bug confirmed"
// RUN: %tamar exec --check all %s
// RUN: status 125 %tamar exec --check overflow -DCONCRETE %s 2>&1 | grep "from 'int' to 'signed char' changes the value"
// REQUIRES: run
#include <tamar.h>

static unsigned short kept; // a length that does not fit: what is lost here is a classic

static int length(unsigned size) {
    unsigned char low = (unsigned char)size; // wanted
    // CHECK-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+1]]:{{.*}}implicit conversion from 'unsigned int' to 'unsigned short' changes
    kept = size;
    return kept + low;
}

int main(void) {
    unsigned size;
    int x, y;
#ifdef CONCRETE
    signed char c = 100;
    c += 100;
    return c;
#endif
    tamar_symbolic(&size, sizeof size, "size");
    tamar_symbolic(&x, sizeof x, "x");
    tamar_symbolic(&y, sizeof y, "y");
    tamar_assume((unsigned)y < 64);
    int sum = length(size);
    // CHECK-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+2]]:{{.*}}signed negation overflows
    // ARITHMETIC-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+1]]:{{.*}}signed negation overflows
    int negative = -x;
    // CHECK-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+2]]:{{.*}}signed addition overflows
    // ARITHMETIC-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+1]]:{{.*}}signed addition overflows
    x += 1;
    // CHECK-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+2]]:{{.*}}signed multiplication overflows
    // ARITHMETIC-DAG: overflow: {{.*}}narrowing.c:[[#@LINE+1]]:{{.*}}signed multiplication overflows
    int square = negative * 3;
    // CHECK-DAG: shift: {{.*}}narrowing.c:[[#@LINE+1]]:{{.*}}shift of {{.*}} is not defined for type 'unsigned int'
    unsigned bit = 1u << y;
    unsigned wrapped = size * 7u + bit; // unsigned arithmetic is modulo
    signed char fits = wrapped % 100;   // always in range: proved, not assumed
    return ((unsigned)(sum + fits) ^ (unsigned)square ^ (unsigned)x) == 12345;
}
// CHECK: every path was explored
// ARITHMETIC-NOT: implicit conversion
