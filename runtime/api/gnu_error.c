// error() and error_at_line(), as GNU's manual describes them.
#include "include/gnu/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned int error_message_count;
int error_one_per_line;

static void begin(void) {
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:", program_invocation_name);
}

static void finish(int status, int number, const char *format, va_list arguments) {
    vfprintf(stderr, format, arguments);
    error_message_count++;
    if (number) fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    fflush(stderr);
    if (status) exit(status);
}

void error(int status, int number, const char *format, ...) {
    va_list arguments;
    begin();
    if (!error_print_progname) fputc(' ', stderr);
    va_start(arguments, format);
    finish(status, number, format, arguments);
    va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned int line, const char *format, ...) {
    static const char *last_file;
    static unsigned int last_line;
    va_list arguments;
    if (error_one_per_line) { // the second message about one line is suppressed
        if (last_line == line && (last_file == file || (last_file && file && !strcmp(last_file, file))))
            return;
        last_file = file, last_line = line;
    }
    begin();
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    else
        fputc(' ', stderr);
    va_start(arguments, format);
    finish(status, number, format, arguments);
    va_end(arguments);
}
