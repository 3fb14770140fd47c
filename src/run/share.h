// `--workers URL`: shares a run with other machines.
#ifndef TAMAR_RUN_SHARE_H
#define TAMAR_RUN_SHARE_H

#include "cluster/starter.h"
#include "run/resume_folder.h"
#include "run/run_options.h"
#include "run/target_set.h"

struct known_reports;

struct share;

// A run to be shared.
struct share_run {
    const struct run_options *options;
    const char *version; // version of this Tamar; workers must have the same one
    const struct explore_options *explore;
    const struct ir_program *program;
    const struct text *bitcode;
    const char *name;                  // name of the program
    const struct target_set *targets;  // NULL: none
    const struct known_reports *known; // NULL: none
};

// Whether the options can be used with --workers; if not, an error has been reported. `alone`: an option that works in
// one process only, or NULL.
bool share_fits(const struct run_options *options, const char *alone, uint32_t *jobs);
// Connects. *folder: results folder of the run if it already exists in Redis, else NULL. Returns NULL if an error has
// been reported.
struct share *share_open(const struct share_run *run, const char **folder);
// Resumes the run in this folder, as --resume does. Returns false if an error has been reported.
bool share_joins(struct resumed *resumed, const char *folder, const char *out,
                 const struct ir_program *program, const struct text *bitcode);
bool share_begin(struct share *share, const struct starter_begin *begin, struct sharing *sharing);
void share_free(struct share *share);

#endif
