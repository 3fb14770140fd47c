#include "run/statement_log.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sources.h"
#include "output/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct logged_line {
    const char *file;
    uint32_t line;
    const char *source; // without the blanks around it; NULL: not read yet
};

struct statement_log {
    FILE *to;
    struct arena *arena;
    vec(struct logged_line) lines; // indexed by mark
    struct map numbers;            // hash of file and line -> mark
    struct map last;               // state number -> mark of its last line
    uint32_t current;              // mark of the line that was logged last; UINT32_MAX: none
};

struct statement_log *statement_log_open(const char *path) {
    FILE *to = fopen(path, "w");
    if (!to) {
        user_error_at("--log-statements", "Name a file that can be written.", "%s: %s", path,
                      strerror(errno));
        return NULL;
    }
    struct statement_log *log = NEW(struct statement_log);
    log->to = to;
    log->arena = arena_new();
    log->current = UINT32_MAX;
    return log;
}

void statement_log_close(struct statement_log *log, const char *path) {
    if (!log) return;
    bool failed = ferror(log->to);
    if (fclose(log->to) != 0 || failed) user_warning("%s: the log of statements is not complete", path);
    vec_free(&log->lines);
    map_free(&log->numbers);
    map_free(&log->last);
    arena_free(log->arena);
    DELETE(log);
}

// ---- marks

static uint32_t mark_line(void *context, const char *file, uint32_t line, const char *function) {
    struct statement_log *log = context;
    uint64_t key = hash_combine(hash_bytes(file, strlen(file), 0), line);
    const uint64_t *known = map_get(&log->numbers, key);
    if (known) return (uint32_t)*known + 1;
    *map_put(&log->numbers, key) = log->lines.count;
    vec_push(&log->lines, ((struct logged_line){.file = arena_strdup(log->arena, file), .line = line}));
    return log->lines.count;
}

void statement_log_set_front(struct statement_log *log, struct front_options *front) {
    front->mark = mark_line;
    front->mark_context = log;
}

static const char *source_of(struct statement_log *log, struct logged_line *line) {
    if (line->source) return line->source;
    line->source = "";
    FILE *file = sources_open(line->file);
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    for (uint32_t number = 1; file && (length = getline(&text, &capacity, file)) >= 0; number++) {
        if (number != line->line) continue;
        while (length && strchr(" \t\r\n", text[length - 1])) text[--length] = 0;
        line->source = arena_strdup(log->arena, text + strspn(text, " \t"));
        break;
    }
    free(text);
    if (file) fclose(file);
    return line->source;
}

// ---- events

static void count_condition(void *context, Term condition) { ++*(uint32_t *)context; }

static void add_event(struct statement_log *log, const struct state *state, uint32_t mark,
                      const char *event) {
    uint32_t conditions = 0;
    struct text text = {0};
    struct logged_line *line = &log->lines.at[mark];
    path_each(state->path, count_condition, &conditions);
    text_add(&text, "[%llu,%u] ", (unsigned long long)state->number, conditions);
    report_add_safe(&text, line->file);
    text_add(&text, ":%u : ", line->line);
    report_add_safe(&text, event ? event : source_of(log, line));
    text_add(&text, "\n");
    fputs(text.at, log->to);
    text_free(&text);
}

static void note_event(void *context, const struct explore_event *event) {
    struct statement_log *log = context;
    const struct state *state = event->state;
    const uint64_t *last = map_get(&log->last, state->number);
    // A state that was made to report a bug has logged no line: it fails on the line of the running state.
    uint32_t mark = last ? (uint32_t)*last : log->current;
    char text[64];
    switch (event->kind) {
    case EXPLORE_LINE:
        assert(event->mark < log->lines.count);
        *map_put(&log->last, state->number) = log->current = event->mark;
        add_event(log, state, event->mark, NULL);
        break;
    case EXPLORE_FORK:
        if (mark == UINT32_MAX) break; // before the first line
        *map_put(&log->last, event->child->number) = mark;
        snprintf(text, sizeof text, "path %llu forks off%s", (unsigned long long)event->child->number,
                 event->child->waiting.condition ? ", pending" : "");
        add_event(log, state, mark, text);
        break;
    case EXPLORE_END:
        if (mark == UINT32_MAX) break;
        snprintf(text, sizeof text, "the path ends: %s", vm_event_names[event->end]);
        add_event(log, state, mark, text);
        if (last) map_remove(&log->last, state->number);
        break;
    }
}

void statement_log_set_explore(struct statement_log *log, struct explore_options *explore) {
    explore->on_event = note_event;
    explore->event_context = log;
}
