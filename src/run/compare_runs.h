// Several runs beside each other: what each found and covered, and what all of them did together.
#ifndef TAMAR_RUN_COMPARE_RUNS_H
#define TAMAR_RUN_COMPARE_RUNS_H

#include "base/options.h"

// As text for `tamar stats A B ...`; status of the command.
int compare_print(const struct operands *operands);
// As an HTML page for `tamar report A B ...`, in the file `to`.
int compare_write_page(const struct operands *operands, const char *to);

#endif
