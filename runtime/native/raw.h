// Raw system calls of the kernel, for the native implementation of the intrinsics:
// they cannot use a C library, because the only one in the process belongs to the program.
#ifndef TAMAR_NATIVE_RAW_H
#define TAMAR_NATIVE_RAW_H

#include <stddef.h>
#include <sys/syscall.h>

static inline long raw(long n, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#define RAW3(n, a, b, c)    raw(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW4(n, a, b, c, d) raw(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

// Returns an environment variable of the process, NULL if it is not set.
const char *__tamar_native_variable(const char *name);
// Prints a message of the runtime itself to standard error.
void __tamar_native_say(const char *a, const char *b, const char *c);

// Fills an object from the file that KTEST_FILE names. Returns 0 if the variable is not set.
int __tamar_native_ktest(void *to, size_t size, const char *name);
// Reports an assumption that the test of KTEST_FILE does not meet. Returns 0 if the variable is not set.
int __tamar_native_invalid_assume(void);

// Pointer to the stack of the program's locals, in builds with a separate one (defined by src/front/place.c).
extern unsigned long __tamar_stack __attribute__((weak));

#endif
