// GNU functions that musl's <stdlib.h> lacks.
#include_next <stdlib.h>

#ifndef TAMAR_GNU_STDLIB_H
#define TAMAR_GNU_STDLIB_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
char *canonicalize_file_name(const char *path);
#ifdef __cplusplus
}
#endif
#endif
#endif
