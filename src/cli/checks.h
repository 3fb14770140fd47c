// Which checks are on: one option, shared by the commands that run programs.
#ifndef TAMAR_CLI_CHECKS_H
#define TAMAR_CLI_CHECKS_H

#include "base/options.h"

#define CHECK_OPTIONS(X, T)                                                                                  \
    X(T, SET, check, "memory|div|assert|overflow|shift|leak|uninit|arithmetic|float", "memory,div,assert",   \
      "which checks are on, besides those that always are; overflow is arithmetic and narrowing")

enum {
    CHECK_MEMORY,
    CHECK_DIV,
    CHECK_ASSERT,
    CHECK_OVERFLOW,
    CHECK_SHIFT,
    CHECK_LEAK,
    CHECK_UNINIT,
    CHECK_ARITHMETIC,
    CHECK_FLOAT
};

// What --check says to the front end.
#define CHECKS_OF_FRONT(checks)                                                                              \
    .check_overflow = check_wanted(checks, CHECK_OVERFLOW) || check_wanted(checks, CHECK_ARITHMETIC),        \
    .check_narrowing = check_wanted(checks, CHECK_OVERFLOW),                                                 \
    .check_shift = check_wanted(checks, CHECK_SHIFT), .keep_locals = check_wanted(checks, CHECK_UNINIT),     \
    .check_float = check_wanted(checks, CHECK_FLOAT)

static inline bool check_wanted(uint64_t checks, unsigned check) { return checks >> check & 1; }

#endif
