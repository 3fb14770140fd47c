// glibc's macros for declarations, which musl lacks. Every header of glibc includes them through <features.h>, and
// programs rely on that.
#ifndef TAMAR_GNU_SYS_CDEFS_H
#define TAMAR_GNU_SYS_CDEFS_H
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS   }
#define __THROW       noexcept(true)
#else
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW __attribute__((__nothrow__))
#endif
#define __P(parameters)   parameters
#define __PMT(parameters) parameters
#define __CONCAT(x, y)    x##y
#define __STRING(x)       #x
#define __ptr_t           void *
#define __NTH(function)   function
#define __THROWNL         __THROW
#define __LEAF
#define __LEAF_ATTR
#define __flexarr                        []
#define __always_inline                  __inline __attribute__((__always_inline__))
#define __attribute_malloc__             __attribute__((__malloc__))
#define __attribute_pure__               __attribute__((__pure__))
#define __attribute_const__              __attribute__((__const__))
#define __attribute_used__               __attribute__((__used__))
#define __attribute_noinline__           __attribute__((__noinline__))
#define __attribute_deprecated__         __attribute__((__deprecated__))
#define __attribute_warn_unused_result__ __attribute__((__warn_unused_result__))
#define __attribute_format_arg__(x)      __attribute__((__format_arg__(x)))
#define __attribute_format_strfmon__(a, b)
#define __wur
#define __nonnull(parameters)              __attribute__((__nonnull__ parameters))
#define __returns_nonnull                  __attribute__((__returns_nonnull__))
#define __glibc_likely(condition)          __builtin_expect((condition), 1)
#define __glibc_unlikely(condition)        __builtin_expect((condition), 0)
#define __REDIRECT(name, prototype, alias) name prototype __asm__(#alias)
#endif
