// The scopes of local variables, from clang's lifetime markers: decides which markers are reliable, and simplifies them
// and the code around them before locals become registers.
//
// Clang emits markers for sanitizers, and always when it optimises. The optimiser may move a load out of the lifetime
// of its variable, so only the markers of code that was not optimised are used.
//
// A break, continue, goto or return that leaves a scope jumps to a block that ends the lifetimes and then switches on a
// number ("cleanup.dest"). Here each path gets its own copy of that block, so that the program has only the branches of
// its source.
#include "front/front_int.h"

#include <string.h>

#define START       "llvm.lifetime.start.p0"
#define END         "llvm.lifetime.end.p0"
#define BELIEVED    "tamar.scopes" // named metadata: markers and locations are reliable
#define MOST_STEPS  64             // limit of instructions between the end of a scope and the return
#define MOST_NESTED 100            // limit of scopes that one jump leaves

bool scopes_is_marker(LLVMValueRef instruction) {
    if (!LLVMIsACallInst(instruction)) return false;
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    if (!LLVMIsAFunction(callee)) return false;
    size_t length;
    return !strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime.", strlen("llvm.lifetime."));
}

bool scopes_begins(LLVMValueRef marker) {
    size_t length;
    return !strcmp(LLVMGetValueName2(LLVMGetCalledValue(marker), &length), START);
}

static bool ends_scope(LLVMValueRef instruction) {
    return scopes_is_marker(instruction) && !scopes_begins(instruction);
}

// ---- reliable markers

static void erase_uses(LLVMModuleRef module, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
         use = LLVMGetFirstUse(function)) // all uses of an intrinsic are calls
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
}

static bool has_markers(LLVMModuleRef module) {
    LLVMValueRef function = LLVMGetNamedFunction(module, START);
    return function && LLVMGetFirstUse(function);
}

// Whether a bitcode file was not optimised, according to the debug information of its first unit.
static bool is_plain(LLVMModuleRef module) {
    if (LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu") == 0) return false;
    LLVMValueRef *units = NEW_ARRAY(LLVMValueRef, LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu"));
    LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
    char *text = LLVMPrintValueToString(units[0]);
    bool plain = strstr(text, "isOptimized: false") != NULL;
    LLVMDisposeMessage(text);
    DELETE_ARRAY(units, LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu"));
    return plain;
}

// ---- jumps out of scopes

static LLVMValueRef number_slot(LLVMValueRef function) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && LLVMIsAAllocaInst(i);
         i = LLVMGetNextInstruction(i)) {
        size_t length;
        if (!strncmp(LLVMGetValueName2(i, &length), "cleanup.dest.slot", strlen("cleanup.dest.slot")))
            return i;
    }
    return NULL;
}

// The switch on the number in the slot that ends the block, or NULL.
static LLVMValueRef switch_on(LLVMBasicBlockRef block, LLVMValueRef slot) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!last || !LLVMIsASwitchInst(last)) return NULL;
    LLVMValueRef number = LLVMGetOperand(last, 0);
    bool own = LLVMIsALoadInst(number) && LLVMGetOperand(number, 0) == slot &&
               LLVMGetInstructionParent(number) == block && LLVMGetPreviousInstruction(last) == number;
    return own ? last : NULL;
}

// Whether a block can be copied: its values are not used elsewhere, and it does not change the number.
static bool can_copy(LLVMBasicBlockRef block, LLVMValueRef slot) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot)) return false;
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
            if (LLVMGetInstructionParent(LLVMGetUser(use)) != block) return false;
    }
    return true;
}

// Finds the number that the block stores in the slot. Returns false if it is unknown.
static bool number_after(LLVMBasicBlockRef block, LLVMValueRef slot, uint64_t *number) {
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != slot) continue;
        LLVMValueRef value = LLVMGetOperand(i, 0);
        if (!LLVMIsAConstantInt(value)) return false;
        *number = LLVMConstIntGetZExtValue(value);
        return true;
    }
    return false;
}

