// A run as it travels to another machine: what explore.h and the loader need, as plain data (message/shared_run.h). The program travels
// beside it, as bitcode.
#ifndef TAMAR_CLUSTER_PARCEL_H
#define TAMAR_CLUSTER_PARCEL_H

#include "explore/explore.h"

// How the program is loaded.
struct parcel_front {
    bool no_libc, allow_undefined;
    uint64_t checks;
};

struct parcel {
    struct parcel_front front;
    uint64_t form; // of the program, as parcel_form gives it
    const char *name;
    struct explore_options explore; // without callbacks; refers to the arena
    struct text peers;
    const uint8_t *input_file; // what standard input has; NULL: nothing
    uint32_t input_file_size;
    uint32_t user, group;
    struct arena *arena;
};

// A hash of the program as it is executed: equal where states can move from one machine to another.
uint64_t parcel_form(const struct ir_program *program);
// False: standard input cannot be read; an error has been reported.
bool parcel_write(struct text *to, const struct explore_options *explore, const struct parcel_front *front,
                  const struct ir_program *program, const char *name);
// False: it is damaged, or has what no run has; `problem` gets the reason. To be freed with parcel_free either way.
bool parcel_read(struct parcel *parcel, const void *bytes, size_t size, struct text *problem);
void parcel_free(struct parcel *parcel);

#endif
