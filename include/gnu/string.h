// GNU functions that musl's <string.h> lacks. Programs bring their own where configure does not find them,
// and those read whole words past the end of an object: here they are byte loops.
#include_next <string.h>

#ifndef TAMAR_GNU_STRING_H
#define TAMAR_GNU_STRING_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
void *rawmemchr(const void *at, int c);
#ifdef __cplusplus
}
#endif
#endif
#endif
