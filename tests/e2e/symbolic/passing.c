// Symbolic values passed in every way that C has: structures by value, unions, bit-fields, variadic arguments, returned
// structures, longjmp. Nothing forks, and every value arrives unchanged: the assertions are proved. The value that
// longjmp passes to setjmp does not fork either: one path.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --check all --out %t.out %s >%t.txt
// RUN: grep "no bug found" %t.txt
// RUN: grep "assertions: 9 proved, 0 failed" %t.txt
// RUN: grep "1 path, 1 test; every path was explored" %t.txt
// RUN: %tamar replay %t.out | grep "\([0-9]*\) tests*, \1 as predicted"
// REQUIRES: run
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <tamar.h>

struct small {
    char a;
    short b;
    int c;
};
struct large {
    long values[5];
    char tail[3];
};
struct fields {
    unsigned low : 3;
    signed middle : 7;
    unsigned long high : 40;
};
union view {
    unsigned long word;
    unsigned char bytes[8];
    struct small small;
};

static struct small turned(struct small s) { return (struct small){(char)s.b, (short)(unsigned char)s.a, ~s.c}; }
static struct large moved(struct large l) {
    l.values[4] = l.values[0];
    return l;
}

static long sum(int count, ...) {
    va_list list;
    long total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total += i % 2 ? va_arg(list, int) : va_arg(list, long);
    struct small last = va_arg(list, struct small);
    va_end(list);
    return total ^ last.c;
}

static jmp_buf back;
static void jump(int value) {
    volatile char room[100];
    room[0] = 1;
    longjmp(back, value | 1);
}

int main(void) {
    unsigned long word;
    tamar_symbolic(&word, sizeof word, "word");
    union view view = {.word = word};
    unsigned long again = 0; // byte by byte, from the other end
    for (int i = 7; i >= 0; i--) again = again << 8 | view.bytes[i];
    tamar_assert(again == word);
    tamar_assert((unsigned)view.small.c == word >> 32);

    struct small small = turned(turned(view.small));
    tamar_assert(small.c == view.small.c);
    tamar_assert(small.a == view.small.a);

    struct large large = {{(long)word}, "ab"};
    large = moved(large);
    tamar_assert(large.values[4] == (long)word);

    struct fields fields = {0};
    fields.low = (unsigned)word & 7;
    fields.middle = (int)(word >> 3) & 63;
    fields.high = word >> 24;
    tamar_assert(fields.low == (word & 7));
    tamar_assert(fields.middle == (int)((word >> 3) & 63) && fields.high == word >> 24);

    long direct = ((long)(word & 0xffff) + view.small.b) ^ view.small.c;
    tamar_assert(sum(2, (long)(word & 0xffff), (int)view.small.b, view.small) == direct);

    int value = setjmp(back);
    if (!value) jump(view.small.c);
    tamar_assert(value == (view.small.c | 1));
    return value == 77;
}
