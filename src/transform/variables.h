// Makes global variables symbolic when a function is entered for the first time. So the options of a program, wherever
// it reads them from (a configuration file, its command line), become inputs without changes to its source.
#ifndef TAMAR_TRANSFORM_VARIABLES_H
#define TAMAR_TRANSFORM_VARIABLES_H

#include "base/text.h"

struct variable_input {
    const char *name, *function;
    const char *place; // location in the user's input that names it, for errors
    // Restricts the variable to these values or, if `ranged`, to those from low to high.
    const int64_t *values;
    uint32_t value_count;
    bool ranged;
    int64_t low, high;
    uint32_t size;    // out: bytes
    bool is_unsigned; // out: signedness, from the debug information
    int64_t initial;  // out: its static initialiser
};

// Returns false if a variable or function does not exist, or a variable is not an integer; an error has been reported.
bool transform_variables(const struct text *bitcode, struct variable_input *variables, uint32_t count,
                         struct text *changed);

#endif
