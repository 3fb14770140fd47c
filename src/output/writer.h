// The results folder of a run, written from the run's messages alone.
//
//   writer_open -> writer_start -> { writer_take, writer_progress } -> writer_finish -> writer_free
//
// A test and the report of the finding that it is the first to show are written when their messages come; the rest now and then,
// and at the end.
#ifndef TAMAR_OUTPUT_WRITER_H
#define TAMAR_OUTPUT_WRITER_H

#include "message/message.h"
#include "output/summary.h"

struct option_table;
struct record;
struct text;
struct writer;

// "format" of program.json: of everything below the folder. Folders of version 0.1.0 have none.
#define WRITER_FORMAT 2u

struct writer_options {
    const char *out; // NULL: tamar-out-N
    bool reopen;     // `out` is there already: the run goes on
    const char *const
        *command;             // the words after `tamar run`, NULL-terminated: how the run can be set up again
    const char *kind;         // the command: "run", "reach", "regress"
    const char *program;      // the program as the user named it
    const char *stdin;        // --stdin; NULL: none
    const char *const *words; // the operands: files, and the compiler's flags
    uint32_t word_count;
    const char *directory;
    const struct text *bitcode;
    const struct option_table *table;
    const void *values;
    const char *version;
};

// Makes the folder. NULL: an error has been reported.
struct writer *writer_open(const struct writer_options *options);
void writer_free(struct writer *writer);
// Before the first message. The program must outlive the writer.
void writer_start(struct writer *writer, const struct ir_program *program);
// Returns the finding that a test is the first to show, else NULL.
const struct finding *writer_take(struct writer *writer, const struct message *message);

// What was said so far. `ended`: false while the run goes on. Lives in the arena and in the writer; targets and slices are left to
// the caller.
struct summary writer_summary(struct writer *writer, struct arena *arena, bool ended);
// Rewrites summary.json, and adds a row to the database.
void writer_progress(struct writer *writer, const struct summary *summary, bool coverage);
// Writes everything; *json, when not NULL, gets summary.json.
void writer_finish(struct writer *writer, const struct summary *summary, struct text *json);

// Test i, from 1, becomes test numbers[i], in all files: a permutation.
void writer_renumber(struct writer *writer, const uint32_t *numbers, uint32_t count);
// A file of this name with this content, durably.
void writer_put(struct writer *writer, const char *name, const struct text *content);
const struct record *writer_record(const struct writer *writer);
const char *writer_folder(const struct writer *writer);
// A file could not be written; an error has been reported.
bool writer_failed(const struct writer *writer);

#endif
