// The source of the new version, line by line, and its changed lines.
#ifndef TAMAR_REGRESS_CHANGED_SOURCE_H
#define TAMAR_REGRESS_CHANGED_SOURCE_H

#include "regress/regress.h"

struct changed_source {
    struct text content;
    vec(const char *) lines; // without line ends; none: the file cannot be read
};

void changed_source_read(const char *path, struct changed_source *source);
void changed_source_free(struct changed_source *source);
// Marks the code of a line of the program's file number `file` as changed.
void regress_add_line(struct regress *regress, uint32_t file, uint32_t line,
                      const struct changed_source *source);

// regress_macros.c: marks the lines that use a changed macro as changed, in the files of user code (`own`). `root`:
// the folder that names in the diff are relative to.
void regress_add_macro_uses(struct regress *regress, const uint8_t *own, const char *root);

#endif
