// The functions of the IR over terms: the counterpart of numeric.h for symbolic operands.
#ifndef TAMAR_VM_TERM_OPS_H
#define TAMAR_VM_TERM_OPS_H

#include "expr/expr.h"
#include "ir/ir.h"

// Returns the value of an integer function whose operands have `width` bits. Missing operands are 0. Division by zero
// is as in SMT-LIB: the VM has excluded it before. For V results, *overflow (if not NULL) is the overflow bit.
Term vm_term_of_int(struct terms *terms, enum ir_fn fn, unsigned width, unsigned result_width, Term a, Term b,
                    Term c, Term *overflow);

// Returns the value of a float function (see float_evaluate for `extra`), correct under the condition *valid. *valid is
// the constant true, except for a conversion to an integer of 65 to 128 bits, which may be too small for the value.
Term vm_term_of_float(struct terms *terms, enum ir_fn fn, enum ir_float format, unsigned extra, Term a,
                      Term b, Term c, Term *valid);

#endif