static LLVMBasicBlockRef case_of(LLVMValueRef choice, uint64_t number) {
    for (unsigned i = 1; i < LLVMGetNumSuccessors(choice); i++)
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(choice, 2 * i)) == number)
            return LLVMGetSuccessor(choice, i);
    return LLVMGetSwitchDefaultDest(choice);
}

// Copies the instructions of a block up to `end` to before the jump.
static void copy_before(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef end,
                        LLVMValueRef jump) {
    struct map copies = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef copy = LLVMInstructionClone(i);
        for (int k = 0; k < LLVMGetNumOperands(copy); k++) {
            uint64_t *other = map_get(&copies, (uintptr_t)LLVMGetOperand(copy, (unsigned)k));
            if (other) LLVMSetOperand(copy, (unsigned)k, (LLVMValueRef)(uintptr_t)*other);
        }
        LLVMPositionBuilderBefore(builder, jump);
        LLVMInsertIntoBuilder(builder, copy);
        *map_put(&copies, (uintptr_t)i) = (uintptr_t)copy;
    }
    map_free(&copies);
}

static bool has_phis(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

// Whether clang made the block for several paths out of a scope, so that it has only ends of lifetimes and a jump.
static bool only_ends(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    if (!ends_scope(i) || strncmp(LLVMGetBasicBlockName(block), "cleanup", strlen("cleanup")) != 0)
        return false;
    while (ends_scope(i)) i = LLVMGetNextInstruction(i);
    return LLVMIsABranchInst(i) && !LLVMIsConditional(i);
}

static bool is_plain_jump_block(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return LLVMIsABranchInst(first) && !LLVMIsConditional(first) && LLVMGetSuccessor(first, 0) != block;
}

// Gives a jump that has no location and follows ends of lifetimes the location of the statement before these.
static void place_jump(LLVMValueRef jump, LLVMValueRef slot) {
    LLVMValueRef i = LLVMGetPreviousInstruction(jump);
    while (i && (ends_scope(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot)))
        i = LLVMGetPreviousInstruction(i);
    LLVMMetadataRef place = i ? LLVMInstructionGetDebugLoc(i) : NULL;
    if (place) LLVMInstructionSetDebugLoc(jump, place);
}

// Threads the unconditional jump at the end of the block through copies of the blocks that end lifetimes.
static void thread_jump(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef slot) {
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    if (!jump || !LLVMIsABranchInst(jump) || LLVMIsConditional(jump)) return;
    uint64_t number = 0;
    bool known = slot && number_after(block, slot, &number);
    if (!LLVMInstructionGetDebugLoc(jump)) place_jump(jump, slot);
    for (unsigned i = 0; i < MOST_NESTED; i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(jump, 0), target;
        LLVMValueRef choice = known ? switch_on(next, slot) : NULL, end = LLVMGetBasicBlockTerminator(next);
        if (next == block) return;
        if (choice && can_copy(next, slot)) {
            target = case_of(choice, number);
            end = LLVMGetPreviousInstruction(end); // the load of the number is no longer needed
            if (is_plain_jump_block(target)) target = LLVMGetSuccessor(LLVMGetFirstInstruction(target), 0);
        } else if (only_ends(next)) {
            target = LLVMGetSuccessor(end, 0);
        } else {
            return;
        }
        if (has_phis(target)) return;
        copy_before(builder, next, end, jump);
        LLVMSetSuccessor(jump, 0, target);
    }
}

// Deletes the blocks that have become unreachable.
static void delete_unused(LLVMValueRef function, LLVMValueRef slot) {
    for (bool again = true; again;) {
        again = false;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function), next; block; block = next) {
            next = LLVMGetNextBasicBlock(block);
            if (block == LLVMGetEntryBasicBlock(function) || LLVMGetFirstUse(LLVMBasicBlockAsValue(block)))
                continue;
            LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
            bool phis = false;
            for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
                phis |= has_phis(LLVMGetSuccessor(last, i));
            if (phis || !can_copy(block, slot)) continue;
            LLVMDeleteBasicBlock(block);
            again = true;
        }
    }
}

