// The words of a program: what its own source compares values with, and its texts. For a fuzzer they are worth trying as
// parts of an input.
#ifndef TAMAR_IR_WORDS_H
#define TAMAR_IR_WORDS_H

#include "ir/ir.h"

struct text;

// One line for each word, in AFL++'s form: "text\x00". Each word once, in an order that depends on the program alone.
void ir_add_dictionary(struct text *to, const struct ir_program *program);

#endif
