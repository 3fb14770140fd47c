// `tamar harness`: writes C code that calls a function of a library with symbolic arguments. harness_read.c reads the
// declarations from clang's syntax tree, harness_write.c makes values by their C types.
#ifndef TAMAR_DRIVER_HARNESS_H
#define TAMAR_DRIVER_HARNESS_H

#include "base/hash.h"
#include "base/json.h"
#include "base/vec.h"

struct arena;

struct harness_function {
    const char *name, *type; // type: "int (const char *)"
    const struct json_value *node;
    bool own;    // it is declared in the file that the user named
    bool hidden; // static
};

struct harness {
    struct arena *arena;
    const char *file;         // the header or C file
    const char *declarations; // from a built program's debug information; NULL: `file` has them
    bool is_header, is_here;  // is_here: `file` is a path; false: it is in the compiler's include folders
    vec(const char *) flags;  // flags for the compiler
    vec(struct harness_function) functions;
    struct map typedefs, records, enums; // hash of a type's name -> JSON node (typedefs: its type's text)
    struct map unnamed; // hash of "struct T", where T is a typedef of a struct without a name
    uint64_t elements;  // most elements of arrays, most characters of strings
};

void harness_free(struct harness *harness);
// Reads the declarations. Returns false if an error has been reported.
bool harness_read(struct harness *harness);
const struct harness_function *harness_find(const struct harness *harness, const char *name);
// Returns the type without its outermost qualifiers, as the compiler accepts it.
const char *harness_plain(const struct harness *harness, const char *type);
// Returns the type without its outermost typedefs and qualifiers.
const char *harness_resolve(const struct harness *harness, const char *type);
// Returns the definition of "struct NAME" or of a typedef of one; NULL: it is only declared.
const struct json_value *harness_record(const struct harness *harness, const char *type);
const struct json_value *harness_enum(const struct harness *harness, const char *type);

// Appends the includes of every harness.
void harness_write_start(const struct harness *harness, struct text *to);
// Appends the C file for these functions. Functions for which no values can be made are named in `skipped`, with the
// cause.
void harness_write(struct harness *harness, const struct harness_function *const *functions, uint32_t count,
                   struct text *to, struct text *skipped);

#endif
