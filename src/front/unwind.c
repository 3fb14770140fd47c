// --unwind N: counts the iterations of every loop of user code. The counter of a loop is a variable of its function; it
// is 0 where the loop is entered from outside and grows on each back edge. On the back edge the runtime's __tamar_round
// is called, which ends the path and makes the run incomplete once the counter exceeds N. So a complete run shows that
// no loop has more than N iterations. No branch is added: the branches of user code keep their numbers, and native
// builds, which do not count iterations, take the same path.
#include "front/front_int.h"

struct edge {
    uint32_t from, successor, to; // blocks; the number of the successor in `from`
};
typedef vec(struct edge) edges;

struct unwound_loops {
    struct front *front;
    LLVMBuilderRef builder;
    LLVMTypeRef word;
    LLVMBasicBlockRef *blocks;
    uint32_t count;
    struct map numbers; // block to its index
    edges all, back;
};

static uint32_t number_of(const struct unwound_loops *loops, LLVMBasicBlockRef block) {
    return (uint32_t)*map_get(&loops->numbers, (uintptr_t)block);
}

static void collect_blocks(struct unwound_loops *loops, LLVMValueRef function) {
    loops->count = LLVMCountBasicBlocks(function);
    loops->blocks = NEW_ARRAY(LLVMBasicBlockRef, loops->count);
    LLVMGetBasicBlocks(function, loops->blocks);
    for (uint32_t i = 0; i < loops->count; i++) *map_put(&loops->numbers, (uintptr_t)loops->blocks[i]) = i;
}

struct loop_visit {
    uint32_t block, next; // next: successor to visit
};

// Depth first from the entry: an edge to a block whose visit has not ended is a back edge.
static void find_edges(struct unwound_loops *loops) {
    enum { NEW, OPEN, DONE };
    uint8_t *state = NEW_ARRAY(uint8_t, loops->count);
    vec(struct loop_visit) stack = {0};
    struct loop_visit first = {0, 0};
    vec_push(&stack, first);
    state[0] = OPEN;
    while (stack.count) {
        struct loop_visit *top = vec_last(&stack);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(loops->blocks[top->block]);
        if (top->next == (end ? LLVMGetNumSuccessors(end) : 0)) {
            state[top->block] = DONE;
            (void)vec_pop(&stack);
            continue;
        }
        struct edge edge = {top->block, top->next, number_of(loops, LLVMGetSuccessor(end, top->next))};
        top->next++;
        vec_push(&loops->all, edge);
        if (state[edge.to] == OPEN) vec_push(&loops->back, edge);
        if (state[edge.to] != NEW) continue;
        state[edge.to] = OPEN;
        struct loop_visit visit = {edge.to, 0};
        vec_push(&stack, visit);
    }
    vec_free(&stack);
    DELETE_ARRAY(state, loops->count);
}

static bool is_back_edge(const struct unwound_loops *loops, const struct edge *edge) {
    vec_each (struct edge, back, &loops->back)
        if (back->from == edge->from && back->successor == edge->successor) return true;
    return false;
}

// Sets the call's source location, for the report: the branch's, else the first one in the loop's first block.
static void set_place(const struct unwound_loops *loops, const struct edge *edge) {
    LLVMMetadataRef place =
        LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(loops->blocks[edge->from]));
    LLVMValueRef one = LLVMGetFirstInstruction(loops->blocks[edge->to]);
    for (; !place && one; one = LLVMGetNextInstruction(one)) place = LLVMInstructionGetDebugLoc(one);
    LLVMSetCurrentDebugLocation2(loops->builder, place);
}

// Builds the end of an iteration, at the builder's position.
static void build_round(const struct unwound_loops *loops, LLVMValueRef counter, LLVMModuleRef module) {
    LLVMTypeRef parameters[] = {loops->word, loops->word};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(loops->front->context), parameters, 2, false);
    LLVMValueRef function = symbols_declare(module, "__tamar_round", type);
    LLVMValueRef one = LLVMConstInt(loops->word, 1, false);
    LLVMValueRef rounds =
        LLVMBuildAdd(loops->builder, LLVMBuildLoad2(loops->builder, loops->word, counter, ""), one, "");
    LLVMBuildStore(loops->builder, rounds, counter);
    LLVMValueRef arguments[] = {rounds, LLVMConstInt(loops->word, loops->front->options->unwind, false)};
    LLVMBuildCall2(loops->builder, type, function, arguments, 2, "");
}

