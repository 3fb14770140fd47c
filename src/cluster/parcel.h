// A serialized run (message/shared_run.h): the data that explore.h and the loader need on another machine. The
// program is sent separately, as bitcode.
#ifndef TAMAR_CLUSTER_PARCEL_H
#define TAMAR_CLUSTER_PARCEL_H

#include "explore/explore.h"

struct parcel_target {
    const char *file;
    uint32_t line;
};

// Options that struct explore_options does not have: how the program is loaded, and the list of known reports as text
// (run/known.h).
struct parcel_front {
    bool no_libc, allow_undefined;
    uint64_t checks;
    const struct parcel_target *targets; // lines to mark; their indices are the numbers of the marks
    uint32_t target_count;
    const char *known_name, *known; // list of known reports, as text (run/known.h); NULL: none
};

struct parcel {
    struct parcel_front front;
    uint64_t form; // the program's parcel_form
    const char *name;
    struct explore_options explore; // without callbacks and targets; allocated in the arena
    uint32_t changed_size; // size of explore.machine.changed; the reader compares it with the program
    struct text peers;
    const uint8_t *input_file; // content of standard input; NULL: none
    uint32_t input_file_size;
    uint32_t user, group;
    struct arena *arena;
};

// Returns a hash of the program's IR. States can be moved between machines only if it is equal.
uint64_t parcel_form(const struct ir_program *program);
// Serializes a run. Returns false if standard input cannot be read; an error has been reported.
bool parcel_write(struct text *to, const struct explore_options *explore, const struct parcel_front *front,
                  const struct ir_program *program, const char *name);
// Reads a serialized run. Returns false if the data is damaged or has invalid values; `problem` gets the reason. Call
// parcel_free in both cases.
bool parcel_read(struct parcel *parcel, const void *bytes, size_t size, struct text *problem);
void parcel_free(struct parcel *parcel);

#endif
