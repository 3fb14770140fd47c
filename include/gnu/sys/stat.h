// GNU additions to musl's <sys/stat.h>: statx, with the kernel's own structure.
#include_next <sys/stat.h>

#ifndef TAMAR_GNU_SYS_STAT_H
#define TAMAR_GNU_SYS_STAT_H
#ifdef _GNU_SOURCE
#include <linux/stat.h>
#ifndef AT_STATX_SYNC_TYPE
#define AT_STATX_SYNC_TYPE    0x6000
#define AT_STATX_SYNC_AS_STAT 0x0000
#define AT_STATX_FORCE_SYNC   0x2000
#define AT_STATX_DONT_SYNC    0x4000
#endif
#ifdef __cplusplus
extern "C" {
#endif
int statx(int folder, const char *__restrict path, int flags, unsigned int mask,
          struct statx *__restrict result);
#ifdef __cplusplus
}
#endif
#endif
#endif
