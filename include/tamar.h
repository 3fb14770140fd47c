// Functions for harnesses. In a native build they take their values from a test: the file objects/NAME in the folder
// that the environment variable TAMAR_TEST names. Without a test the values are zero, so that the program also runs
// without Tamar; it ends at the first assumption or range that excludes zero.
#ifndef TAMAR_H
#define TAMAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Makes the `size` bytes at `object` symbolic. Tests list them under `name`; a name used twice gets a number.
void tamar_symbolic(void *object, size_t size, const char *name);
// Restricts the path to inputs for which the condition holds; inputs for which it does not hold are dropped.
void tamar_assume(int condition);
// Returns a symbolic value from begin to end - 1.
long tamar_range(long begin, long end, const char *name);
// Returns a symbolic value from 0 to count - 1; tests list it under the name "choice".
unsigned long tamar_choose(unsigned long count);
// Ends the path here as a success; the code after it is not explored.
void tamar_done(void) __attribute__((noreturn));
// Reports a bug of kind `user` and ends the path.
void tamar_error(const char *message) __attribute__((noreturn));
// Returns a symbolic int; tests list it under `name`.
int tamar_int(const char *name);

// Whether one of these bytes is symbolic. Never forks.
int tamar_is_symbolic_bytes(const void *object, size_t size);
// Called by the macros below.
int tamar_is_symbolic_value(unsigned long value);
void tamar_print_value(const char *text, unsigned long value);
void tamar_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

// Whether the value is symbolic (depends on an input). Never forks.
#define tamar_is_symbolic(x) tamar_is_symbolic_value((unsigned long)(x))
// Prints the value. If it is symbolic: prints one value that the path allows, marked as an example.
#define tamar_print(x) tamar_print_value(#x, (unsigned long)(x))
// Reports a bug of kind `assert` if the condition is false, also under NDEBUG.
#define tamar_assert(condition) ((condition) ? (void)0 : tamar_assert_failed(#condition, __FILE__, __LINE__))

// Names that other engines use for these functions. EXE:
#ifdef __cplusplus
#define TAMAR_SIZE(object) sizeof *(object)
#else
// The size of an array, or of the object that a pointer points to.
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
