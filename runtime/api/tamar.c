// Implements <tamar.h> with the intrinsics. The same file is compiled into the bitcode library and into libtamar.a.
#include "include/tamar.h"
#include "runtime/intrinsics.h"

void tamar_symbolic(void *object, size_t size, const char *name) { __tamar_symbolic(object, size, name); }
void tamar_assume(int condition) { __tamar_assume(condition != 0); }

long tamar_range(long begin, long end, const char *name) {
    long value;
    if (begin >= end) __tamar_report("user", "tamar_range: the range is empty");
    if (begin + 1 == end) return begin;
    __tamar_symbolic(&value, sizeof value, name);
    // One comparison: the distance from the start, unsigned.
    __tamar_assume((unsigned long)value - (unsigned long)begin < (unsigned long)end - (unsigned long)begin);
    return value;
}

unsigned long tamar_choose(unsigned long count) {
    unsigned long value;
    if (!count) __tamar_report("user", "tamar_choose: nothing to choose from");
    __tamar_symbolic(&value, sizeof value, "choice");
    __tamar_assume(value < count);
    return value;
}

// --unwind: called on each back edge of a loop of user code.
void __tamar_round(unsigned long rounds, unsigned long most);
void __tamar_round(unsigned long rounds, unsigned long most) {
    if (rounds <= most) return;
    __tamar_gave_up("a loop has more rounds than --unwind allows; longer paths were not explored");
    __tamar_stop();
}

void tamar_done(void) { __tamar_exit(0); }
void tamar_error(const char *message) { __tamar_report("user", message); }

int tamar_int(const char *name) {
    int value;
    __tamar_symbolic(&value, sizeof value, name);
    return value;
}

int tamar_is_symbolic_value(unsigned long value) { return __tamar_is_symbolic(value); }
int tamar_is_symbolic_bytes(const void *object, size_t size) {
    return __tamar_is_symbolic_bytes(object, size);
}
void tamar_print_value(const char *text, unsigned long value) { __tamar_print_value(text, value); }
void tamar_assert_failed(const char *condition, const char *file, int line) {
    __tamar_report("assert", condition);
}
