// The option --check, shared by the commands that run programs.
#ifndef TAMAR_RUN_CHECK_OPTIONS_H
#define TAMAR_RUN_CHECK_OPTIONS_H

#include "base/checks.h"
#include "base/options.h"

#define CHECK_OPTIONS(X, T)                                                                                  \
    X(T, SET, check, CHECK_CHOICES, CHECK_DEFAULTS,                                                          \
      "checks to turn on, besides those always on (overflow: signed arithmetic and narrowing)")

#endif
