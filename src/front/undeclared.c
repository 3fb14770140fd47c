#include "front/undeclared.h"

#include "base/base.h"

#include <string.h>

#define MESSAGE "call to undeclared function '"
#define PREFIX  "__CPROVER_"

// The functions of runtime/api/cprover.c, by result and parameters; the names follow the prefix.
static const struct function {
    const char *type, *parameters, *names; // names: each followed by a space
} known[] = {
    {"void", "",
     "assume assert precondition postcondition cover atomic_begin atomic_end input output printf fence "
     "havoc_object havoc_slice deallocate "},
    {"int", "",
     "same_object DYNAMIC_OBJECT LIVE_OBJECT READABLE_OBJECT WRITEABLE_OBJECT is_invalid_pointer "},
    {"int", "float", "isnanf isinff isfinitef isnormalf signf "},
    {"int", "double", "isnand isinfd isfinited isnormald signd "},
    {"int", "long double", "isnanld isinfld isfiniteld isnormalld signld "},
    {"__CPROVER_size_t", "", "OBJECT_SIZE POINTER_OBJECT buffer_size "},
    {"__CPROVER_ssize_t", "", "POINTER_OFFSET "},
    {"void *", "__CPROVER_size_t, int", "allocate "},
    {"float", "float", "fabsf "},
    {"double", "double", "fabs "},
    {"double", "void", "inf "},
    {"long double", "long double", "fabsl "},
};
// Names that are macros of include/cprover/undeclared.h: of functions whose operands may have any type, and of those that
// take a condition, so that it is 0 or 1. (Without a prototype a wide one would lose its upper half.)
static const char macros[] =
    "r_ok w_ok rw_ok overflow_plus overflow_minus overflow_mult overflow_unary_minus "
    "array_equal array_copy array_replace array_set ";
static const char conditions[] = "assume assert precondition postcondition cover ";

static bool is_among(const char *names, const char *name, size_t length) {
    for (const char *at = names; *at; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == length && !memcmp(at, name, length)) return true;
    return false;
}

// Returns how a function is declared, or NULL: it is not one of them.
static const struct function *function_of(const char *name, size_t length) {
    static const struct function nondet = {"int", "", ""}, claim = {"void", "", ""};
    size_t prefix = strlen(PREFIX);
    if (!strncmp(name, "nondet_", 7)) return &nondet;
    if (!strncmp(name, "__ESBMC_", 8))
        return is_among("assume assert ", name + 8, length - 8) ? &claim : NULL;
    if (strncmp(name, PREFIX, prefix) != 0) return NULL;
    for (size_t i = 0; i < COUNT(known); i++)
        if (is_among(known[i].names, name + prefix, length - prefix)) return &known[i];
    return NULL;
}

static bool is_macro(const char *name, size_t length) {
    size_t prefix = strlen(PREFIX);
    if (!strncmp(name, "__ESBMC_", 8)) return is_among(conditions, name + 8, length - 8);
    return !strncmp(name, PREFIX, prefix) && (is_among(macros, name + prefix, length - prefix) ||
                                              is_among(conditions, name + prefix, length - prefix));
}

static bool says(const struct text *text, const char *line) { return text->at && strstr(text->at, line); }

static void add_once(struct text *to, const char *line) {
    if (!says(to, line)) text_add(to, "%s", line);
}

bool undeclared_find(const char *messages, struct text *declarations, struct text *flags) {
    size_t before = declarations->count + flags->count;
    struct text line = {0};
    // A type, a contract, or a name that is not called.
    if (strstr(messages, PREFIX)) add_once(flags, "-DTAMAR_CPROVER\n");
    for (const char *at = messages; (at = strstr(at, MESSAGE)); at++) {
        const char *name = at + strlen(MESSAGE);
        size_t length = strcspn(name, "'\n");
        if (name[length] != '\'') continue;
        const struct function *function = function_of(name, length);
        text_clear(&line);
        if (function) {
            text_add(&line, "%s %.*s(%s);", function->type, (int)length, name, function->parameters);
            add_once(declarations, line.at);
        }
        text_clear(&line);
        if (is_macro(name, length)) {
            text_add(&line, "-DTAMAR_%.*s\n", (int)(length - 2), name + 2);
            add_once(flags, line.at);
        }
    }
    text_free(&line);
    return declarations->count + flags->count > before;
}
