// The checks that --check names: CHECK(NAME, name, default, meaning).
//
// ON: always on, and so the default. OFF: on request. NAMED: on request, and not part of "all", because it reports
// defined behaviour that is often intended. A set of checks has one bit for each row, in this order, as an option of
// kind SET has (base/options.h). The front end and the VM take the same set. base/bug_kinds.h has the kinds of bugs
// that a check reports, base/sanitizers.h the checks of clang's sanitizers that implement it.
#ifndef TAMAR_BASE_CHECKS_H
#define TAMAR_BASE_CHECKS_H

#include "base/base.h"

// clang-format off
#define CHECK_TABLE(CHECK)                                                                                         \
    CHECK(MEMORY,     "memory",     ON,  "bounds and lifetime of objects, subscripts, null pointers, free, calls") \
    CHECK(DIV,        "div",        ON,  "division by zero, and INT_MIN / -1")                                     \
    CHECK(ASSERT,     "assert",     ON,  "assertions")                                                             \
    CHECK(OVERFLOW,   "overflow",   OFF, "signed arithmetic, and implicit conversions that lose bits of the value")\
    CHECK(SHIFT,      "shift",      OFF, "shifts by a negative or too large amount, of a negative or too large value")\
    CHECK(LEAK,       "leak",       OFF, "heap memory that nothing points to when the program ends")               \
    CHECK(UNINIT,     "uninit",     OFF, "behaviour that depends on memory that was never written")                \
    CHECK(ARITHMETIC, "arithmetic", OFF, "signed arithmetic alone")                                                \
    CHECK(FLOAT,      "float",      OFF, "floats: division by zero, unrepresentable conversions, new NaNs")        \
    CHECK(BOUNDS,     "bounds",     OFF, "addresses outside of arrays whose size the type says, also without an access")\
    CHECK(POINTER_DIFFERENCE, "pointer-difference", OFF, "subtraction of pointers into different objects")         \
    /* Checks of clang's UndefinedBehaviorSanitizer, under its names. */                                           \
    CHECK(UNDEFINED,  "undefined",  OFF, "all of -fsanitize=undefined")                                            \
    CHECK(ALIGNMENT,  "alignment",  OFF, "pointers that are not aligned as their type requires")                   \
    CHECK(BOOL,       "bool",       OFF, "a _Bool that is neither 0 nor 1")                                        \
    CHECK(BUILTIN,    "builtin",    OFF, "builtins called with invalid values, as __builtin_clz(0)")               \
    CHECK(NULL,       "null",       OFF, "members and elements of null pointers, also where nothing is accessed")  \
    CHECK(POINTER_OVERFLOW, "pointer-overflow", OFF, "pointer arithmetic that wraps around, or on null")           \
    CHECK(VLA_BOUND,  "vla-bound",  OFF, "variable-length arrays whose length is not positive")                    \
    CHECK(NONNULL_ATTRIBUTE, "nonnull-attribute", OFF, "null for a parameter that is declared nonnull")            \
    CHECK(RETURNS_NONNULL, "returns-nonnull-attribute", OFF, "null from a function declared returns_nonnull")      \
    CHECK(FLOAT_CAST_OVERFLOW, "float-cast-overflow", OFF, "conversions of floats that the type cannot hold")      \
    CHECK(FLOAT_DIVIDE, "float-divide-by-zero", OFF, "divisions of floats by zero")                                \
    CHECK(SIGNED_OVERFLOW, "signed-integer-overflow", OFF, "as arithmetic")                                        \
    CHECK(SHIFT_BASE, "shift-base", OFF, "left shifts of negative values, or that lose bits")                      \
    CHECK(SHIFT_EXPONENT, "shift-exponent", OFF, "shifts by the width or more, or by a negative amount")           \
    CHECK(INTEGER_DIVIDE, "integer-divide-by-zero", ON, "as div")                                                  \
    CHECK(UNREACHABLE, "unreachable", ON, "__builtin_unreachable that is reached")                                 \
    CHECK(OBJECT_SIZE, "object-size", ON, "as memory")                                                             \
    CHECK(RETURN,     "return",     OFF, "the end of a function without a value: not an error in C")               \
    CHECK(IMPLICIT,   "implicit-conversion", NAMED, "implicit conversions that change the value")                  \
    CHECK(TRUNCATION, "implicit-integer-truncation", OFF, "implicit conversions that lose bits of the value")      \
    CHECK(UNSIGNED_TRUNCATION, "implicit-unsigned-integer-truncation", OFF, "from unsigned to unsigned")           \
    CHECK(SIGNED_TRUNCATION, "implicit-signed-integer-truncation", OFF, "where one of the two is signed")          \
    CHECK(SIGN_CHANGE, "implicit-integer-sign-change", NAMED, "implicit conversions that change the sign")         \
    CHECK(BITFIELD,   "implicit-bitfield-conversion", NAMED, "values that a bit-field cannot hold")                \
    CHECK(INTEGER,    "integer",    NAMED, "all of -fsanitize=integer")                                            \
    CHECK(UNSIGNED_OVERFLOW, "unsigned-integer-overflow", NAMED, "unsigned arithmetic that wraps around")          \
    CHECK(UNSIGNED_SHIFT, "unsigned-shift-base", NAMED, "left shifts of unsigned values that lose bits")           \
    CHECK(NULLABILITY, "nullability", NAMED, "null where a type says _Nonnull")                                    \
    CHECK(NULLABILITY_ARG, "nullability-arg", NAMED, "null for a _Nonnull parameter")                              \
    CHECK(NULLABILITY_ASSIGN, "nullability-assign", NAMED, "null for a _Nonnull variable")                         \
    CHECK(NULLABILITY_RETURN, "nullability-return", NAMED, "null from a function that returns _Nonnull")          \
    CHECK(HANG,       "hang",       NAMED, "loops without end: a state that repeats itself, or long without progress")
