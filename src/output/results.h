// The results folder of a run: `tamar-out-N` with the link `tamar-last`, or the folder that the user names.
// Files are written under a temporary name and renamed. The first failed write (mostly because of a full disk) is
// reported. After it nothing more is written, and existing files stay as they are.
#ifndef TAMAR_RESULTS_H
#define TAMAR_RESULTS_H

#include "base/text.h"

struct results;

// Locks a folder for one run at a time, until the descriptor is closed or the process ends. Returns -1 if another run
// holds the lock or it cannot be taken; an error has been reported.
int results_lock(const char *folder);
// Creates the folder; `wanted` NULL: the next free tamar-out-N in the current directory. Returns NULL if an error has
// been reported.
struct results *results_create(const char *wanted);
// Opens an existing folder.
struct results *results_open(const char *folder);
void results_free(struct results *results);

const char *results_folder(const struct results *results);
// Returns FOLDER/NAME; the caller frees it with text_free.
struct text results_path(const struct results *results, const char *format, ...) PRINTF(2, 3);
// Returns true after a failed write: the run should end.
bool results_failed(const struct results *results);

// Writes a file below the folder atomically. Returns false on failure; the first failure is reported.
bool results_write(struct results *results, const char *name, const void *bytes, size_t size);
// Like results_write, but syncs the content to disk before the rename.
bool results_write_durably(struct results *results, const char *name, const void *bytes, size_t size);
bool results_make_folder(struct results *results, const char *name);
bool results_rename(struct results *results, const char *from, const char *to);

// Reports the failure of a file that another module writes, as a failing results_write would.
void results_fail(struct results *results, const char *name, const char *cause);

#endif
