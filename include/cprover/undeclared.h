// clang-format off
// Names of CBMC that a program uses without a declaration. `tamar run` includes this before such a file. The names that
// are functions are declared by TAMAR_UNDECLARED; those that take operands of any type are macros, each only if the
// program uses it undeclared (a macro that the front end defines).
#ifdef TAMAR_UNDECLARED
#pragma clang system_header // calls get no warning about missing prototypes

typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;
#define __CPROVER_thread_local    _Thread_local
#define __CPROVER_max_malloc_size ((__CPROVER_size_t)1 << 55)

// Contracts and invariants: CBMC itself ignores them unless goto-instrument is asked to use them.
#define __CPROVER_requires(...)
#define __CPROVER_ensures(...)
#define __CPROVER_assigns(...)
#define __CPROVER_frees(...)
#define __CPROVER_requires_contract(...)
#define __CPROVER_ensures_contract(...)
#define __CPROVER_loop_invariant(...)
#define __CPROVER_decreases(...)

TAMAR_UNDECLARED

#ifdef TAMAR_CPROVER_assume
#define __CPROVER_assume(condition) __CPROVER_assume((condition) != 0)
#endif
#ifdef TAMAR_CPROVER_assert
#define __CPROVER_assert(condition, ...) __CPROVER_assert((condition) != 0, ##__VA_ARGS__, (void *)0)
#endif
#ifdef TAMAR_CPROVER_precondition
#define __CPROVER_precondition(condition, ...) __CPROVER_precondition((condition) != 0, ##__VA_ARGS__, (void *)0)
#endif
#ifdef TAMAR_CPROVER_postcondition
#define __CPROVER_postcondition(condition, ...) __CPROVER_postcondition((condition) != 0, ##__VA_ARGS__, (void *)0)
#endif
#ifdef TAMAR_CPROVER_cover
#define __CPROVER_cover(condition, ...) __CPROVER_cover((condition) != 0)
#endif
#ifdef TAMAR_ESBMC_assume
#define __ESBMC_assume(condition) __ESBMC_assume((condition) != 0)
#endif
#ifdef TAMAR_ESBMC_assert
#define __ESBMC_assert(condition, ...) __ESBMC_assert((condition) != 0, ##__VA_ARGS__, (void *)0)
#endif

int __CPROVER_tamar_accessible(const volatile void *at, __SIZE_TYPE__ size);
#define TAMAR_CPROVER_OK_1(at)             __CPROVER_tamar_accessible((at), sizeof *(at))
#define TAMAR_CPROVER_OK_2(at, size)       __CPROVER_tamar_accessible((at), (size))
#define TAMAR_CPROVER_OK(at, size, f, ...) f
#ifdef TAMAR_CPROVER_r_ok
#define __CPROVER_r_ok(...) TAMAR_CPROVER_OK(__VA_ARGS__, TAMAR_CPROVER_OK_2, TAMAR_CPROVER_OK_1)(__VA_ARGS__)
#endif
#ifdef TAMAR_CPROVER_w_ok
#define __CPROVER_w_ok(...) TAMAR_CPROVER_OK(__VA_ARGS__, TAMAR_CPROVER_OK_2, TAMAR_CPROVER_OK_1)(__VA_ARGS__)
#endif
#ifdef TAMAR_CPROVER_rw_ok
#define __CPROVER_rw_ok(...) TAMAR_CPROVER_OK(__VA_ARGS__, TAMAR_CPROVER_OK_2, TAMAR_CPROVER_OK_1)(__VA_ARGS__)
#endif

#ifdef TAMAR_CPROVER_overflow_plus
#define __CPROVER_overflow_plus(a, b) ({ __typeof__((a) + (b)) tamar_result; __builtin_add_overflow((a), (b), &tamar_result); })
#endif
#ifdef TAMAR_CPROVER_overflow_minus
#define __CPROVER_overflow_minus(a, b) ({ __typeof__((a) - (b)) tamar_result; __builtin_sub_overflow((a), (b), &tamar_result); })
#endif
#ifdef TAMAR_CPROVER_overflow_mult
#define __CPROVER_overflow_mult(a, b) ({ __typeof__((a) * (b)) tamar_result; __builtin_mul_overflow((a), (b), &tamar_result); })
#endif
#ifdef TAMAR_CPROVER_overflow_unary_minus
#define __CPROVER_overflow_unary_minus(a) ({ __typeof__(-(a)) tamar_result; __builtin_sub_overflow((__typeof__(-(a)))0, (a), &tamar_result); })
#endif
#ifdef TAMAR_CPROVER_array_equal
#define __CPROVER_array_equal(a, b) __CPROVER_tamar_array_equal((a), (b))
int __CPROVER_tamar_array_equal(const void *a, const void *b);
#endif
#ifdef TAMAR_CPROVER_array_copy
#define __CPROVER_array_copy(to, from) __CPROVER_tamar_array_copy((to), (from))
void __CPROVER_tamar_array_copy(void *to, const void *from);
#endif
#ifdef TAMAR_CPROVER_array_replace
#define __CPROVER_array_replace(to, from) __CPROVER_tamar_array_copy((to), (from))
void __CPROVER_tamar_array_copy(void *to, const void *from);
#endif
#ifdef TAMAR_CPROVER_array_set
#define __CPROVER_array_set(array, value) ({ for (__SIZE_TYPE__ tamar_i = 0, tamar_n = __CPROVER_tamar_room(array) / sizeof *(array); tamar_i < tamar_n; tamar_i++) (array)[tamar_i] = (value); })
__SIZE_TYPE__ __CPROVER_tamar_room(const volatile void *at);
#endif
#endif
