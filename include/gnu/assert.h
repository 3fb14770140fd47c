// musl's <assert.h> with glibc's declaration of __assert_fail, whose line is unsigned: programs repeat it.
#include <features.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                    \
    ((void)((condition) || (__assert_fail(#condition, __FILE__, __LINE__, __func__), 0)))
#endif

#if __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
#undef static_assert
#define static_assert _Static_assert
#endif

#ifdef __cplusplus
extern "C" {
#endif
void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function)
    __attribute__((__noreturn__));
void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function)
    __attribute__((__noreturn__));
#ifdef __cplusplus
}
#endif

#ifdef _GNU_SOURCE
#undef assert_perror
#ifdef NDEBUG
#define assert_perror(number) ((void)0)
#else
#define assert_perror(number)                                                                                \
    ((void)(!(number) || (__assert_perror_fail((number), __FILE__, __LINE__, __func__), 0)))
#endif
#endif
