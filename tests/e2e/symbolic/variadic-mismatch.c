// Calls through a type that differs from the function's: of a variadic function without the ellipsis, whose surplus
// arguments are spilled where va_arg reads them; of a function with fixed parameters as variadic. Symbolic arguments
// stay symbolic: if one became 0, the bug would be unreachable, and its absence wrongly proved.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --out %t.out %s >%t.txt
// RUN: grep "^4 bugs" %t.txt
// RUN: grep "every path was explored" %t.txt
// REQUIRES: run
#include <assert.h>
#include <stdarg.h>
#include <tamar.h>

static long last(int count, ...) {
    va_list list;
    long value = 0;
    va_start(list, count);
    while (count--) value = va_arg(list, long);
    va_end(list);
    return value;
}

static long second(int a, long b, long c) { return a ? b : c; }

int main(void) {
    unsigned char bytes[4];
    tamar_symbolic(bytes, sizeof bytes, "bytes");
    long (*volatile as_fixed)(int, long, long) = (long (*)(int, long, long))last;
    long (*volatile as_variadic)(int, ...) = (long (*)(int, ...))second;
    if (bytes[3]) {
        assert(as_fixed(2, 7, bytes[0]) != 42);
        assert(as_fixed(1, bytes[1] + 1000L * bytes[0], 7) != 77201);
    } else {
        assert(as_variadic(1, (long)bytes[1], 7L) != 42);
        assert(as_variadic(0, 7L, (long)bytes[2] << 32) != 42L << 32);
    }
    return 0;
}
