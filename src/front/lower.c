// Lowers one function: blocks in reverse postorder, each kind of instruction by its own file, phis as copies on edges.
// A block whose only predecessor jumps to it unconditionally becomes part of its predecessor.
#include "front/front_int.h"

#include <stdlib.h>

uint32_t lower_work_block_of(struct lowering *l, LLVMBasicBlockRef block) {
    uint64_t *number = map_get(&l->block_of, (uintptr_t)block);
    return number ? (uint32_t)*number - 1 : NO_BLOCK;
}

static LLVMValueRef terminator_of(LLVMBasicBlockRef block) { return LLVMGetBasicBlockTerminator(block); }

// C code never unwinds: an invoke continues at its normal destination, a callbr at its default one.
static unsigned successor_count(LLVMValueRef terminator) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    if (opcode == LLVMInvoke) return 1;
    if (opcode == LLVMCallBr) return 1;
    return LLVMGetNumSuccessors(terminator);
}

static LLVMBasicBlockRef successor(LLVMValueRef terminator, unsigned i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    if (opcode == LLVMInvoke) return LLVMGetNormalDest(terminator);
    if (opcode == LLVMCallBr) return LLVMGetCallBrDefaultDest(terminator);
    return LLVMGetSuccessor(terminator, i);
}

struct visit {
    LLVMBasicBlockRef block;
    LLVMValueRef terminator;
    unsigned left; // successors left to visit, from the last one down, so that loops stay contiguous
};

static void order_blocks(struct lowering *l) {
    vec(struct visit) stack = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->function);
    vec_clear(&l->order);
    *map_put(&l->block_of, (uintptr_t)entry) = 1;
    vec_push(&stack, ((struct visit){entry, terminator_of(entry), successor_count(terminator_of(entry))}));
    while (stack.count) {
        struct visit *top = vec_last(&stack);
        if (!top->left) {
            vec_push(&l->order, top->block);
            (void)vec_pop(&stack);
            continue;
        }
        LLVMBasicBlockRef next = successor(top->terminator, --top->left);
        uint64_t *seen = map_put(&l->block_of, (uintptr_t)next);
        if (*seen) continue;
        *seen = 1;
        LLVMValueRef terminator = terminator_of(next);
        vec_push(&stack, ((struct visit){next, terminator, successor_count(terminator)}));
    }
    vec_free(&stack);
    for (uint32_t i = 0; i < l->order.count / 2; i++) {
        LLVMBasicBlockRef t = l->order.at[i];
        l->order.at[i] = l->order.at[l->order.count - 1 - i];
        l->order.at[l->order.count - 1 - i] = t;
    }
    vec_each (LLVMBasicBlockRef, block, &l->order)
        *map_put(&l->block_of, (uintptr_t)*block) = emit_new_block(l) + 1ull;
}

static bool is_plain_jump(LLVMValueRef terminator) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    return (opcode == LLVMBr && LLVMGetNumSuccessors(terminator) == 1) || opcode == LLVMInvoke;
}

static void find_merges(struct lowering *l) {
    vec_each (LLVMBasicBlockRef, block, &l->order) {
        LLVMValueRef terminator = terminator_of(*block);
        unsigned count = successor_count(terminator);
        for (unsigned i = 0; i < count; i++)
            l->predecessors.at[lower_work_block_of(l, successor(terminator, i))]++;
    }
    vec_each (LLVMBasicBlockRef, block, &l->order) {
        LLVMValueRef terminator = terminator_of(*block);
        if (!is_plain_jump(terminator)) continue;
        uint32_t next = lower_work_block_of(l, successor(terminator, 0));
        if (l->predecessors.at[next] == 1 && next != 0) l->merged.at[next] = true;
    }
}

// ---- dominators: a check of a block holds in all blocks that it dominates

static uint32_t common_dominator(const uint32_t *dominators, uint32_t a, uint32_t b) {
    while (a != b) { // numbers are in reverse postorder: a dominator has a smaller one
        while (a > b) a = dominators[a];
        while (b > a) b = dominators[b];
    }
    return a;
}

