// Variables to which an executable's bitcode refers, but not its native code. The linker takes only the members of an
// archive that the native code needs, and the optimiser has removed code there that is still in the bitcode. The
// optimiser proved that such code is not executed. If it is executed all the same, an instruction that uses the
// variable is reported as not modelled.
#include "front/front_int.h"

void missing_note(struct front *front, LLVMValueRef variable) {
    *map_put(&front->missing, (uintptr_t)variable) = (uintptr_t)variable;
}

// Returns the missing variable in a constant, without looking into the values of other variables.
static LLVMValueRef missing_in(struct front *front, LLVMValueRef value) {
    if (!LLVMIsConstant(value)) return NULL;
    const uint64_t *missing = map_get(&front->missing, (uintptr_t)value);
    if (missing) return (LLVMValueRef)(uintptr_t)*missing;
    if (LLVMIsAGlobalValue(value)) return NULL;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef found = missing_in(front, LLVMGetOperand(value, (unsigned)i));
        if (found) return found;
    }
    return NULL;
}

void missing_spread(struct front *front) {
    bool more = front->missing.count != 0;
    while (more) {
        more = false;
        vec_each (LLVMValueRef, variable, &front->variables) {
            LLVMValueRef content = LLVMIsDeclaration(*variable) ? NULL : LLVMGetInitializer(*variable);
            if (!content || map_get(&front->missing, (uintptr_t)*variable)) continue;
            LLVMValueRef found = missing_in(front, content);
            if (!found) continue;
            *map_put(&front->missing, (uintptr_t)*variable) = (uintptr_t)found;
            more = true;
        }
    }
}

LLVMValueRef missing_operand(struct front *front, LLVMValueRef instruction) {
    if (!front->missing.count) return NULL;
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef found = missing_in(front, LLVMGetOperand(instruction, (unsigned)i));
        if (found) return found;
    }
    return NULL;
}
