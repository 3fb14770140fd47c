// Prints the result of each system call as a line, so that the kernel and the model can be compared.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define T(call)                                                                                              \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        long trace_result = (long)(call);                                                                    \
        printf("%d: %s = %ld%s%s\n", __LINE__, #call, trace_result, trace_result == -1 ? " " : "",             \
               trace_result == -1 ? strerror(errno) : "");                                                   \
    } while (0)
