// Shared by the string functions. They replace musl's versions that read whole words (out
// of bounds for a checker), build tables, or branch more than the result needs: here a
// symbolic byte costs one branch. None reads a byte that C does not allow it to read.
#ifndef TAMAR_STRING_INT_H
#define TAMAR_STRING_INT_H

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define WEAK __attribute__((weak))

// musl's internal names, which its other files call.
void *__memrchr(const void *at, int c, size_t n);
char *__strchrnul(const char *s, int c);
char *__stpcpy(char *restrict to, const char *restrict from);
char *__stpncpy(char *restrict to, const char *restrict from, size_t n);

#endif
