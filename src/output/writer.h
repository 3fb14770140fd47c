// Writes the results folder of a run from the run's messages and the program alone.
//
//   writer_open -> writer_start -> { writer_take, writer_progress } -> writer_finish -> writer_free
//
// A test, and the report of a bug that the test is the first to show, are written when the message arrives. The other
// files are written from time to time, and at the end.
#ifndef TAMAR_OUTPUT_WRITER_H
#define TAMAR_OUTPUT_WRITER_H

#include "message/message.h"
#include "output/summary.h"

struct option_table;
struct record;
struct text;
struct writer;

// "format" in program.json: the version of all files in the folder. Folders of Tamar 0.1.0 have no "format".
#define WRITER_FORMAT 2u

struct writer_options {
    const char *out;            // NULL: tamar-out-N
    bool reopen;                // `out` exists: the run is resumed
    const char *const *command; // the words after `tamar run`, NULL-terminated, to set up the run again
    const char *kind;           // "run", "reach", "regress"
    const char *program;        // as the user named it
    const char *stdin;          // --stdin; NULL: none
    const char *const *words;   // the operands: files and compiler flags
    uint32_t word_count;
    const char *directory;
    const struct text *bitcode;
    const struct option_table *table;
    const void *values;
    const char *version;
};

// Creates the folder. Returns NULL if an error has been reported.
struct writer *writer_open(const struct writer_options *options);
void writer_free(struct writer *writer);
// Must be called before the first message. The program must outlive the writer.
void writer_start(struct writer *writer, const struct ir_program *program);
// Processes a message. Returns the finding that a test is the first to show, else NULL.
const struct finding *writer_take(struct writer *writer, const struct message *message);

// Returns the summary so far. `ended`: the run has ended. The summary is valid as long as the arena and the writer. The
// caller fills in targets and slices.
struct summary writer_summary(struct writer *writer, struct arena *arena, bool ended);
// Rewrites summary.json, with `coverage` also coverage.json, and adds a row to the database.
void writer_progress(struct writer *writer, const struct summary *summary, bool coverage);
// Writes all files; *json, unless NULL, gets summary.json.
void writer_finish(struct writer *writer, const struct summary *summary, struct text *json);

// Renumbers the tests in all files: test i (from 1) becomes test numbers[i], a permutation.
void writer_renumber(struct writer *writer, const uint32_t *numbers, uint32_t count);
// Writes a file of this name with this content, synced to disk.
void writer_put(struct writer *writer, const char *name, const struct text *content);
const struct record *writer_record(const struct writer *writer);
const char *writer_folder(const struct writer *writer);
// Returns true if a file could not be written; an error has been reported.
bool writer_failed(const struct writer *writer);

#endif
