// For harnesses: what a program under test can say to Tamar. Natively the same calls read their values from a
// test (TAMAR_TEST=FOLDER, objects/NAME in it) or are zero, so that the program also runs without Tamar.
#ifndef TAMAR_H
#define TAMAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The `size` bytes at `object` are an input. The name stands in tests; a name used twice gets a number.
void tamar_symbolic(void *object, size_t size, const char *name);
// Only inputs for which the condition holds are of interest from here on.
void tamar_assume(int condition);
// A value from begin to end - 1, every one of them possible.
long tamar_range(long begin, long end, const char *name);
// A value from 0 to count - 1.
unsigned long tamar_choose(unsigned long count);
// The path ends here, as a success: nothing behind it is of interest.
void tamar_done(void) __attribute__((noreturn));
// A bug of kind `user`.
void tamar_error(const char *message) __attribute__((noreturn));
// The same as tamar_symbolic, for scalars.
int tamar_int(const char *name);

int tamar_is_symbolic_value(unsigned long value);
int tamar_is_symbolic_bytes(const void *object, size_t size);
void tamar_print_value(const char *text, unsigned long value);
void tamar_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

// Does the value depend on an input? Never forks.
#define tamar_is_symbolic(x) tamar_is_symbolic_value((unsigned long)(x))
// The value, or the expression that it is, in the log.
#define tamar_print(x) tamar_print_value(#x, (unsigned long)(x))
// A bug of kind `assert` where it does not hold, whatever NDEBUG says.
#define tamar_assert(condition) ((condition) ? (void)0 : tamar_assert_failed(#condition, __FILE__, __LINE__))

// Other engines' names for the same. EXE:
#ifdef __cplusplus
#define TAMAR_SIZE(object) sizeof *(object)
#else
// Of an array the whole of it, of a pointer what it points to.
#define TAMAR_SIZE(object)                                                                                   \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(object), __typeof__(&(object)[0])),        \
                          sizeof *(object), sizeof(object))
#endif
#define make_symbolic(object) tamar_symbolic((object), TAMAR_SIZE(object), #object)
// Otter, with and without size and name:
#define TAMAR_OTTER_1(object)             tamar_symbolic((object), TAMAR_SIZE(object), #object)
#define TAMAR_OTTER_2(object, size)       tamar_symbolic((object), (size), #object)
#define TAMAR_OTTER_3(object, size, name) tamar_symbolic((object), (size), (name))
#define TAMAR_OTTER(a, b, c, form, ...)   form
#define __SYMBOLIC(...)                   TAMAR_OTTER(__VA_ARGS__, TAMAR_OTTER_3, TAMAR_OTTER_2, TAMAR_OTTER_1, 0)(__VA_ARGS__)
#define __ASSUME(condition)               tamar_assume((condition) != 0)
#define __ASSERT(condition)               tamar_assert(condition)
// Oasis:
#define oasis_sym(object, size) tamar_symbolic((object), (size), #object)

#ifdef __cplusplus
}
#endif

#endif
