// Functions of glibc that musl's <stdio.h> lacks.
#include_next <stdio.h>

#ifndef TAMAR_GNU_STDIO_H
#define TAMAR_GNU_STDIO_H
#ifdef _GNU_SOURCE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE  2
#define RENAME_WHITEOUT  4
#ifdef __cplusplus
extern "C" {
#endif
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);
#ifdef __cplusplus
}
#endif
#endif
#endif
