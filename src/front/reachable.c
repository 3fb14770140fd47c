// Finds the functions and variables that the entry can reach, through code and initial values. Bodies of lazily read
// modules are read here.
#include "front/front_int.h"

LLVMValueRef symbols_alias_target(struct front *front, LLVMValueRef value) {
    for (unsigned steps = 0; steps < 1000; steps++) {
        value = symbols_resolve(front, value);
        LLVMValueKind kind = LLVMGetValueKind(value);
        if (kind == LLVMFunctionValueKind || kind == LLVMGlobalVariableValueKind) return value;
        if (kind != LLVMGlobalAliasValueKind) return NULL;
        LLVMValueRef target = LLVMAliasGetAliasee(value);
        while (LLVMGetValueKind(target) == LLVMConstantExprValueKind &&
               (LLVMGetConstOpcode(target) == LLVMBitCast || LLVMGetConstOpcode(target) == LLVMAddrSpaceCast))
            target = LLVMGetOperand(target, 0);
        kind = LLVMGetValueKind(target);
        if (kind != LLVMFunctionValueKind && kind != LLVMGlobalVariableValueKind &&
            kind != LLVMGlobalAliasValueKind)
            return NULL;
        value = target;
    }
    return NULL;
}

uint32_t reachable_function(struct front *front, LLVMValueRef definition, LLVMValueRef from) {
    uint64_t *place = map_put(&front->functions, (uintptr_t)definition);
    if (!*place) {
        vec_push(&front->reached,
                 ((struct reached_function){definition, from, symbols_unit_of(front, definition),
                                            symbols_is_definition(definition)}));
        *place = front->reached.count;
    }
    return (uint32_t)*place - 1;
}

static void reach_global(struct front *front, LLVMValueRef value, LLVMValueRef from) {
    value = symbols_resolve(front, value);
    switch (LLVMGetValueKind(value)) {
    case LLVMFunctionValueKind:
        if (LLVMGetIntrinsicID(value)) return;
        if (LLVMGetLinkage(value) == LLVMExternalWeakLinkage && !symbols_is_definition(value)) return;
        reachable_function(front, value, from);
        return;
    case LLVMGlobalVariableValueKind: {
        if (LLVMGetLinkage(value) == LLVMExternalWeakLinkage && !symbols_is_definition(value)) return;
        uint64_t *place = map_put(&front->globals, (uintptr_t)value);
        if (*place) return;
        vec_push(&front->variables, value);
        *place = front->variables.count;
        LLVMValueRef initial = LLVMIsDeclaration(value) ? NULL : LLVMGetInitializer(value);
        if (initial) vec_push(&front->pending, initial);
        return;
    }
    case LLVMGlobalAliasValueKind: vec_push(&front->pending, LLVMAliasGetAliasee(value)); return;
    default: return;
    }
}

// Constants form an acyclic graph, except through globals; shared parts are visited once.
static void reach_constant(struct front *front, LLVMValueRef constant, LLVMValueRef from) {
    switch (LLVMGetValueKind(constant)) {
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalAliasValueKind:
    case LLVMGlobalIFuncValueKind: reach_global(front, constant, from); return;
    case LLVMBlockAddressValueKind: reach_global(front, LLVMGetBlockAddressFunction(constant), from); return;
    case LLVMConstantExprValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind: break;
    default: return;
    }
    uint64_t *seen = map_put(&front->visited, (uintptr_t)constant);
    if (*seen) return;
    *seen = 1;
    int count = LLVMGetNumOperands(constant);
    for (int i = 0; i < count; i++) reach_constant(front, LLVMGetOperand(constant, (unsigned)i), from);
}

static void drain(struct front *front, LLVMValueRef from) {
    while (front->pending.count) {
        LLVMValueRef constant = vec_pop(&front->pending);
        reach_constant(front, constant, from);
    }
}

static void reach_library(struct front *front, LLVMValueRef callee, LLVMValueRef from) {
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    struct text buffer = {0};
    const char *library = lower_intrinsic_library_name(name, length, &buffer);
    LLVMValueRef function = library ? symbols_named_function(front, library) : NULL;
    if (function) reachable_function(front, function, from);
    text_free(&buffer);
}

static void reach_instruction(struct front *front, LLVMValueRef instruction) {
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        switch (LLVMGetValueKind(operand)) {
        case LLVMInstructionValueKind:
        case LLVMArgumentValueKind:
        case LLVMBasicBlockValueKind:
        case LLVMConstantIntValueKind:
        case LLVMMetadataAsValueValueKind: break;
        case LLVMFunctionValueKind:
            if (LLVMGetIntrinsicID(operand)) {
                reach_library(front, operand, instruction);
                break;
            }
            reach_global(front, operand, instruction);
            break;
        default: reach_constant(front, operand, instruction); break;
        }
    }
}

static void reach_body(struct front *front, const struct reached_function *reached) {
    struct unit *unit = &front->units.at[reached->unit];
    LLVMValueRef function = reached->value;
    if (unit->reader) LLVMRunFunctionPassManager(unit->reader, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            reach_instruction(front, i);
    drain(front, NULL);
}

void reachable_all(struct front *front) {
    drain(front, NULL);
    for (; front->walked < front->reached.count; front->walked++) {
        struct reached_function reached = front->reached.at[front->walked];
        if (reached.defined) reach_body(front, &reached);
    }
}

void reachable_definitions(struct front *front) {
    vec_each (struct unit, unit, &front->units) {
        for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
            if (symbols_is_definition(f)) reach_global(front, f, NULL);
        for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
            if (symbols_is_definition(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage)
                reach_global(front, g, NULL);
    }
}
