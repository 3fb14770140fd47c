// `--workers URL`: shares a run with other machines.
#ifndef TAMAR_RUN_SHARE_H
#define TAMAR_RUN_SHARE_H

#include "cluster/starter.h"
#include "run/resume_folder.h"
#include "run/run_options.h"

struct share;

// Whether the options can be used with --workers. `alone`: an option that works in one process only, or NULL. If they
// cannot, an error has been reported.
bool share_fits(const struct run_options *options, const char *alone, bool other_command, uint32_t *jobs);
// Connects. `version` is this Tamar's, which workers must have as well. *folder: results folder of a run that is in
// Redis already, else NULL. Returns NULL if an error has been reported.
struct share *share_open(const struct run_options *options, const char *version,
                         const struct explore_options *explore, const struct ir_program *program,
                         const struct text *bitcode, const char *name, const char **folder);
// Resumes the run in this folder, as --resume does. Returns false if an error has been reported.
bool share_joins(struct resumed *resumed, const char *folder, const char *out,
                 const struct ir_program *program, const struct text *bitcode);
bool share_begin(struct share *share, const struct starter_begin *begin, struct sharing *sharing);
void share_free(struct share *share);

#endif