// Computes immediate dominators (Cooper, Harvey, Kennedy): in reverse postorder, until nothing changes.
static void find_dominators(struct lowering *l) {
    uint32_t count = l->order.count, changes = 1;
    vec_reserve(&l->dominators, count);
    l->dominators.count = count;
    for (uint32_t i = 0; i < count; i++) l->dominators.at[i] = i ? NO_BLOCK : 0;
    while (changes) {
        changes = 0;
        for (uint32_t from = 0; from < count; from++) {
            LLVMValueRef terminator = terminator_of(l->order.at[from]);
            unsigned successors = l->dominators.at[from] == NO_BLOCK ? 0 : successor_count(terminator);
            for (unsigned i = 0; i < successors; i++) {
                uint32_t to = lower_work_block_of(l, successor(terminator, i)),
                         *dominator = &l->dominators.at[to];
                uint32_t found =
                    *dominator == NO_BLOCK ? from : common_dominator(l->dominators.at, *dominator, from);
                changes += found != *dominator;
                *dominator = found;
            }
        }
    }
}

// ---- terminators

struct split {
    uint32_t block;
    LLVMBasicBlockRef to;
};
struct splits {
    struct split *at;
    uint32_t count, capacity;
};

// The target of an edge: its block, or a new block that holds the copies of its phis.
static uint32_t edge_target(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                            struct splits *splits) {
    uint32_t target = lower_work_block_of(l, to);
    if (l->predecessors.at[target] == 1 || !phi_edge_has_copies(l, from, to)) return target;
    uint32_t recent = splits->count > 8 ? splits->count - 8 : 0; // a switch often repeats a target
    for (uint32_t i = splits->count; i > recent; i--)
        if (splits->at[i - 1].to == to) return splits->at[i - 1].block;
    uint32_t block = emit_new_block(l);
    l->blocks.at[block].split = true;
    vec_push(splits, ((struct split){block, to}));
    return block;
}

static void emit_splits(struct lowering *l, LLVMBasicBlockRef from, struct splits *splits) {
    vec_each (struct split, split, splits) {
        emit_start_block(l, split->block);
        phi_emit_edge_copies(l, from, split->to);
        emit_jump(l, lower_work_block_of(l, split->to));
    }
    vec_free(splits);
}

static void lower_conditional(struct lowering *l, LLVMBasicBlockRef block, LLVMValueRef terminator) {
    struct splits splits = {0};
    LLVMValueRef condition = LLVMGetCondition(terminator);
    uint32_t yes = edge_target(l, block, successor(terminator, 0), &splits);
    uint32_t no = edge_target(l, block, successor(terminator, 1), &splits);
    uint64_t *place = map_get(&l->registers, (uintptr_t)condition);
    if (place && *place == VIRTUAL) {
        LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
        unsigned width = types_shape_of(l->front, LLVMTypeOf(left))->leaves[0].width;
        struct operand a = lower_operand_leaf(l, left, 0), b = lower_operand_leaf(l, right, 0);
        emit_compare_branch(l, lower_int_predicate(LLVMGetICmpPredicate(condition)), width, a, b, yes, no);
    } else {
        emit_branch(l, lower_leaf_register(l, condition, 0), yes, no);
    }
    emit_splits(l, block, &splits);
}

static void lower_return(struct lowering *l, LLVMValueRef terminator) {
    if (!LLVMGetNumOperands(terminator)) {
        emit(l, IR_RET, 0, 0, 0, 0);
        return;
    }
    LLVMValueRef value = LLVMGetOperand(terminator, 0);
    uint32_t reg = lower_whole_register(l, value);
    emit(l, IR_RET, types_shape_of(l->front, LLVMTypeOf(value))->slots, 0, reg, 0);
}

struct switch_case {
    uint64_t value;
    LLVMBasicBlockRef block;
};

static int by_value(const void *a, const void *b) {
    const struct switch_case *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

// Lowers a switch over more than 64 bits to a chain of comparisons.
static void lower_wide_switch(struct lowering *l, LLVMBasicBlockRef block, LLVMValueRef terminator,
                              unsigned width) {
    struct splits splits = {0};
    l->choosing = NULL; // lowered to several branches
    struct operand on = lower_operand_leaf(l, LLVMGetOperand(terminator, 0), 0);
    on = operand_of_register(lower_operand_register(l, on, width));
    unsigned count = (unsigned)LLVMGetNumOperands(terminator) / 2 - 1;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetOperand(terminator, 2 + 2 * i);
        LLVMBasicBlockRef to = LLVMValueAsBasicBlock(LLVMGetOperand(terminator, 3 + 2 * i));
        uint32_t bit = emit_new_registers(l, 1), next = emit_new_block(l);
        emit_int(l, IR_FN_EQ, width, bit, on, lower_operand_leaf(l, value, 0));
        emit_branch(l, bit, edge_target(l, block, to, &splits), next);
        emit_start_block(l, next);
    }
    emit_jump(l, edge_target(l, block, LLVMGetSwitchDefaultDest(terminator), &splits));
    emit_splits(l, block, &splits);
}

