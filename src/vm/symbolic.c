// Instructions with a symbolic operand.
#include "base/error.h"
#include "vm/vm_int.h"

enum step step_symbolic(struct vm *vm, const struct ir_insn *insn) {
    internal_error("%s: a symbolic value in a concrete run", ir_op_info[insn->op].name);
}
