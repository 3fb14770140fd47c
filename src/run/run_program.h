// The common part of `tamar run`, `tamar reach` and `tamar regress`: loads the program, makes the results folder,
// explores, and prints the summary.
#ifndef TAMAR_RUN_RUN_PROGRAM_H
#define TAMAR_RUN_RUN_PROGRAM_H

#include "run/run_options.h"

struct run_call {
    const struct option_table *table; // the table that the options were parsed with
    char **words;                     // words of the command line
    const char *version;              // version of Tamar, for the results
    bool reach;                       // `tamar reach`: the run looks only for its targets
    const struct run_hooks *hooks;    // NULL: none
};

// Returns the exit status. A resumed run replaces the options and operands by its own.
int run_program(const struct run_call *call, struct run_options *options, struct operands *operands);

#endif
