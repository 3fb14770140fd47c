// Unified diffs (`git diff`, `diff -u`), read as: which lines of the new version have changed.
//
// A line that was added has changed. Where lines were only taken away, the line that follows has: from there on the
// program does something else.
#ifndef TAMAR_REGRESS_DIFF_H
#define TAMAR_REGRESS_DIFF_H

#include "base/vec.h"

struct arena;

// A line of the new version as the diff quotes it, without its end.
struct diff_line {
    uint32_t number;
    bool changed;
    uint32_t length;
    const char *text;
};

struct diff_file {
    const char *name;             // of the new version, without git's "b/"; NULL: there it is gone
    const char *old;              // likewise of the old one
    vec(struct diff_line) quoted; // ascending: lines that were added, and those around them
    vec(uint32_t) changed;        // ascending, each once
};

struct diff {
    vec(struct diff_file) files;
    uint32_t binary; // files of which it says no more than that they differ
};

// NULL, or what is wrong; then *line says where (from 1). Names and texts live in the arena. To be freed either way.
const char *diff_parse(struct arena *arena, const char *text, size_t size, struct diff *diff, uint32_t *line);
void diff_free(struct diff *diff);

#endif
