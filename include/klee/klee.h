// KLEE's interface for harnesses, so that harnesses written for KLEE run unchanged.
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_define_fixed_object(void *address, size_t size);
void klee_make_symbolic(void *address, size_t size, const char *name);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
void klee_silent_exit(int status) __attribute__((noreturn));
size_t klee_get_obj_size(void *object);
void klee_print_expr(const char *message, ...);
uintptr_t klee_choose(uintptr_t n);
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);
void klee_assume(uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
    __attribute__((noreturn));
void klee_check_memory_access(const void *address, size_t size);
void klee_set_forking(unsigned enable);
void klee_alias_function(const char *function, const char *new_function);
void klee_stack_trace(void);
void klee_print_range(const char *name, int value);
void klee_open_merge(void);
void klee_close_merge(void);
int klee_get_errno(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

#define klee_assert(condition)                                                                               \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#ifndef __cplusplus
void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
#endif

#ifdef __cplusplus
}
#endif

#endif
