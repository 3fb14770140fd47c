// `tamar run --resume DIR`: continues an interrupted run.
#ifndef TAMAR_RUN_RESUME_FOLDER_H
#define TAMAR_RUN_RESUME_FOLDER_H

#include "run/run_options.h"

struct arena;

struct resumed {
    struct arena *arena;                 // NULL: nothing is resumed
    const char *folder;                  // absolute
    const char *directory;               // where the run was started
    char **command;                      // words of its command line
    int lock;                            // descriptor that locks the folder, -1: none
    const struct checkpoint *checkpoint; // NULL: none was written, the run starts again
    const struct written_test *written;  // tests in the folder that are newer than the checkpoint
    uint32_t written_count;
};

// Replaces the given options and operands by those of the interrupted run, and changes to the directory where it was
// started. Not replaced are NEW_OPTIONS: limits, workers, checkpoints, display, and the files that Tamar writes.
// `version` is the version of this Tamar; the run must have the same one. Returns false if an error has been reported.
bool resume_options(struct resumed *resumed, const char *version, struct run_options *options,
                    struct operands *operands);
// Reads the checkpoint of the run. Returns false if the run cannot continue (another program, no results); an error
// has been reported.
bool resume_read(struct resumed *resumed, const struct ir_program *program, const struct text *bitcode);
void resumed_free(struct resumed *resumed);

#endif
