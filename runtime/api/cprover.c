// The names of CBMC and ESBMC, which programs call without a declaration.
#include "runtime/intrinsics.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void __CPROVER_assume(int condition);
void __CPROVER_assume(int condition) { __tamar_assume(condition != 0); }
void __ESBMC_assume(int condition);
void __ESBMC_assume(int condition) { __tamar_assume(condition != 0); }

static void must_hold(int condition, const char *what, const char *otherwise) {
    if (!condition) __tamar_report("assert", what && *what ? what : otherwise);
}
void __CPROVER_assert(int condition, const char *what);
void __CPROVER_assert(int condition, const char *what) {
    must_hold(condition, what, "__CPROVER_assert does not hold");
}
void __ESBMC_assert(int condition, const char *what);
void __ESBMC_assert(int condition, const char *what) {
    must_hold(condition, what, "__ESBMC_assert does not hold");
}
void __CPROVER_precondition(int condition, const char *what);
void __CPROVER_precondition(int condition, const char *what) {
    must_hold(condition, what, "a precondition does not hold");
}
void __CPROVER_postcondition(int condition, const char *what);
void __CPROVER_postcondition(int condition, const char *what) {
    must_hold(condition, what, "a postcondition does not hold");
}

// A coverage goal: both sides are explored, as for any condition.
void __CPROVER_cover(int condition, ...);
void __CPROVER_cover(int condition, ...) {
    volatile int covered = 0;
    if (condition) covered = 1;
    (void)covered;
}

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_begin(void) {} // one thread runs at a time
void __CPROVER_atomic_end(void);
void __CPROVER_atomic_end(void) {}
void __CPROVER_input(const char *name, ...);
void __CPROVER_input(const char *name, ...) {} // a note for CBMC's trace
void __CPROVER_output(const char *name, ...);
void __CPROVER_output(const char *name, ...) {}

// Makes the content of the object around the pointer symbolic.
void __CPROVER_havoc_object(void *object);
void __CPROVER_havoc_object(void *object) {
    size_t size = __tamar_extent(object);
    __tamar_symbolic((char *)object - __tamar_position(object, __TAMAR_FROM_START), size, "havoc");
}
void __CPROVER_havoc_slice(void *at, size_t size);
void __CPROVER_havoc_slice(void *at, size_t size) { __tamar_symbolic(at, size, "havoc"); }

void __CPROVER_printf(const char *format, ...);
void __CPROVER_printf(const char *format, ...) {} // a note for CBMC's trace
void __CPROVER_fence(const char *kind, ...);
void __CPROVER_fence(const char *kind, ...) {}

// ---- pointers

int __CPROVER_tamar_accessible(const void *at, size_t size);
int __CPROVER_tamar_accessible(const void *at, size_t size) {
    long room = __tamar_position(at, __TAMAR_TO_END);
    return room >= 0 && size <= (size_t)room;
}
size_t __CPROVER_tamar_room(const void *at);
size_t __CPROVER_tamar_room(const void *at) {
    return __tamar_extent(at) - (size_t)__tamar_position(at, __TAMAR_FROM_START);
}

void __CPROVER_tamar_array_copy(void *to, const void *from);
void __CPROVER_tamar_array_copy(void *to, const void *from) { memmove(to, from, __CPROVER_tamar_room(from)); }
int __CPROVER_tamar_array_equal(const void *a, const void *b);
int __CPROVER_tamar_array_equal(const void *a, const void *b) {
    size_t size = __CPROVER_tamar_room(a);
    return size == __CPROVER_tamar_room(b) && !memcmp(a, b, size);
}

