// <argz.h>. Compiled into the bitcode library and, for native programs, into libtamar.a.
#include "include/gnu/argz.h"

#include <stdlib.h>
#include <string.h>

error_t argz_append(char **argz, size_t *size, const char *more, size_t more_size) {
    char *grown = realloc(*argz, *size + more_size);
    if (!grown && *size + more_size) return ENOMEM;
    if (more_size) memcpy(grown + *size, more, more_size);
    *argz = grown;
    *size += more_size;
    return 0;
}

error_t argz_add(char **argz, size_t *size, const char *text) {
    return argz_append(argz, size, text, strlen(text) + 1);
}

error_t argz_create(char *const argv[], char **argz, size_t *size) {
    *argz = NULL;
    *size = 0;
    for (; *argv; argv++)
        if (argz_add(argz, size, *argv)) {
            free(*argz);
            *argz = NULL;
            return ENOMEM;
        }
    return 0;
}

// Consecutive separators do not produce an empty entry.
error_t argz_add_sep(char **argz, size_t *size, const char *text, int separator) {
    while (*text) {
        const char *end = text;
        while (*end && *end != (char)separator) end++;
        if (end > text) {
            if (argz_append(argz, size, text, (size_t)(end - text))) return ENOMEM;
            if (argz_append(argz, size, "", 1)) return ENOMEM;
        }
        text = *end ? end + 1 : end;
    }
    return 0;
}

error_t argz_create_sep(const char *text, int separator, char **argz, size_t *size) {
    *argz = NULL;
    *size = 0;
    return argz_add_sep(argz, size, text, separator);
}

char *argz_next(const char *argz, size_t size, const char *entry) {
    if (entry) entry += strlen(entry) + 1;
    if (!entry) entry = argz;
    return size && entry < argz + size ? (char *)entry : NULL;
}

size_t argz_count(const char *argz, size_t size) {
    size_t count = 0;
    for (const char *one = NULL; (one = argz_next(argz, size, one));) count++;
    return count;
}

void argz_extract(const char *argz, size_t size, char **argv) {
    for (const char *one = NULL; (one = argz_next(argz, size, one));) *argv++ = (char *)one;
    *argv = NULL;
}

void argz_stringify(char *argz, size_t size, int separator) {
    for (size_t i = 0; i + 1 < size; i++)
        if (!argz[i]) argz[i] = (char)separator;
}

void argz_delete(char **argz, size_t *size, char *entry) {
    if (!entry) return;
    size_t length = strlen(entry) + 1;
    *size -= length;
    memmove(entry, entry + length, *size - (size_t)(entry - *argz));
    if (!*size) {
        free(*argz);
        *argz = NULL;
    }
}

error_t argz_insert(char **argz, size_t *size, char *before, const char *entry) {
    if (!before) return argz_add(argz, size, entry);
    if (before < *argz || before >= *argz + *size) return EINVAL;
    while (before > *argz && before[-1]) before--; // the beginning of the entry
    size_t at = (size_t)(before - *argz), length = strlen(entry) + 1;
    char *grown = realloc(*argz, *size + length);
    if (!grown) return ENOMEM;
    memmove(grown + at + length, grown + at, *size - at);
    memcpy(grown + at, entry, length);
    *argz = grown;
    *size += length;
    return 0;
}
