// Options that several commands share; a command's table names them as its first or last rows.
#ifndef TAMAR_RUN_COMMON_OPTIONS_H
#define TAMAR_RUN_COMMON_OPTIONS_H

#include "base/log.h"
#include "base/options.h"
#include "native/sandbox.h"

#define COMMON_OPTIONS(X, T)                                                                                 \
    X(T, FLAG, quiet, 'q', "print only errors and results")                                                  \
    X(T, FLAG, verbose, 'v', "print details while running")

// Applies the common options. Call it after parsing.
#define COMMON_APPLY(options)                                                                                \
    log_set_level((options)->verbose ? LOG_VERBOSE : (options)->quiet ? LOG_QUIET : LOG_NORMAL)

// Options of the commands that run programs which start others.
#define PROGRAM_OPTIONS(X, T)                                                                                \
    X(T, LIST, program, "PATH=FILE",                                                                         \
      "a further program, which execve may start: a file built with `tamar cc`, or C; the program finds it " \
      "at PATH (default: the file's own path)")

// Options of the commands that run native code.
#define NATIVE_OPTIONS(X, T)                                                                                 \
    X(T, FLAG, no_sandbox, 0, "run native code without a sandbox, with all rights of its user")
#define NATIVE_APPLY(options)                                                                                \
    if ((options)->no_sandbox) sandbox_switch_off()

#endif
