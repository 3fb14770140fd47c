// GNU additions to musl's <unistd.h>.
#include_next <unistd.h>

#ifndef TAMAR_GNU_UNISTD_H
#define TAMAR_GNU_UNISTD_H
#ifdef _GNU_SOURCE
#ifndef TEMP_FAILURE_RETRY
#define TEMP_FAILURE_RETRY(expression)                                                                       \
    (__extension__({                                                                                         \
        long int result_of_call;                                                                             \
        do result_of_call = (long int)(expression);                                                          \
        while (result_of_call == -1L && *__errno_location() == 4 /* EINTR */);                               \
        result_of_call;                                                                                      \
    }))
#endif
#ifdef __cplusplus
extern "C" {
#endif
int *__errno_location(void) __attribute__((__const__));
int group_member(gid_t group);
int close_range(unsigned int first, unsigned int last, int flags);
void closefrom(int first);
#ifdef __cplusplus
}
#endif
#endif
#endif
