// Options that several commands share; a command's table names them as its first or last rows.
#ifndef TAMAR_COMMON_OPTIONS_H
#define TAMAR_COMMON_OPTIONS_H

#include "base/log.h"
#include "base/options.h"

#define COMMON_OPTIONS(X, T)                                                                                 \
    X(T, FLAG, quiet, 'q', "say only errors and results")                                                    \
    X(T, FLAG, verbose, 'v', "say more about what happens")

// To be called after parsing.
#define COMMON_APPLY(options)                                                                                \
    log_set_level((options)->verbose ? LOG_VERBOSE : (options)->quiet ? LOG_QUIET : LOG_NORMAL)

#endif
