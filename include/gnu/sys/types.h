// Types that glibc's header has besides musl's.
#include_next <sys/types.h>
#ifndef TAMAR_GNU_SYS_TYPES_H
#define TAMAR_GNU_SYS_TYPES_H
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
typedef __INT8_TYPE__ __int8_t;
typedef __INT16_TYPE__ __int16_t;
typedef __INT32_TYPE__ __int32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT8_TYPE__ __uint8_t;
typedef __UINT16_TYPE__ __uint16_t;
typedef __UINT32_TYPE__ __uint32_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned int __u_int;
typedef unsigned long __u_long;
typedef off_t __off_t;
typedef pid_t __pid_t;
typedef mode_t __mode_t;
typedef ssize_t __ssize_t;
typedef time_t __time_t;
typedef uid_t __uid_t;
typedef gid_t __gid_t;
#endif
