// A failed assertion prints musl's message, and is a bug of its own kind instead of an abort.
#include "runtime/intrinsics.h"

#include <assert.h>
#include <stdio.h>

_Noreturn void __assert_fail(const char *expression, const char *file, int line, const char *function) {
    char message[1024];
    fprintf(stderr, "Assertion failed: %s (%s: %s: %d)\n", expression, file, function, line);
    snprintf(message, sizeof message, "assertion `%s` fails", expression);
    __tamar_report("assert", message);
}
