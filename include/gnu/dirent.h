// A function of glibc that musl's <dirent.h> lacks.
#include_next <dirent.h>

#ifndef TAMAR_GNU_DIRENT_H
#define TAMAR_GNU_DIRENT_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
int scandirat(int folder, const char *path, struct dirent ***result, int (*filter)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **));
#ifdef __cplusplus
}
#endif
#endif
#endif
