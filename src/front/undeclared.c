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
// The part of a name that follows nondet_, if it is not int.
static const struct nondet {
    const char *name, *type;
} unknowns[] = {
    {"bool", "_Bool"},
    {"_Bool", "_Bool"},
    {"char", "char"},
    {"schar", "signed char"},
    {"uchar", "unsigned char"},
    {"unsigned_char", "unsigned char"},
    {"short", "short"},
    {"ushort", "unsigned short"},
    {"unsigned_short", "unsigned short"},
    {"uint", "unsigned"},
    {"unsigned", "unsigned"},
    {"unsigned_int", "unsigned"},
    {"long", "long"},
    {"ulong", "unsigned long"},
    {"unsigned_long", "unsigned long"},
    {"longlong", "long long"},
    {"long_long", "long long"},
    {"ulonglong", "unsigned long long"},
    {"unsigned_long_long", "unsigned long long"},
    {"size_t", "__SIZE_TYPE__"},
    {"ssize_t", "__PTRDIFF_TYPE__"},
    {"ptrdiff_t", "__PTRDIFF_TYPE__"},
    {"int8_t", "__INT8_TYPE__"},
    {"uint8_t", "__UINT8_TYPE__"},
    {"int16_t", "__INT16_TYPE__"},
    {"uint16_t", "__UINT16_TYPE__"},
    {"uint32_t", "__UINT32_TYPE__"},
    {"int64_t", "__INT64_TYPE__"},
    {"uint64_t", "__UINT64_TYPE__"},
    {"intptr_t", "__INTPTR_TYPE__"},
    {"uintptr_t", "__UINTPTR_TYPE__"},
    {"int128", "__int128"},
    {"uint128", "unsigned __int128"},
    {"float", "float"},
    {"double", "double"},
    {"long_double", "long double"},
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

// The result has the type that the name says, so that no value is left out.
static struct function nondet_of(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT(unknowns); i++)
        if (strlen(unknowns[i].name) == length && !memcmp(unknowns[i].name, name, length))
            return (struct function){unknowns[i].type, "", ""};
    return (struct function){"int", "", ""};
}

// Says how a function is declared. False: it is not one of them.
static bool function_of(const char *name, size_t length, struct function *function) {
    size_t prefix = strlen(PREFIX);
    assert(strnlen(name, length) == length);
    if (!strncmp(name, "nondet_", 7)) {
        *function = nondet_of(name + 7, length - 7);
        return true;
    }
    if (!strncmp(name, "__ESBMC_", 8)) {
        *function = (struct function){"void", "", ""};
        return is_among("assume assert ", name + 8, length - 8);
    }
    if (strncmp(name, PREFIX, prefix) != 0) return false;
    for (size_t i = 0; i < COUNT(known); i++) {
        *function = known[i];
        if (is_among(known[i].names, name + prefix, length - prefix)) return true;
    }
    return false;
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
        struct function function;
        text_clear(&line);
        if (function_of(name, length, &function)) {
            text_add(&line, "%s %.*s(%s);", function.type, (int)length, name, function.parameters);
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
