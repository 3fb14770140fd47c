// Definitions that every file may use: the integer types, attributes, arithmetic on bit widths.
#ifndef TAMAR_BASE_H
#define TAMAR_BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIKELY(x)    __builtin_expect(!!(x), 1)
#define UNLIKELY(x)  __builtin_expect(!!(x), 0)
#define NORETURN     __attribute__((noreturn))
#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))

// The value of a limit. The hostile build (make hostile) uses tiny limits, so that its tests run every slow path often.
#ifdef TAMAR_HOSTILE
#define NORMAL_OR_HOSTILE(normal, hostile) (hostile)
#else
#define NORMAL_OR_HOSTILE(normal, hostile) (normal)
#endif

static inline uint64_t align_up(uint64_t n, uint64_t align) {
    assert(align && (align & (align - 1)) == 0);
    return (n + align - 1) & ~(align - 1);
}

// A mask of the low `width` bits (1 to 64). A narrower integer is stored zero-extended in a 64-bit word.
static inline uint64_t mask_bits(unsigned width) {
    assert(width >= 1 && width <= 64);
    return ~(uint64_t)0 >> (64 - width);
}

static inline int64_t sign_extend(uint64_t value, unsigned width) {
    assert(width >= 1 && width <= 64);
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

#endif
