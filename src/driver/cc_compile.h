// The compiling half of `tamar cc`.
#ifndef TAMAR_DRIVER_CC_COMPILE_H
#define TAMAR_DRIVER_CC_COMPILE_H

#include "base/base.h"

struct cc_line;
struct cc_word;

// -c, -S, -E and the like: everything that does not link.
int cc_compile_all(const struct cc_line *line);
// One source of a command that links, to an object of our own. Exit status.
int cc_compile_for_link(const struct cc_line *line, const struct cc_word *word, const char *object);
int cc_query(const struct cc_line *line);

#endif