// Of an invalid pointer these return a fixed value, as the offset of NULL in CBMC. A freed object keeps its number.
long __CPROVER_POINTER_OFFSET(const void *p);
long __CPROVER_POINTER_OFFSET(const void *p) {
    long offset = __tamar_position(p, __TAMAR_EVEN_FREED);
    return offset < 0 ? (long)p : offset;
}
size_t __CPROVER_OBJECT_SIZE(const void *p);
size_t __CPROVER_OBJECT_SIZE(const void *p) {
    long offset = __tamar_position(p, __TAMAR_FROM_START);
    return offset < 0 ? 0 : (size_t)(offset + __tamar_position(p, __TAMAR_TO_END));
}
size_t __CPROVER_buffer_size(const void *p);
size_t __CPROVER_buffer_size(const void *p) { return __CPROVER_OBJECT_SIZE(p); }
// The object's number: its address, since no other object has the same. An address in no object, such as NULL, counts
// as an object of its own.
size_t __CPROVER_POINTER_OBJECT(const void *p);
size_t __CPROVER_POINTER_OBJECT(const void *p) {
    long offset = __tamar_position(p, __TAMAR_EVEN_FREED);
    return offset < 0 ? (size_t)p : (size_t)p - (size_t)offset;
}
int __CPROVER_same_object(const void *a, const void *b);
int __CPROVER_same_object(const void *a, const void *b) {
    return __CPROVER_POINTER_OBJECT(a) == __CPROVER_POINTER_OBJECT(b);
}
int __CPROVER_LIVE_OBJECT(const void *p);
int __CPROVER_LIVE_OBJECT(const void *p) { return __tamar_position(p, __TAMAR_FROM_START) >= 0; }
int __CPROVER_READABLE_OBJECT(const void *p);
int __CPROVER_READABLE_OBJECT(const void *p) { return __tamar_position(p, __TAMAR_TO_END) > 0; }
int __CPROVER_WRITEABLE_OBJECT(const void *p);
int __CPROVER_WRITEABLE_OBJECT(const void *p) { return __tamar_position(p, __TAMAR_TO_END) > 0; }
int __CPROVER_is_invalid_pointer(const void *p);
int __CPROVER_is_invalid_pointer(const void *p) { return p && __tamar_position(p, __TAMAR_FROM_START) < 0; }

// Whether the object is on the heap.
int __CPROVER_DYNAMIC_OBJECT(const void *p);
int __CPROVER_DYNAMIC_OBJECT(const void *p) { return __tamar_position(p, __TAMAR_IN_HEAP) >= 0; }

void *__CPROVER_allocate(size_t size, int zero);
void *__CPROVER_allocate(size_t size, int zero) { return zero ? calloc(1, size) : malloc(size); }
void __CPROVER_deallocate(void *p);
void __CPROVER_deallocate(void *p) { free(p); }

// ---- floats

#define FLOAT_NAMES(suffix, type)                                                                            \
    int __CPROVER_isnan##suffix(type x);                                                                     \
    int __CPROVER_isnan##suffix(type x) { return __builtin_isnan(x); }                                       \
    int __CPROVER_isinf##suffix(type x);                                                                     \
    int __CPROVER_isinf##suffix(type x) { return __builtin_isinf(x); }                                       \
    int __CPROVER_isfinite##suffix(type x);                                                                  \
    int __CPROVER_isfinite##suffix(type x) { return __builtin_isfinite(x); }                                 \
    int __CPROVER_isnormal##suffix(type x);                                                                  \
    int __CPROVER_isnormal##suffix(type x) { return __builtin_isnormal(x); }                                 \
    int __CPROVER_sign##suffix(type x);                                                                      \
    int __CPROVER_sign##suffix(type x) { return __builtin_signbit(x) != 0; }
FLOAT_NAMES(f, float)
FLOAT_NAMES(d, double)
FLOAT_NAMES(ld, long double)
float __CPROVER_fabsf(float x);
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }
double __CPROVER_fabs(double x);
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }
long double __CPROVER_fabsl(long double x);
long double __CPROVER_fabsl(long double x) { return __builtin_fabsl(x); }
double __CPROVER_inf(void);
double __CPROVER_inf(void) { return __builtin_inf(); }
