// `tamar run --resume DIR`: an interrupted run goes on.
#ifndef TAMAR_RUN_RESUME_FOLDER_H
#define TAMAR_RUN_RESUME_FOLDER_H

#include "run/run_options.h"

struct arena;

struct resumed {
    struct arena *arena;                 // NULL: nothing is resumed
    const char *folder;                  // absolute
    const char *directory;               // where the run was started
    char **command;                      // its words
    int lock;                            // of the folder, -1: none
    const struct checkpoint *checkpoint; // NULL: none was written, the run starts again
    const struct written_test *written;  // tests that are there and that the checkpoint does not know
    uint32_t written_count;
};

// Puts the run's own options and operands in place of those given, of which only the limits stay, and goes to
// where it was started. `version` is this Tamar's, which must be the run's. False: an error has been reported.
bool resume_options(struct resumed *resumed, const char *version, struct run_options *options,
                    struct operands *operands);
// Reads where the run stood. False: it cannot go on (another program, nothing kept); an error has been reported.
bool resume_read(struct resumed *resumed, const struct ir_program *program, const struct text *bitcode);
void resumed_free(struct resumed *resumed);

#endif