// The earlier of two locations; either may be NULL.
static LLVMMetadataRef earlier(LLVMMetadataRef a, LLVMMetadataRef b) {
    if (!a || !b) return a ? a : b;
    return LLVMDILocationGetLine(a) <= LLVMDILocationGetLine(b) ? a : b;
}

// If scopes end with the function, clang gives the return the location of the last brace, which is not code. Restores
// the location of the statement, which the store of the value or the ends of lifetimes still have.
static void place_return(LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!last || !LLVMIsAReturnInst(last)) return;
    LLVMValueRef value = LLVMGetNumOperands(last) ? LLVMGetOperand(last, 0) : NULL;
    LLVMValueRef kept = value && LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (kept && !LLVMIsAAllocaInst(kept)) kept = NULL;
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(last);
    for (LLVMValueRef i = LLVMGetPreviousInstruction(last); i; i = LLVMGetPreviousInstruction(i)) {
        bool stores = kept && LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == kept;
        if (stores || ends_scope(i)) place = earlier(place, LLVMInstructionGetDebugLoc(i));
        if (stores || (!ends_scope(i) && i != value && !LLVMIsAStoreInst(i))) break;
    }
    if (!place) return;
    LLVMInstructionSetDebugLoc(last, place);
    if (kept) LLVMInstructionSetDebugLoc(value, place);
}

static void erase_unread(LLVMValueRef slot) {
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAStoreInst(LLVMGetUser(use))) return;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(slot));) LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMInstructionEraseFromParent(slot);
}

static void thread_jumps(LLVMBuilderRef builder, LLVMValueRef function) {
    LLVMValueRef slot = number_slot(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        thread_jump(builder, block, slot);
    delete_unused(function, slot);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        place_return(block);
    if (slot) erase_unread(slot);
}

// Removes the locations of markers: declarations and braces are not code, and native coverage does not count them.
static void forget_places(LLVMModuleRef module, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use))
        LLVMInstructionSetDebugLoc(LLVMGetUser(use), NULL);
}

// After a label or a case of an empty statement, clang gives the jump the location of the statement before, which need
// not have been executed. Removes such locations: a jump alone in its block, with the location of an earlier block.
static void forget_inherited(LLVMValueRef function) {
    struct map seen = {0}; // location -> 1
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef first = LLVMGetFirstInstruction(block);
        LLVMMetadataRef place = LLVMInstructionGetDebugLoc(first);
        if (place && is_plain_jump_block(block) && map_get(&seen, (uintptr_t)place))
            LLVMInstructionSetDebugLoc(first, NULL);
        for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
            if ((place = LLVMInstructionGetDebugLoc(i))) *map_put(&seen, (uintptr_t)place) = 1;
    }
    map_free(&seen);
}

static void tidy(LLVMBuilderRef builder, LLVMModuleRef module) {
    bool scopes = has_markers(module);
    for (LLVMValueRef one = LLVMGetFirstFunction(module); one; one = LLVMGetNextFunction(one)) {
        if (LLVMIsDeclaration(one)) continue;
        if (scopes) thread_jumps(builder, one);
        forget_inherited(one);
    }
    forget_places(module, START);
    forget_places(module, END);
}

void scopes_believe(struct front *front) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        LLVMModuleRef module = unit->module;
        if (unit->reader || LLVMGetNamedMetadata(module, BELIEVED, strlen(BELIEVED))) continue;
        if (unit->plain || is_plain(module)) { // recorded in saved bitcode for later loads
            tidy(builder, module);
            LLVMGetOrInsertNamedMetadata(module, BELIEVED, strlen(BELIEVED));
        } else {
            erase_uses(module, START);
            erase_uses(module, END);
        }
    }
    LLVMDisposeBuilder(builder);
}

