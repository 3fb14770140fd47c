// Unified diffs (`git diff`, `diff -u`), read as the set of changed lines of the new version.
//
// An added line has changed. If lines were only removed, the next line has changed: the program behaves
// differently from there on.
#ifndef TAMAR_REGRESS_DIFF_H
#define TAMAR_REGRESS_DIFF_H

#include "base/vec.h"

struct arena;

// A line of the new version as quoted in the diff, without its line end.
struct diff_line {
    uint32_t number;
    bool changed;
    uint32_t length;
    const char *text;
};

struct diff_file {
    const char *name;             // name in the new version, without git's "b/"; NULL: the file was deleted
    const char *old;              // name in the old version, without git's "a/"; NULL: the file was added
    vec(struct diff_line) quoted; // ascending: added lines and context lines
    vec(uint32_t) changed;        // ascending, without duplicates
};

struct diff {
    vec(struct diff_file) files;
    uint32_t binary; // number of binary files, whose lines are not compared
};

// Parses a unified diff. Returns NULL, or an error message; *line is then the line of the diff that is wrong (from 1).
// Names and texts live in the arena. The caller must free the diff in both cases.
const char *diff_parse(struct arena *arena, const char *text, size_t size, struct diff *diff, uint32_t *line);
void diff_free(struct diff *diff);

#endif
