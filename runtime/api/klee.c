// Implements <klee/klee.h> with the intrinsics.
#include "include/klee/klee.h"
#include "runtime/intrinsics.h"

#include <errno.h>

void klee_define_fixed_object(void *address, size_t size) {
    if (__tamar_fixed_object(address, size) < 0)
        __tamar_not_modelled("klee_define_fixed_object at an address that is in use, or reserved");
}
void klee_make_symbolic(void *address, size_t size, const char *name) {
    __tamar_symbolic(address, size, name ? name : "unnamed");
}

int klee_range(int begin, int end, const char *name) {
    int value;
    if (begin >= end) __tamar_report("user", "klee_range: the range is empty");
    if (begin + 1 == end) return begin;
    __tamar_symbolic(&value, sizeof value, name);
    __tamar_assume((unsigned)value - (unsigned)begin < (unsigned)end - (unsigned)begin);
    return value;
}

int klee_int(const char *name) {
    int value;
    __tamar_symbolic(&value, sizeof value, name);
    return value;
}

void klee_silent_exit(int status) { __tamar_stop(); }
size_t klee_get_obj_size(void *object) { return __tamar_extent(object); }

// KLEE prints each value; harnesses pass one.
void klee_print_expr(const char *message, ...) {
    __builtin_va_list values;
    __builtin_va_start(values, message);
    __tamar_print_value(message, __builtin_va_arg(values, unsigned long));
    __builtin_va_end(values);
}

uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value;
    __tamar_symbolic(&value, sizeof value, "klee_choose");
    if (value >= n) __tamar_stop(); // as in KLEE: paths with other values end
    return value;
}

unsigned klee_is_symbolic(uintptr_t n) { return (unsigned)__tamar_is_symbolic(n); }
__attribute__((weak)) unsigned klee_is_replay(void) { return 0; } // natively: runtime/native/ktest.c
void klee_assume(uintptr_t condition) { __tamar_assume(condition != 0); }
void klee_warning(const char *message) { __tamar_note(message); }
void klee_warning_once(const char *message) { __tamar_note(message); }
void klee_prefer_cex(void *object, uintptr_t condition) { __tamar_prefer(condition); }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { __tamar_prefer(condition); }
void klee_mark_global(void *object) {}
void klee_abort(void) { __tamar_report("abort", "klee_abort"); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    __tamar_report("user", message);
}

// Accesses every byte: the first invalid one is reported.
void klee_check_memory_access(const void *address, size_t size) {
    const volatile char *p = address;
    for (size_t i = 0; i < size; i++) (void)p[i];
}

void klee_set_forking(unsigned enable) { __tamar_set_forking(enable != 0); }
// The front end replaces calls with constant names (front/function_alias.c). Only calls with other names are left.
void klee_alias_function(const char *function, const char *new_function) {
    __tamar_not_modelled("klee_alias_function with a name that is not a string constant");
}
void klee_stack_trace(void) { __tamar_note("klee_stack_trace"); }
void klee_print_range(const char *name, int value) { __tamar_print_value(name, (unsigned long)value); }
// Paths are not merged, as in KLEE without -use-merge.
void klee_open_merge(void) {}
void klee_close_merge(void) {}
int klee_get_errno(void) { return errno; }
float klee_get_valuef(float value) {
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = (unsigned)__tamar_example(bits);
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
}
double klee_get_valued(double value) {
    unsigned long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = __tamar_example(bits);
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
}
long klee_get_valuel(long value) { return (long)__tamar_example((unsigned long)value); }
long long klee_get_valuell(long long value) { return (long long)__tamar_example((unsigned long)value); }
int32_t klee_get_value_i32(int32_t value) { return (int32_t)__tamar_example((unsigned long)value); }
int64_t klee_get_value_i64(int64_t value) { return (int64_t)__tamar_example((unsigned long)value); }
