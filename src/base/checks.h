// The checks that --check names: CHECK(NAME, name, default, meaning).
//
// ON: part of the machine, always on, and so the default. OFF: on request. A set of checks is 64 bits, one for each row
// in this order, as an option of the kind SET has them; the front end and the machine take the same set. The kinds of
// bugs that a check reports are in base/bug_kinds.h.
#ifndef TAMAR_BASE_CHECKS_H
#define TAMAR_BASE_CHECKS_H

#include "base/base.h"

// clang-format off
#define CHECK_TABLE(CHECK)                                                                                         \
    CHECK(MEMORY,     "memory",     ON,  "bounds and lifetime of objects, null pointers, free, calls")             \
    CHECK(DIV,        "div",        ON,  "division by zero, and INT_MIN / -1")                                     \
    CHECK(ASSERT,     "assert",     ON,  "assertions")                                                             \
    CHECK(OVERFLOW,   "overflow",   OFF, "signed arithmetic, and implicit conversions that lose bits of the value")\
    CHECK(SHIFT,      "shift",      OFF, "shifts by the width of the value or more")                               \
    CHECK(LEAK,       "leak",       OFF, "heap memory that nothing points to when the program ends")               \
    CHECK(UNINIT,     "uninit",     OFF, "behaviour that depends on memory that was never written")                \
    CHECK(ARITHMETIC, "arithmetic", OFF, "signed arithmetic alone")                                                \
    CHECK(FLOAT,      "float",      OFF, "floats: division by zero, unrepresentable conversions, new NaNs")
// clang-format on

enum check {
#define CHECK(name, text, initial, meaning) CHECK_##name,
    CHECK_TABLE(CHECK)
#undef CHECK
        CHECK_COUNT
};

#define CHECK_BIT(name) (UINT64_C(1) << CHECK_##name)

// "memory|div|..." and "memory,div,...", those that are on by default, for tables of options: the separator in front
// of the first one is skipped.
#define CHECK_CHOICE(name, text, initial, meaning)  "|" text
#define CHECK_DEFAULT(name, text, initial, meaning) CHECK_DEFAULT_##initial(text)
#define CHECK_DEFAULT_ON(text)                      "," text
#define CHECK_DEFAULT_OFF(text)
#define CHECK_CHOICES  (CHECK_TABLE(CHECK_CHOICE)) + 1
#define CHECK_DEFAULTS (CHECK_TABLE(CHECK_DEFAULT)) + 1

// The checks that are always on.
#define CHECK_ALWAYS(name, text, initial, meaning) | CHECK_ALWAYS_##initial(name)
#define CHECK_ALWAYS_ON(name)                      CHECK_BIT(name)
#define CHECK_ALWAYS_OFF(name)                     0
#define CHECKS_ALWAYS                              (0 CHECK_TABLE(CHECK_ALWAYS))

static inline bool check_wanted(uint64_t checks, enum check check) { return checks >> check & 1; }

#endif
