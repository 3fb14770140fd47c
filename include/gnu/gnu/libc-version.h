// The glibc version that programs query: the one of Debian 12.
#ifndef TAMAR_GNU_LIBC_VERSION_H
#define TAMAR_GNU_LIBC_VERSION_H
#ifdef __cplusplus
extern "C" {
#endif
const char *gnu_get_libc_version(void);
const char *gnu_get_libc_release(void);
#ifdef __cplusplus
}
#endif
#endif
