// The check FLOAT (--check float).
#ifndef TAMAR_VM_FLOAT_CHECK_H
#define TAMAR_VM_FLOAT_CHECK_H

#include "vm/vm_int.h"

enum float_fault { FLOAT_DIVISION, FLOAT_CONVERSION, FLOAT_NAN_MADE };

// Whether float operations of this frame are checked.
bool vm_float_is_checked(const struct vm *vm, const struct frame *frame);
// Checks a concrete operation after it was computed, and reports a fault.
enum step vm_check_float(struct vm *vm, enum ir_fn fn, enum ir_float format, unsigned extra,
                         const uint64_t *const *operands, const uint64_t *result);
// Checks an operation over terms: the state continues with the inputs for which there is no fault.
enum step vm_require_float(struct vm *vm, enum ir_fn fn, enum ir_float format, unsigned extra,
                           const Term *operands, Term result);

#endif
