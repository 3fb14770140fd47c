// The processor that programs detect: x86-64 without extensions, so that libraries use
// their C code. The answers of the instruction cpuid are in src/front/assembly_machine.c.
#include "runtime/intrinsics.h"

#include <stdint.h>

// Data read by __builtin_cpu_supports and __builtin_cpu_is, with libgcc's layout.
enum { CMOV = 1 << 0, MMX = 1 << 1, SSE = 1 << 3, SSE2 = 1 << 4 };
enum { INTEL = 1 };
struct processor {
    uint32_t vendor, type, subtype, features[1];
};
struct processor __cpu_model = {INTEL, 0, 0, {CMOV | MMX | SSE | SSE2}};
uint32_t __cpu_features2[3] = {0, UINT32_C(1) << 31, 0}; // feature 95: the baseline, "x86-64"
int __cpu_indicator_init(void) { return 0; }

// ---- the control word of SSE: every operation rounds to nearest, and no flag is raised

enum { USUAL = 0x1f80, FLAGS = 0x3f };
void __tamar_x86_sse_stmxcsr(uint32_t *to) { *to = USUAL; }
void __tamar_x86_sse_ldmxcsr(const uint32_t *from) {
    if ((*from & ~(uint32_t)FLAGS) != USUAL)
        __tamar_not_modelled(
            "ldmxcsr: rounding that is not to nearest, flushing of small numbers, or exceptions");
}

// The control word of the x87 unit, which GNU programs read to verify the precision of long double: 64 bits of
// precision, round to nearest.
enum { USUAL_X87 = 0x037f };
void __tamar_x86_fstcw(uint16_t *to) { *to = USUAL_X87; }
void __tamar_x86_fldcw(const uint16_t *from) {
    if (*from != USUAL_X87)
        __tamar_not_modelled("fldcw: a precision or rounding mode other than the default");
}

// ---- rep movs, rep stos, rep scas: forwards, unit by unit

void __tamar_x86_movs(unsigned char *to, const unsigned char *from, uint64_t count, uint64_t unit) {
    uint64_t bytes = count * unit;
    if ((uintptr_t)to <= (uintptr_t)from || (uintptr_t)to - (uintptr_t)from >= bytes) {
        __builtin_memmove(to, from, bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; i += unit)
        __builtin_memmove(to + i, from + i, unit); // a repeating pattern
}

void __tamar_x86_stos(unsigned char *to, uint64_t value, uint64_t count, uint64_t unit) {
    for (uint64_t i = 0; i < count; i++) __builtin_memcpy(to + i * unit, &value, unit);
}

// The number of units that rep scas reads: up to and including the first that is equal, or differs.
uint64_t __tamar_x86_scas(const unsigned char *from, uint64_t value, uint64_t count, uint64_t unit,
                          uint64_t until_equal) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t next = 0;
        __builtin_memcpy(&next, from + i * unit, unit);
        if ((next == value) == (until_equal != 0)) return i + 1;
    }
    return count;
}
