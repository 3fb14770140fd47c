// The checks of clang's sanitizers that Tamar uses: SANITIZER(NAME, clang's name, checks, kind).
//
//   checks  set of checks (base/checks.h) that use this sanitizer
//   kind    kind of bug that this sanitizer reports (base/bug_kinds.h)
//
// The front end turns the code that clang emits for a sanitizer into a check of the VM (front/instrumented.c). The
// sanitizer build of `tamar replay` is compiled with the sanitizers of its --check.
#ifndef TAMAR_BASE_SANITIZERS_H
#define TAMAR_BASE_SANITIZERS_H

#include "base/bug_kinds.h"

// clang-format off
#define SANITIZER_TABLE(SANITIZER)                                                                                     \
    SANITIZER(BOUNDS, "array-bounds", CHECK_BIT(MEMORY) | CHECK_BIT(BOUNDS) | CHECK_BIT(UNDEFINED), OUT_OF_BOUNDS)     \
    SANITIZER(DIVIDE, "integer-divide-by-zero",                                                                        \
              CHECK_BIT(DIV) | CHECK_BIT(INTEGER_DIVIDE) | CHECK_BIT(UNDEFINED) | CHECK_BIT(INTEGER), DIVISION)        \
    SANITIZER(SIGNED_OVERFLOW, "signed-integer-overflow",                                                              \
              CHECK_BIT(OVERFLOW) | CHECK_BIT(ARITHMETIC) | CHECK_BIT(SIGNED_OVERFLOW) | CHECK_BIT(UNDEFINED) |        \
                  CHECK_BIT(INTEGER), OVERFLOW)                                                                        \
    SANITIZER(SHIFT_EXPONENT, "shift-exponent",                                                                        \
              CHECK_BIT(SHIFT) | CHECK_BIT(SHIFT_EXPONENT) | CHECK_BIT(UNDEFINED) | CHECK_BIT(INTEGER), SHIFT)         \
    SANITIZER(SHIFT_BASE, "shift-base",                                                                                \
              CHECK_BIT(SHIFT) | CHECK_BIT(SHIFT_BASE) | CHECK_BIT(UNDEFINED) | CHECK_BIT(INTEGER), SHIFT)             \
    SANITIZER(ALIGNMENT, "alignment", CHECK_BIT(ALIGNMENT) | CHECK_BIT(UNDEFINED), ALIGNMENT)                          \
    SANITIZER(BOOL, "bool", CHECK_BIT(BOOL) | CHECK_BIT(UNDEFINED), BOOL)                                              \
    SANITIZER(BUILTIN, "builtin", CHECK_BIT(BUILTIN) | CHECK_BIT(UNDEFINED), BUILTIN)                                  \
    SANITIZER(NULL, "null", CHECK_BIT(NULL) | CHECK_BIT(UNDEFINED), NULL)                                              \
    SANITIZER(POINTER_OVERFLOW, "pointer-overflow", CHECK_BIT(POINTER_OVERFLOW) | CHECK_BIT(UNDEFINED),                \
              POINTER_OVERFLOW)                                                                                        \
    SANITIZER(VLA_BOUND, "vla-bound", CHECK_BIT(VLA_BOUND) | CHECK_BIT(UNDEFINED), VLA_BOUND)                          \
    SANITIZER(NONNULL_ATTRIBUTE, "nonnull-attribute", CHECK_BIT(NONNULL_ATTRIBUTE) | CHECK_BIT(UNDEFINED), NONNULL)    \
    SANITIZER(RETURNS_NONNULL, "returns-nonnull-attribute", CHECK_BIT(RETURNS_NONNULL) | CHECK_BIT(UNDEFINED),         \
              NONNULL)                                                                                                 \
    SANITIZER(FLOAT_CAST, "float-cast-overflow", CHECK_BIT(FLOAT_CAST_OVERFLOW) | CHECK_BIT(UNDEFINED), OVERFLOW)      \
    SANITIZER(FLOAT_DIVIDE, "float-divide-by-zero", CHECK_BIT(FLOAT_DIVIDE), DIVISION)                                 \
    SANITIZER(UNSIGNED_TRUNCATION, "implicit-unsigned-integer-truncation",                                             \
              CHECK_BIT(OVERFLOW) | CHECK_BIT(UNSIGNED_TRUNCATION) | CHECK_BIT(TRUNCATION) | CHECK_BIT(IMPLICIT) |     \
                  CHECK_BIT(INTEGER), OVERFLOW)                                                                        \
    SANITIZER(SIGNED_TRUNCATION, "implicit-signed-integer-truncation",                                                 \
              CHECK_BIT(OVERFLOW) | CHECK_BIT(SIGNED_TRUNCATION) | CHECK_BIT(TRUNCATION) | CHECK_BIT(IMPLICIT) |       \
                  CHECK_BIT(INTEGER), OVERFLOW)                                                                        \
    SANITIZER(SIGN_CHANGE, "implicit-integer-sign-change",                                                             \
              CHECK_BIT(SIGN_CHANGE) | CHECK_BIT(IMPLICIT) | CHECK_BIT(INTEGER), OVERFLOW)                             \
    SANITIZER(BITFIELD, "implicit-bitfield-conversion", CHECK_BIT(BITFIELD) | CHECK_BIT(IMPLICIT), OVERFLOW)           \
    SANITIZER(UNSIGNED_OVERFLOW, "unsigned-integer-overflow", CHECK_BIT(UNSIGNED_OVERFLOW) | CHECK_BIT(INTEGER),       \
              OVERFLOW)                                                                                                \
    SANITIZER(UNSIGNED_SHIFT, "unsigned-shift-base", CHECK_BIT(UNSIGNED_SHIFT) | CHECK_BIT(INTEGER), SHIFT)            \
    SANITIZER(NULLABILITY_ARG, "nullability-arg", CHECK_BIT(NULLABILITY_ARG) | CHECK_BIT(NULLABILITY), NONNULL)        \
    SANITIZER(NULLABILITY_ASSIGN, "nullability-assign", CHECK_BIT(NULLABILITY_ASSIGN) | CHECK_BIT(NULLABILITY),        \
              NONNULL)                                                                                                 \
    SANITIZER(NULLABILITY_RETURN, "nullability-return", CHECK_BIT(NULLABILITY_RETURN) | CHECK_BIT(NULLABILITY),        \
              NONNULL)
