// Dictionary for fuzzers: the constants that user code compares values with, and its string constants.
#ifndef TAMAR_IR_DICTIONARY_H
#define TAMAR_IR_DICTIONARY_H

#include "ir/ir.h"

struct text;

// Appends one line for each word, in AFL++'s format: "text\x00". Each word occurs once, in an order that depends only
// on the program.
void ir_add_dictionary(struct text *to, const struct ir_program *program);

#endif
