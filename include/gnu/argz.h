// GNU's argz vectors: strings stored one after the other, each with its NUL.
#ifndef TAMAR_GNU_ARGZ_H
#define TAMAR_GNU_ARGZ_H
#include <errno.h>
#include <stddef.h>
#ifndef __error_t_defined
#define __error_t_defined 1
typedef int error_t;
#endif
#ifdef __cplusplus
extern "C" {
#endif
error_t argz_create(char *const argv[], char **argz, size_t *size);
error_t argz_create_sep(const char *text, int separator, char **argz, size_t *size);
size_t argz_count(const char *argz, size_t size);
void argz_extract(const char *argz, size_t size, char **argv);
void argz_stringify(char *argz, size_t size, int separator);
error_t argz_append(char **argz, size_t *size, const char *more, size_t more_size);
error_t argz_add(char **argz, size_t *size, const char *text);
error_t argz_add_sep(char **argz, size_t *size, const char *text, int separator);
void argz_delete(char **argz, size_t *size, char *entry);
error_t argz_insert(char **argz, size_t *size, char *before, const char *entry);
char *argz_next(const char *argz, size_t size, const char *entry);
#ifdef __cplusplus
}
#endif
#endif
