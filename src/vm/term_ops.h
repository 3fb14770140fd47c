// The functions of the program form over terms: the counterpart of numeric.h for symbolic operands.
#ifndef TAMAR_VM_TERM_OPS_H
#define TAMAR_VM_TERM_OPS_H

#include "expr/expr.h"
#include "ir/ir.h"

// The value of an integer function whose operands have `width` bits. Missing operands are 0. Division by zero
// is as SMT-LIB has it: the machine has excluded it before. For V results the value; *overflow (when not
// NULL) the bit.
Term term_of_int(struct terms *terms, enum ir_fn fn, unsigned width, unsigned result_width, Term a, Term b,
                 Term c, Term *overflow);

// The value of a float function (see float_evaluate for `extra`), right under the condition *valid, which is
// true but for integers of 65 to 128 bits that cannot hold it.
Term term_of_float(struct terms *terms, enum ir_fn fn, enum ir_float format, unsigned extra, Term a, Term b,
                   Term c, Term *valid);

#endif