static void lower_switch(struct lowering *l, LLVMBasicBlockRef block, LLVMValueRef terminator) {
    struct front *front = l->front;
    LLVMValueRef on = LLVMGetOperand(terminator, 0);
    unsigned width = types_shape_of(front, LLVMTypeOf(on))->leaves[0].width;
    unsigned count = (unsigned)LLVMGetNumOperands(terminator) / 2 - 1;
    if (width > 64) {
        lower_wide_switch(l, block, terminator, width);
        return;
    }
    struct splits splits = {0};
    struct switch_case *cases = NEW_ARRAY(struct switch_case, count + 1);
    for (unsigned i = 0; i < count; i++) {
        cases[i].value = constant_word(front, LLVMGetOperand(terminator, 2 + 2 * i));
        cases[i].block = LLVMValueAsBasicBlock(LLVMGetOperand(terminator, 3 + 2 * i));
    }
    qsort(cases, count, sizeof *cases, by_value);
    struct ir_switch s = {.count = count, .dense = count > 0};
    s.values = ARENA_ARRAY(front->arena, uint64_t, count + 1);
    s.targets = ARENA_ARRAY(front->arena, uint32_t, count + 1);
    s.edges = ARENA_ARRAY(front->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++) {
        s.values[i] = cases[i].value;
        s.targets[i] = edge_target(l, block, cases[i].block, &splits);
        if (s.values[i] != s.values[0] + i) s.dense = false;
    }
    s.default_target = edge_target(l, block, LLVMGetSwitchDefaultDest(terminator), &splits);
    uint32_t reg = lower_leaf_register(l, on, 0);
    emit(l, IR_SWITCH, width, 0, reg, l->switches.count);
    vec_push(&l->switches, s);
    DELETE_ARRAY(cases, count + 1);
    emit_splits(l, block, &splits);
}

static void lower_computed_goto(struct lowering *l, LLVMBasicBlockRef block, LLVMValueRef terminator) {
    struct splits splits = {0};
    unsigned count = LLVMGetNumSuccessors(terminator);
    struct switch_case *cases = NEW_ARRAY(struct switch_case, count + 1);
    for (unsigned i = 0; i < count; i++) {
        cases[i].block = LLVMGetSuccessor(terminator, i);
        cases[i].value = lower_label_of(l->front, cases[i].block);
    }
    qsort(cases, count, sizeof *cases, by_value);
    struct ir_goto g = {0};
    g.labels = ARENA_ARRAY(l->front->arena, uint32_t, count + 1);
    g.targets = ARENA_ARRAY(l->front->arena, uint32_t, count + 1);
    g.edges = ARENA_ARRAY(l->front->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++) {
        if (i && cases[i].value == cases[i - 1].value) continue;
        g.labels[g.count] = (uint32_t)cases[i].value;
        g.targets[g.count++] = edge_target(l, block, cases[i].block, &splits);
    }
    DELETE_ARRAY(cases, count + 1);
    uint32_t reg = lower_leaf_register(l, LLVMGetOperand(terminator, 0), 0);
    emit(l, IR_GOTO, 64, 0, reg, l->gotos.count);
    vec_push(&l->gotos, g);
    emit_splits(l, block, &splits);
}

// Lowers a terminator. Returns the successor if it is to be appended to the current block, else NULL.
static LLVMBasicBlockRef lower_terminator(struct lowering *l, LLVMBasicBlockRef block,
                                          LLVMValueRef terminator) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    if (opcode == LLVMInvoke) lower_call(l, terminator);
    if (opcode == LLVMCallBr) lower_asm(l, terminator);
    if (is_plain_jump(terminator) || opcode == LLVMCallBr) {
        LLVMBasicBlockRef next = successor(terminator, 0);
        phi_emit_edge_copies(l, block, next);
        if (l->merged.at[lower_work_block_of(l, next)]) return next;
        emit_jump(l, lower_work_block_of(l, next));
        return NULL;
    }
    l->choosing = terminator;
    switch (opcode) {
    case LLVMBr: lower_conditional(l, block, terminator); break;
    case LLVMSwitch: lower_switch(l, block, terminator); break;
    case LLVMIndirectBr: lower_computed_goto(l, block, terminator); break;
    case LLVMRet: lower_return(l, terminator); break;
    case LLVMUnreachable: emit(l, IR_UNREACHABLE, 0, 0, 0, 0); break;
    default:
        emit_not_modelled(l, "exception handling");
        emit(l, IR_UNREACHABLE, 0, 0, 0, 0);
        break;
    }
    l->choosing = NULL;
    return NULL;
}

