// GNU functions that musl's <string.h> lacks. Without them configure picks the program's own
// replacements, which read whole words past the end of an object. Here they are byte loops.
#include_next <string.h>

#ifndef TAMAR_GNU_STRING_H
#define TAMAR_GNU_STRING_H
#ifdef _GNU_SOURCE
#include <alloca.h> // strdupa
#ifndef strndupa
#define strndupa(text, most)                                                                                 \
    (__extension__({                                                                                         \
        const char *from_of_copy = (text);                                                                   \
        size_t size_of_copy = strnlen(from_of_copy, (most));                                                 \
        char *copy = (char *)alloca(size_of_copy + 1);                                                       \
        copy[size_of_copy] = 0;                                                                              \
        (char *)memcpy(copy, from_of_copy, size_of_copy);                                                    \
    }))
#endif
#ifdef __cplusplus
extern "C" {
#endif
void *rawmemchr(const void *at, int c);
void *memfrob(void *at, size_t size);
char *strfry(char *text);
const char *sigabbrev_np(int number);
const char *sigdescr_np(int number);
const char *strerrorname_np(int number);
const char *strerrordesc_np(int number);
#ifdef __cplusplus
}
#endif
#endif
#endif
