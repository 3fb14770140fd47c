#include "base/log.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

static enum log_level current = LOG_NORMAL;

void log_set_level(enum log_level level) { current = level; }
enum log_level log_level(void) { return current; }

static void (*clear_block)(void);

void log_set_clear(void (*clear)(void)) { clear_block = clear; }

void log_clear(void) {
    if (clear_block) clear_block();
}

static FILE *copy;
static uint64_t copy_started;

void log_copy_to(FILE *file) {
    copy = file;
    copy_started = clock_nanoseconds();
}

// Escapes newlines and control characters: each message is one line of the log and safe to show on a terminal.
void log_copy(const char *line) {
    if (!copy) return;
    char shown[4000];
    text_show(shown, sizeof shown, line);
    fprintf(copy, "%10.3f  %s\n", (double)(clock_nanoseconds() - copy_started) * 1e-9, shown);
    fflush(copy);
}

static void say_when(enum log_level least, const char *format, va_list args) {
    if (current < least && !copy) return;
    char line[2000], shown[4000];
    vsnprintf(line, sizeof line, format, args);
    log_copy(line);
    if (current < least) return;
    log_clear();
    fflush(stdout);
    text_show(shown, sizeof shown, line);
    fprintf(stderr, "tamar: %s\n", shown);
}

void log_line(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_when(LOG_NORMAL, format, args);
    va_end(args);
}

void log_detail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_when(LOG_VERBOSE, format, args);
    va_end(args);
}