// ---- instructions

static bool is_pure(LLVMOpcode opcode) {
    return opcode == LLVMGetElementPtr || opcode == LLVMICmp || opcode == LLVMSelect ||
           opcode == LLVMFreeze || opcode == LLVMExtractValue || opcode == LLVMInsertValue ||
           opcode == LLVMExtractElement || opcode == LLVMInsertElement || opcode == LLVMShuffleVector ||
           (opcode >= LLVMTrunc && opcode <= LLVMBitCast);
}

void lower_unusable(struct lowering *l, LLVMValueRef instruction) {
    char *type = LLVMPrintTypeToString(LLVMTypeOf(instruction));
    emit_not_modelled(l, "values of type %.200s", type);
    LLVMDisposeMessage(type);
    const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(instruction));
    if (shape->unusable || !shape->slots) return;
    uint32_t dst = lower_result_register(l, instruction);
    for (uint32_t i = 0; i < shape->leaf_count; i++)
        lower_copy_leaf(l, shape->leaves[i].width, dst + shape->leaves[i].slot,
                        lower_operand_leaf(l, LLVMConstNull(shape->type), i));
}

static bool has_unusable(struct lowering *l, LLVMValueRef instruction) {
    if (types_shape_of(l->front, LLVMTypeOf(instruction))->unusable) return true;
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++)
        if (types_shape_of(l->front, LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)))->unusable)
            return true;
    return false;
}

static void lower_instruction(struct lowering *l, LLVMValueRef instruction, LLVMOpcode opcode) {
    LLVMValueRef missing = missing_operand(l->front, instruction);
    if (missing) {
        emit_not_modelled(l, "use of the variable %.200s, which no linked object defines",
                          LLVMGetValueName(missing));
        lower_result_zero(l, instruction);
        return;
    }
    if (opcode == LLVMCall) {
        lower_call(l, instruction);
        return;
    }
    if (is_pure(opcode) && !LLVMGetFirstUse(instruction)) return;
    if (has_unusable(l, instruction)) {
        lower_unusable(l, instruction);
        return;
    }
    if (lower_value(l, instruction, opcode) || lower_memory(l, instruction, opcode) ||
        lower_aggregate(l, instruction, opcode))
        return;
    emit_not_modelled(l, "exception handling");
    lower_unusable(l, instruction);
}

// Emits a MARK if the code of a wanted source line begins here.
static void mark_line(struct lowering *l, uint32_t location) {
    const struct front_options *options = l->front->options;
    const struct ir_location *at = &l->front->locations.at[location];
    if (!options->mark || l->result->runtime || !at->line) return;
    uint32_t mark =
        options->mark(options->mark_context, l->front->files.at[at->file], at->line, l->result->name);
    if (mark && mark != l->marked) emit(l, IR_MARK, 0, 0, mark - 1, 0);
    l->marked = mark;
    if (mark > l->front->program->mark_count) l->front->program->mark_count = mark;
}

