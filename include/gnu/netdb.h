// A function of glibc that musl's <netdb.h> lacks.
#include_next <netdb.h>

#ifndef TAMAR_GNU_NETDB_H
#define TAMAR_GNU_NETDB_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
int innetgr(const char *group, const char *host, const char *user, const char *domain);
#ifdef __cplusplus
}
#endif
#endif
#endif
