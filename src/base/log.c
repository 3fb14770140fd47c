#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static enum log_level current = LOG_NORMAL;

void log_set_level(enum log_level level) { current = level; }
enum log_level log_level(void) { return current; }

static void say_when(enum log_level least, const char *format, va_list args) {
    if (current < least) return;
    fflush(stdout);
    fputs("tamar: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void say_line(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_when(LOG_NORMAL, format, args);
    va_end(args);
}

void say_detail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_when(LOG_VERBOSE, format, args);
    va_end(args);
}
