// Comparison of several runs: the bugs and coverage of each, and of all together.
#ifndef TAMAR_RUN_COMPARE_RUNS_H
#define TAMAR_RUN_COMPARE_RUNS_H

#include "base/options.h"

// Prints the comparison for `tamar stats A B ...`. Returns the exit status.
int compare_print(const struct operands *operands);
// Writes the comparison as an HTML page to the file `to`, for `tamar report A B ...`. Returns the exit status.
int compare_write_page(const struct operands *operands, const char *to);

#endif
