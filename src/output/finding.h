// A bug as the writers of results see it: texts and places, nothing of the engine.
#ifndef TAMAR_FINDING_H
#define TAMAR_FINDING_H

#include "base/base.h"

struct finding_frame {
    const char *function;
    const char *file; // "" when the place has no line
    uint32_t line, column;
    const char *arguments; // `n=3, name="abc"`; NULL: not known
    bool own;              // in the program's own source, not in the library under it
};

struct finding_stack {
    const struct finding_frame *frames; // innermost first
    uint32_t count;
};

// What the path says about an input byte, where that is less than everything.
struct finding_byte {
    const char *input; // its name, as the test has it
    uint32_t offset;
    uint8_t value, low, high;
};

struct finding {
    const char *kind;           // "out-of-bounds"
    const char *message;        // one line
    const char *details;        // further lines, may be ""
    struct finding_frame place; // where a person looks first
    struct finding_stack stack, allocated, freed;
    const struct finding_byte *bytes; // those that matter
    uint32_t byte_count;
    const char *const *conditions; // the path's, as C-like text
    uint32_t condition_count;
    const char *const *events; // what the kernel did on the way that it need not have done
    uint32_t event_count;
    uint64_t hash;       // the same in every run for the same kind, place and stack
    uint32_t number;     // among the distinct bugs of the run, from 1; 0: not known
    uint32_t test;       // the first test that shows it
    uint64_t paths;      // that hit it, so far
    int replayed;        // 1 confirmed, 0 not confirmed, -1 not tried
    const char *command; // for a shell: gives the program the input; NULL: not known
};

// KIND-FILE-LINE-HASH, made of letters that every file system takes; static storage, overwritten by the next
// call.
const char *finding_name(const struct finding *finding);
// The hash: kind, and function, file name and line of each frame, but no folders, so that it does not depend
// on where the source lies.
uint64_t finding_hash(const struct finding *finding);

#endif