// clang-format on

enum sanitizer {
#define SANITIZER(name, ...) SANITIZER_##name,
    SANITIZER_TABLE(SANITIZER)
#undef SANITIZER
        SANITIZER_COUNT
};

#define SANITIZER_BIT(name) (UINT64_C(1) << SANITIZER_##name)

struct text;

enum bug_kind sanitizers_kind(enum sanitizer sanitizer);
// The set of sanitizers that implement a set of checks, including the checks that are always on.
uint64_t sanitizers_wanted(uint64_t checks);
// Appends the names as an argument of -fsanitize=: "array-bounds,shift-base".
void sanitizers_add_names(struct text *text, uint64_t sanitizers);

// Makes attributes that disable checks for a function leave an annotation in the bitcode: see front/unchecked.c.
#define SANITIZER_ATTRIBUTES                                                                                 \
    "-Dno_sanitize(...)=no_sanitize(__VA_ARGS__),annotate(\"tamar.no_sanitize:\" #__VA_ARGS__)",             \
        "-D__no_sanitize__(...)=no_sanitize(__VA_ARGS__)",                                                   \
        "-Dno_sanitize_address=no_sanitize_address,annotate(\"tamar.no_sanitize:\\\"address\\\"\")",         \
        "-D__no_sanitize_address__=no_sanitize_address"

// Flags that reset the sanitizers selected by the user's flags. Tamar's own -fsanitize= follows them.
#define SANITIZER_FLAGS "-fno-sanitize=all", "-fno-sanitize-trap=all", "-fsanitize-recover=all"

// Whether array subscripts and pointer arithmetic are checked also without an access, as clang does.
static inline bool checks_addresses(uint64_t checks) {
    return checks & (CHECK_BIT(BOUNDS) | CHECK_BIT(UNDEFINED));
}

#define SANITIZERS_ALL ((UINT64_C(1) << SANITIZER_COUNT) - 1)

#endif