// Replaces the incoming block `from` by `middle` in the phis of `to`, for one edge only.
static void move_phis(const struct unwound_loops *loops, LLVMBasicBlockRef to, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef middle) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to), next; phi && LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMPositionBuilderBefore(loops->builder, phi);
        LLVMValueRef other = LLVMBuildPhi(loops->builder, LLVMTypeOf(phi), "");
        bool moved = false;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
            if (block == from && !moved) {
                block = middle;
                moved = true;
            }
            LLVMAddIncoming(other, &value, &block, 1);
        }
        LLVMReplaceAllUsesWith(phi, other);
        LLVMInstructionEraseFromParent(phi);
    }
}

// Counts on one back edge. If its block has other successors, the edge is split.
static void count_on(const struct unwound_loops *loops, const struct edge *edge, LLVMValueRef counter) {
    LLVMBasicBlockRef from = loops->blocks[edge->from], to = loops->blocks[edge->to];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from), function = LLVMGetBasicBlockParent(from);
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    set_place(loops, edge);
    if (LLVMGetNumSuccessors(end) == 1) {
        LLVMPositionBuilderBefore(loops->builder, end);
        build_round(loops, counter, module);
        return;
    }
    LLVMBasicBlockRef middle = LLVMAppendBasicBlockInContext(loops->front->context, function, "");
    LLVMPositionBuilderAtEnd(loops->builder, middle);
    build_round(loops, counter, module);
    LLVMBuildBr(loops->builder, to);
    LLVMSetSuccessor(end, edge->successor, middle);
    move_phis(loops, to, from, middle);
}

static void limit_loop(const struct unwound_loops *loops, uint32_t header) {
    LLVMValueRef zero = LLVMConstInt(loops->word, 0, false);
    LLVMSetCurrentDebugLocation2(loops->builder, NULL);
    LLVMPositionBuilderBefore(loops->builder, LLVMGetFirstInstruction(loops->blocks[0]));
    LLVMValueRef counter = LLVMBuildAlloca(loops->builder, loops->word, "");
    LLVMBuildStore(loops->builder, zero, counter);
    vec_each (struct edge, edge, &loops->all) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(loops->blocks[edge->from]);
        if (edge->to != header) continue;
        if (!is_back_edge(loops, edge)) {
            LLVMSetCurrentDebugLocation2(loops->builder, NULL);
            LLVMPositionBuilderBefore(loops->builder, end);
            LLVMBuildStore(loops->builder, zero, counter);
        } else if (!LLVMIsAIndirectBrInst(
                       end)) { // computed goto: its targets are addresses, and the loop is not limited
            count_on(loops, edge, counter);
        }
    }
}

static void limit_function(struct front *front, LLVMValueRef function) {
    struct unwound_loops loops = {.front = front, .word = LLVMInt64TypeInContext(front->context)};
    loops.builder = LLVMCreateBuilderInContext(front->context);
    collect_blocks(&loops, function);
    find_edges(&loops);
    struct map done = {0};
    vec_each (struct edge, back, &loops.back) {
        if (map_get(&done, back->to + 1)) continue;
        *map_put(&done, back->to + 1) = 1;
        limit_loop(&loops, back->to);
    }
    map_free(&done);
    LLVMDisposeBuilder(loops.builder);
    DELETE_ARRAY(loops.blocks, loops.count);
    map_free(&loops.numbers);
    vec_free(&loops.all);
    vec_free(&loops.back);
}

void unwind_limit(struct front *front) {
    if (!front->options->unwind) return;
    vec_each (struct unit, unit, &front->units) {
        if (unit->rank == RANK_LIBRARY) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            if (!LLVMIsDeclaration(one)) limit_function(front, one);
    }
}
