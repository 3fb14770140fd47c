// What clang's check of implicit conversions calls where a value does not fit: `tamar run --check overflow` compiles
// the program with it.
#include "runtime/intrinsics.h"

#include <stdio.h>

// As clang lays them out (compiler-rt's ubsan_value.h and ubsan_handlers.h).
struct type_description {
    unsigned short kind, info;
    char name[];
};

struct conversion {
    struct {
        const char *file;
        unsigned line, column;
    } place;
    const struct type_description *from, *to;
    unsigned char kind;
    unsigned bit_field_bits;
};

void __ubsan_handle_implicit_conversion_abort(const struct conversion *conversion, unsigned long from,
                                              unsigned long to);

void __ubsan_handle_implicit_conversion_abort(const struct conversion *conversion, unsigned long from,
                                              unsigned long to) {
    char message[400];
    snprintf(message, sizeof message, "implicit conversion from %.100s to %.100s changes the value",
             conversion->from->name, conversion->to->name);
    __tamar_report("overflow", message);
}
