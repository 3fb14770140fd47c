// `tamar exec --save-files DIR`: writes the files that the program leaves behind below DIR, and nowhere else.
#ifndef TAMAR_RUN_SAVE_FILES_H
#define TAMAR_RUN_SAVE_FILES_H

#include "base/base.h"

// vm_host.save_file: `path` is absolute, as the program sees it, `kind` is enum __tamar_saved. A path that does not fit
// below the folder is reported as an error, and nothing is written: false is returned.
bool save_file_below(const char *folder, const char *path, int kind, unsigned mode, const void *content,
                     uint64_t size);

#endif
