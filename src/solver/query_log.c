// Path conditions form a tree: each is its parent plus one condition. The asserted conditions are one path down that
// tree, `asserted`, with one level of the script for each step. The conditions of a path that is queried are alive,
// since its groups hold them; a condition that was collected belongs to no path that can still be queried.
#include "solver/query_log.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/vec.h"
#include "expr/print_term.h"

struct log_step {
    uint32_t parent, depth;
    Term condition;
};

struct query_log {
    FILE *out;
    struct smtlib_writer *writer;
    struct text text;
    vec(struct log_step) steps; // [0] is the empty path condition
    vec(uint32_t) asserted;     // steps, by depth - 1
    vec(uint32_t) missing;      // scratch
};

struct query_log *query_log_new(struct terms *terms, FILE *out) {
    struct query_log *log = NEW(struct query_log);
    log->out = out;
    log->writer = smtlib_writer_new(terms);
    vec_push(&log->steps, (struct log_step){0});
    fputs("(set-option :global-declarations true)\n(set-logic ALL)\n", out);
    return log;
}

void query_log_free(struct query_log *log) {
    if (!log) return;
    smtlib_writer_free(log->writer);
    text_free(&log->text);
    vec_free(&log->steps);
    vec_free(&log->asserted);
    vec_free(&log->missing);
    DELETE(log);
}

uint32_t query_log_add(struct query_log *log, uint32_t path, Term condition) {
    assert(path < log->steps.count);
    uint32_t depth = log->steps.at[path].depth + 1;
    vec_push(&log->steps, ((struct log_step){.parent = path, .depth = depth, .condition = condition}));
    return log->steps.count - 1;
}

static void push(struct query_log *log, Term condition) {
    smtlib_write_needs(log->writer, &log->text, condition);
    text_add(&log->text, "(push 1)\n(assert ");
    smtlib_write_bool(log->writer, &log->text, condition);
    text_add(&log->text, ")\n");
}

// Pops and asserts until the script asserts `path`.
static void go_to(struct query_log *log, uint32_t path) {
    vec_clear(&log->missing);
    for (; path; path = log->steps.at[path].parent) {
        uint32_t depth = log->steps.at[path].depth;
        if (depth <= log->asserted.count && log->asserted.at[depth - 1] == path) break;
        vec_push(&log->missing, path);
    }
    uint32_t kept = log->steps.at[path].depth;
    if (log->asserted.count > kept) text_add(&log->text, "(pop %u)\n", log->asserted.count - kept);
    log->asserted.count = kept;
    while (log->missing.count) {
        uint32_t step = vec_pop(&log->missing);
        push(log, log->steps.at[step].condition);
        vec_push(&log->asserted, step);
    }
}

void query_log_ask(struct query_log *log, uint32_t path, Term condition) {
    text_clear(&log->text);
    go_to(log, path);
    assert(log->asserted.count == log->steps.at[path].depth);
    push(log, condition);
    text_add(&log->text, "(check-sat)\n(pop 1)\n");
    fwrite(log->text.at, 1, log->text.count, log->out);
    fflush(log->out);
}
