// GNU and BSD functions that musl's <stdlib.h> lacks.
#include_next <stdlib.h>

#ifndef TAMAR_GNU_STDLIB_H
#define TAMAR_GNU_STDLIB_H
#ifdef __cplusplus
extern "C" {
#endif
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <sys/types.h> // as glibc's does
__UINT32_TYPE__ arc4random(void);
__UINT32_TYPE__ arc4random_uniform(__UINT32_TYPE__ bound);
void arc4random_buf(void *buffer, size_t size);
int rpmatch(const char *answer);
int on_exit(void (*function)(int status, void *argument), void *argument);
#endif
#ifdef _GNU_SOURCE
char *canonicalize_file_name(const char *path);
struct random_data {
    __INT32_TYPE__ *fptr, *rptr, *state;
    int rand_type, rand_deg, rand_sep;
    __INT32_TYPE__ *end_ptr;
};
int random_r(struct random_data *data, __INT32_TYPE__ *result);
int srandom_r(unsigned int seed, struct random_data *data);
int initstate_r(unsigned int seed, char *state, size_t size, struct random_data *data);
#endif
#ifdef __cplusplus
}
#endif
#endif
