// The names of SV-COMP and Test-Comp tasks, which declare them themselves.
#include "runtime/intrinsics.h"

#include <stdbool.h>

#define NONDET_TYPES(X)                                                                                      \
    X(char, char)                                                                                            \
    X(schar, signed char)                                                                                    \
    X(uchar, unsigned char)                                                                                  \
    X(short, short)                                                                                          \
    X(ushort, unsigned short)                                                                                \
    X(int, int)                                                                                              \
    X(uint, unsigned int)                                                                                    \
    X(unsigned, unsigned int)                                                                                \
    X(u8, unsigned char)                                                                                     \
    X(u16, unsigned short)                                                                                   \
    X(u32, unsigned int)                                                                                     \
    X(U32, unsigned int)                                                                                     \
    X(long, long)                                                                                            \
    X(ulong, unsigned long)                                                                                  \
    X(longlong, long long)                                                                                   \
    X(ulonglong, unsigned long long)                                                                         \
    X(int128, __int128)                                                                                      \
    X(uint128, unsigned __int128)                                                                            \
    X(loff_t, long)                                                                                          \
    X(size_t, unsigned long)                                                                                 \
    X(sector_t, unsigned long)                                                                               \
    X(pthread_t, unsigned long)                                                                              \
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(pointer, void *)                                                                                       \
    X(pchar, char *)

#define NONDET(name, type)                                                                                   \
    type __VERIFIER_nondet_##name(void);                                                                     \
    type __VERIFIER_nondet_##name(void) {                                                                    \
        type value;                                                                                          \
        __tamar_symbolic(&value, sizeof value, #name);                                                       \
        return value;                                                                                        \
    }
NONDET_TYPES(NONDET)

// Only 0 and 1 are values of the type.
bool __VERIFIER_nondet_bool(void);
bool __VERIFIER_nondet_bool(void) {
    unsigned char value;
    __tamar_symbolic(&value, sizeof value, "bool");
    __tamar_assume(value <= 1);
    return value;
}

void __VERIFIER_nondet_memory(void *at, size_t size);
void __VERIFIER_nondet_memory(void *at, size_t size) { __tamar_symbolic(at, size, "memory"); }

void __VERIFIER_assume(int condition);
void __VERIFIER_assume(int condition) { __tamar_assume(condition != 0); }

__TAMAR_NORETURN void __VERIFIER_error(void);
__attribute__((weak)) void __VERIFIER_error(void) {
    __tamar_report("assert", "__VERIFIER_error was reached");
}

// Most tasks define these two themselves.
void __VERIFIER_assert(int condition);
__attribute__((weak)) void __VERIFIER_assert(int condition) {
    if (!condition) __tamar_report("assert", "__VERIFIER_assert does not hold");
}
__TAMAR_NORETURN void reach_error(void);
__attribute__((weak)) void reach_error(void) { __tamar_report("assert", "reach_error was reached"); }

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_begin(void) {} // one thread runs at a time
void __VERIFIER_atomic_end(void);
void __VERIFIER_atomic_end(void) {}
