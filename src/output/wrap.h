// Breaks long lines of text between words, for a terminal.
#ifndef TAMAR_OUTPUT_WRAP_H
#define TAMAR_OUTPUT_WRAP_H

#include "base/text.h"

// Appends the text with lines of at most `columns` characters where words allow it. Lines to be copied (commands, lines
// of source) stay whole: the terminal breaks them, and a copy has no line break. Escape sequences have no width.
void wrap_add(struct text *to, const char *text, unsigned columns);

#endif