// clang-format on

enum check {
#define CHECK(name, text, initial, meaning) CHECK_##name,
    CHECK_TABLE(CHECK)
#undef CHECK
        CHECK_COUNT
};

#define CHECK_BIT(name) (UINT64_C(1) << CHECK_##name)

// {earlier name, name}
#define CHECK_EARLIER_NAMES {"pointer-subtract", "pointer-difference"}

// For option tables: all checks as "memory|div|...", those on by default as "memory,div,...". The leading separator is
// skipped. NAMED choices are marked with '~' (base/options.h).
#define CHECK_CHOICE(name, text, initial, meaning) "|" CHECK_MARK_##initial text
#define CHECK_MARK_ON
#define CHECK_MARK_OFF
#define CHECK_MARK_NAMED                            "~"
#define CHECK_DEFAULT(name, text, initial, meaning) CHECK_DEFAULT_##initial(text)
#define CHECK_DEFAULT_ON(text)                      "," text
#define CHECK_DEFAULT_OFF(text)
#define CHECK_DEFAULT_NAMED(text)
#define CHECK_CHOICES  (CHECK_TABLE(CHECK_CHOICE)) + 1
#define CHECK_DEFAULTS (CHECK_TABLE(CHECK_DEFAULT)) + 1

// The checks that are always on.
#define CHECK_ALWAYS(name, text, initial, meaning) | CHECK_ALWAYS_##initial(name)
#define CHECK_ALWAYS_ON(name)                      CHECK_BIT(name)
#define CHECK_ALWAYS_OFF(name)                     0
#define CHECK_ALWAYS_NAMED(name)                   0
#define CHECKS_ALWAYS                              (0 CHECK_TABLE(CHECK_ALWAYS))

static inline bool check_wanted(uint64_t checks, enum check check) { return checks >> check & 1; }

#endif