// ---- redundant markers

static bool is_called(LLVMValueRef call, const char *prefix) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAFunction(callee) && !strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix));
}

// Whether the variable is used only by its name, so that its address is not taken: then C's scoping rules keep its uses
// inside the scope.
static bool is_used_by_name(LLVMValueRef address) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address)) continue;
        if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == address && is_used_by_name(user))
            continue;
        if (LLVMIsACallInst(user) && (scopes_is_marker(user) || is_called(user, "llvm.mem"))) continue;
        return false;
    }
    return true;
}

// Whether the instruction does not access memory, or only loads a local variable.
static bool is_harmless(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: return LLVMIsAAllocaInst(LLVMGetOperand(instruction, 0)) != NULL;
    case LLVMCall: return scopes_is_marker(instruction) || is_called(instruction, "llvm.dbg.");
    case LLVMPHI:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMInsertValue:
    case LLVMExtractValue: return true;
    default: return false;
    }
}

// Whether the function returns right after the variable's scope ends: then the end of the frame suffices.
static bool ends_with_function(LLVMValueRef marker) {
    LLVMValueRef variable = LLVMGetOperand(marker, 1), i = LLVMGetNextInstruction(marker);
    for (unsigned steps = 0; steps < MOST_STEPS; steps++) {
        if (LLVMIsAReturnInst(i)) return true;
        if (LLVMIsABranchInst(i) && !LLVMIsConditional(i)) {
            i = LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0));
            continue;
        }
        bool reads_it = LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == variable;
        if (reads_it || (scopes_is_marker(i) && scopes_begins(i)) || !is_harmless(i)) return false;
        i = LLVMGetNextInstruction(i);
    }
    return false;
}

// Erases the starts of lifetimes in the entry block before which the variable's address is not used: the lifetime
// begins with the frame.
static void begin_with_function(LLVMValueRef function) {
    struct map used = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (scopes_is_marker(i) && scopes_begins(i) && !map_get(&used, (uintptr_t)LLVMGetOperand(i, 1))) {
            LLVMInstructionEraseFromParent(i);
            continue;
        }
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
            if (LLVMIsAAllocaInst(operand)) *map_put(&used, (uintptr_t)operand) = 1;
        }
    }
    map_free(&used);
}

// Erases the redundant markers of one variable. Returns whether some are left.
static bool thin_out(LLVMValueRef variable, bool by_name_matters) {
    bool all = !by_name_matters && is_used_by_name(variable), left = false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!scopes_is_marker(user)) continue;
        if (all || (ends_scope(user) && ends_with_function(user)))
            LLVMInstructionEraseFromParent(user);
        else
            left = true;
    }
    return left;
}

// Keeps a variable that has markers in memory: a register would have no scope. A use that is neither a load nor a store
// prevents its promotion.
static void hold(struct front *front, LLVMBuilderRef builder, LLVMValueRef variable) {
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(variable));
    LLVMTypeRef word = LLVMInt64TypeInContext(front->context);
    vec_push(&front->held, LLVMBuildPtrToInt(builder, variable, word, ""));
}

static void simplify(struct front *front, LLVMBuilderRef builder, LLVMModuleRef module) {
    // The check for uninitialised reads needs every scope, because a variable is uninitialised at the start of its
    // scope.
    bool every = check_wanted(front->options->checks, CHECK_UNINIT) || front->options->unset;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function)) continue;
        begin_with_function(function);
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
        for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && thin_out(i, every && !unset_is_marked(front, i)))
                hold(front, builder, i);
    }
}

void scopes_simplify(struct front *front) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    vec_each (struct unit, unit, &front->units) {
        if (!unit->reader && has_markers(unit->module)) simplify(front, builder, unit->module);
    }
    LLVMDisposeBuilder(builder);
}

void scopes_release(struct front *front) {
    vec_each (LLVMValueRef, use, &front->held) LLVMInstructionEraseFromParent(*use);
    vec_clear(&front->held);
}