static void mark_entry(struct lowering *l) {
    if (l->result->runtime) return;
    if (l->front->options->mark_entries) emit(l, IR_MARK, 0, 0, IR_MARK_ENTRY | l->result->index, 0);
    mark_line(l, l->result->location);
    // A verification task may define these functions itself: calling one is the failure, whatever its body does.
    const char *name = l->result->name;
    l->location = l->result->location;
    if (!strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error"))
        emit(l, IR_FAILURE, 0, 0, debug_intern_string(l->front, name, strlen(name)), 0);
}

static LLVMBasicBlockRef lower_block(struct lowering *l, LLVMBasicBlockRef block) {
    LLVMValueRef terminator = terminator_of(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        if (opcode == LLVMPHI) continue;
        uint32_t location = debug_location_of(l->front, LLVMInstructionGetDebugLoc(i));
        if (location) {
            l->location = location;
            mark_line(l, location);
        }
        if (i == terminator) return lower_terminator(l, block, i);
        lower_instruction(l, i, opcode);
    }
    assert(!"a block ends with a terminator");
    return NULL;
}

// The reachable predecessor of a block that has only one. NULL: the block has no phis.
static LLVMBasicBlockRef only_predecessor(struct lowering *l, LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    if (!phi || LLVMGetInstructionOpcode(phi) != LLVMPHI) return NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (lower_work_block_of(l, LLVMGetIncomingBlock(phi, i)) != NO_BLOCK)
            return LLVMGetIncomingBlock(phi, i);
    return NULL;
}

static void lower_blocks(struct lowering *l) {
    vec_reserve(&l->bounded_at, l->order.count);
    l->bounded_at.count = l->order.count;
    if (l->compiled_checks) find_dominators(l);
    for (uint32_t i = 0; i < l->order.count; i++) {
        LLVMBasicBlockRef block = l->order.at[i];
        if (l->merged.at[i]) continue;
        l->location = l->marked = 0;
        l->bounded_last = i && l->dominators.count ? l->bounded_at.at[l->dominators.at[i]] : 0;
        emit_start_block(l, i);
        if (i == 0) mark_entry(l);
        if (i == 0) lower_fixed_allocas(l);
        if (l->predecessors.at[i] == 1) { // its only edge; the predecessor has several successors
            LLVMBasicBlockRef from = only_predecessor(l, block);
            if (from && !is_plain_jump(terminator_of(from))) phi_emit_edge_copies(l, from, block);
        }
        while (block) {
            LLVMBasicBlockRef next = lower_block(l, block);
            l->bounded_at.at[lower_work_block_of(l, block)] = l->bounded_last;
            block = next;
        }
    }
}

static void lower_parameters(struct lowering *l) {
    uint32_t slots = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(l->function); p; p = LLVMGetNextParam(p)) {
        const struct type_shape *shape = types_shape_of(l->front, LLVMTypeOf(p));
        lower_define_alias(l, p, emit_new_registers(l, shape->slots));
        slots += shape->slots;
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(l->function);
    l->result->parameter_slots = slots;
    l->result->variadic = LLVMIsFunctionVarArg(type);
    if (l->result->variadic) l->variadic_register = emit_new_registers(l, 1);
    l->fixed = l->unit.count;
    l->result->result_slots = types_shape_of(l->front, LLVMGetReturnType(type))->slots;
}

static void free_lowering(struct lowering *l) {
    vec_free(&l->code);
    vec_free(&l->code_locations);
    vec_free(&l->blocks);
    map_free(&l->registers);
    vec_free(&l->unit);
    vec_free(&l->constants);
    map_free(&l->constant_index);
    vec_free(&l->arguments);
    vec_free(&l->switches);
    vec_free(&l->gotos);
    vec_free(&l->allocas);
    map_free(&l->objects);
    map_free(&l->call_areas);
    vec_free(&l->order);
    map_free(&l->block_of);
    vec_free(&l->predecessors);
    map_free(&l->guarded);
    vec_free(&l->bounded);
    vec_free(&l->bounded_at);
    vec_free(&l->dominators);
    vec_free(&l->merged);
    vec_free(&l->copies);
    map_free(&l->edge_copies);
    vec_free(&l->pending);
    vec_free(&l->temporary);
    vec_free(&l->hoisted);
}

void lower_function(struct front *front, uint32_t index) {
    struct lowering l = {.front = front,
                         .function = front->reached.at[index].value,
                         .result = &front->program->functions[index],
                         .block = NO_BLOCK};
    l.compiled_checks = instrumented_has_checks(l.function);
    lower_parameters(&l);
    order_blocks(&l);
    find_merges(&l);
    phi_collect(&l);
    lower_blocks(&l);
    finish_function(&l);
    free_lowering(&l);
}

// Generates a function that calls others one after the other, with its own parameters.
void lower_generated(struct front *front, uint32_t index, const uint32_t *callees, uint32_t count,
                     uint32_t parameters) {
    struct lowering l = {.front = front, .result = &front->program->functions[index], .block = NO_BLOCK};
    struct operand arguments[4];
    assert(parameters <= COUNT(arguments));
    for (uint32_t i = 0; i < parameters; i++) arguments[i] = operand_of_register(emit_new_registers(&l, 1));
    l.fixed = l.result->parameter_slots = parameters;
    emit_new_block(&l);
    emit_start_block(&l, 0);
    for (uint32_t i = 0; i < count; i++) lower_call_function(&l, callees[i], 0, 0, arguments, parameters);
    emit(&l, IR_RET, 0, 0, 0, 0);
    finish_function(&l);
    free_lowering(&l);
}
