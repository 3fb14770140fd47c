#include "base/error.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*fatal_clean_up)(void *);
static void *fatal_argument;

// Prints a remedy. Its line breaks are Tamar's own and are kept; control characters of quoted text are escaped.
static void show_remedy(const char *remedy) {
    char line[2400], shown[4800];
    fputs("  ", stderr);
    for (const char *end; (end = strchr(remedy, '\n')); remedy = end + 1) {
        snprintf(line, sizeof line, "%.*s", (int)(end - remedy), remedy);
        text_show(shown, sizeof shown, line);
        fprintf(stderr, "%s\n", shown);
    }
    text_show(shown, sizeof shown, remedy);
    fprintf(stderr, "%s\n", shown);
}

void error_log_message(const char *format) {
#ifdef NDEBUG
    (void)format;
#else
    const char *name = getenv("TAMAR_MESSAGE_LOG");
    int file = name ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0) return;
    char line[2400];
    int size = snprintf(line, sizeof line, "%s\n", format);
    if (size >= (int)sizeof line) size = (int)sizeof line - 1;
    // one write: the lines of processes that run at the same time must not be mixed
    for (int i = 0; i < size - 1; i++)
        if (line[i] == '\n') line[i] = ' ';
    if (write(file, line, (size_t)size) < 0) perror(name);
    close(file);
#endif
}

static void say(const char *location, const char *remedy, const char *cause, va_list args) {
    char text[2000], line[2400], shown[4800];
    vsnprintf(text, sizeof text, cause, args);
    snprintf(line, sizeof line, "%s%s%s", location ? location : "", location ? ": " : "", text);
    log_clear();
    fflush(stdout);
    text_show(shown, sizeof shown, line);
    fprintf(stderr, "tamar: %s\n", shown);
    if (remedy) show_remedy(remedy);
    log_copy(line);
    error_log_message(cause);
}

void user_error_at(const char *location, const char *remedy, const char *cause, ...) {
    va_list args;
    va_start(args, cause);
    say(location, remedy, cause, args);
    va_end(args);
}

void user_fail_at(const char *location, const char *remedy, const char *cause, ...) {
    va_list args;
    va_start(args, cause);
    say(location, remedy, cause, args);
    va_end(args);
    exit(EXIT_USAGE);
}

static bool muted;
static unsigned warnings;

void user_warnings_mute(void) { muted = true; }

unsigned user_warning_count(void) { return warnings; }

void user_warning(const char *format, ...) {
    va_list args;
    warnings++;
    if (muted) return;
    va_start(args, format);
    say("warning", NULL, format, args);
    va_end(args);
}

void error_internal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("internal error", "This is a bug of Tamar: please report it, with the program and the command line.",
        format, args);
    va_end(args);
    error_clean_up();
    exit(EXIT_INTERNAL);
}

void error_on_fatal(void (*clean_up)(void *), void *argument) {
    fatal_clean_up = clean_up;
    fatal_argument = argument;
}

void error_clean_up(void) {
    void (*clean_up)(void *) = fatal_clean_up;
    fatal_clean_up = NULL;
    if (clean_up) clean_up(fatal_argument);
}
