// The folder of a run's results: `tamar-out-N` with the link `tamar-last`, or where the user says.
//
// Files appear whole: they are written under another name and renamed. The first write that fails (a full
// disk, mostly) is said once; after that nothing more is written, and what is there stays as it is.
#ifndef TAMAR_RESULTS_H
#define TAMAR_RESULTS_H

#include "base/text.h"

struct results;

// Takes the lock of a folder, for one run at a time; it ends with the descriptor, or with the process. -1: the user was told that
// a run goes on there, or why the lock cannot be had.
int results_lock(const char *folder);
// `wanted` NULL: the next free tamar-out-N below the current directory. NULL: the user was told why.
struct results *results_create(const char *wanted);
// A folder that is there already.
struct results *results_open(const char *folder);
void results_free(struct results *results);

const char *results_folder(const struct results *results);
// FOLDER/NAME; the caller frees it with text_free.
struct text results_path(const struct results *results, const char *format, ...) PRINTF(2, 3);
// True after a write failed: the run has no reason to go on.
bool results_failed(const struct results *results);

// A file of this name below the folder, atomically. False: it failed, and was said once.
bool results_write(struct results *results, const char *name, const void *bytes, size_t size);
// The same, and the content is on the disk before the name is.
bool results_write_durably(struct results *results, const char *name, const void *bytes, size_t size);
bool results_make_folder(struct results *results, const char *name);
bool results_rename(struct results *results, const char *from, const char *to);

// For files that others write: says that this one failed, as a failing results_write would.
void results_fail(struct results *results, const char *name, const char *cause);

#endif
