// The compiling half of `tamar cc`.
#ifndef TAMAR_DRIVER_CC_COMPILE_H
#define TAMAR_DRIVER_CC_COMPILE_H

#include "base/base.h"

struct cc_line;
struct cc_word;

// Runs a command that does not link: -c, -S, -E and similar ones. Returns the exit status.
int cc_compile_all(const struct cc_line *line);
// Compiles one source of a command that links to a temporary object. Returns the exit status.
int cc_compile_for_link(const struct cc_line *line, const struct cc_word *word, const char *object);
int cc_query(const struct cc_line *line);

#endif
