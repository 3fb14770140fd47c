// Global variables that become inputs when a function is entered for the first time: how options that a program
// reads from anywhere (a configuration file, its command line) are made symbolic without touching its source.
#ifndef TAMAR_TRANSFORM_VARIABLES_H
#define TAMAR_TRANSFORM_VARIABLES_H

#include "base/text.h"

struct variable_input {
    const char *name, *function;
    const char *place; // where the user named it, for errors
    // Only these values, or only those from low to high.
    const int64_t *values;
    uint32_t value_count;
    bool ranged;
    int64_t low, high;
    uint32_t size;    // out: bytes
    bool is_unsigned; // out: as the debug information says
    int64_t initial;  // out: what the program sets it to before it starts
};

// False: a variable or function is not there, or is no integer; the user was told.
bool transform_variables(const struct text *bitcode, struct variable_input *variables, uint32_t count,
                         struct text *changed);

#endif
