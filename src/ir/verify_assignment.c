// The verifier's data-flow analysis: the set of registers that are written on every path to a block, as the greatest
// solution of a forward must-problem. An instruction may read only registers of that set.
#include "base/alloc.h"
#include "base/vec.h"
#include "ir/registers.h"
#include "ir/verify.h"

#include <string.h>

struct register_assignment {
    struct verifier *v;
    uint32_t words;
    uint64_t *in;  // per block: bit set of the registers written on every path to its start
    uint64_t *now; // the set at the current instruction
    vec(uint32_t) pending;
    uint8_t *waiting;
    bool checking;
};

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a visitor
static void note(void *context, uint32_t *reg, uint32_t slots, bool write) {
    struct register_assignment *a = context;
    for (uint32_t i = *reg; i < *reg + slots; i++) {
        if (write)
            a->now[i / 64] |= 1ull << (i % 64);
        else if (a->checking && !(a->now[i / 64] >> (i % 64) & 1))
            verify_fail(a->v, "reads r%u, which is not written on every path here", i);
    }
}

static void go_through(struct register_assignment *a, uint32_t block) {
    const struct ir_function *function = a->v->function;
    memcpy(a->now, a->in + (size_t)block * a->words, a->words * sizeof *a->now);
    for (uint32_t i = function->blocks[block].start; i < function->blocks[block].end;) {
        const struct ir_insn *insn = &function->code[i];
        struct ir_insn copy[2] = {insn[0]};
        if (ir_op_info[insn->op].words == 2) copy[1] = insn[1];
        a->v->instruction = i;
        ir_visit_registers(copy, function->arguments, note, a);
        i += ir_op_info[insn->op].words;
    }
}

static bool meet(struct verifier *v, uint32_t block, uint32_t target, uint32_t edge, void *context) {
    (void)block, (void)edge;
    struct register_assignment *a = context;
    uint32_t to = verify_block_starting_at(v->function, target);
    uint64_t *in = a->in + (size_t)to * a->words, lost = 0;
    for (uint32_t i = 0; i < a->words; i++) {
        lost |= in[i] & ~a->now[i];
        in[i] &= a->now[i];
    }
    if (lost && !a->waiting[to]) {
        a->waiting[to] = 1;
        vec_push(&a->pending, to);
    }
    return true;
}

static void solve(struct register_assignment *a) {
    const struct ir_function *function = a->v->function;
    memset(a->in, 255, (size_t)function->block_count * a->words * sizeof *a->in);
    memset(a->in, 0, a->words * sizeof *a->in);
    for (uint32_t i = 0; i < function->parameter_slots + function->variadic; i++)
        a->in[i / 64] |= 1ull << (i % 64);
    for (uint32_t i = function->block_count; i-- > 0;) {
        vec_push(&a->pending, i);
        a->waiting[i] = 1;
    }
    while (a->pending.count) {
        uint32_t block = vec_pop(&a->pending);
        a->waiting[block] = 0;
        go_through(a, block);
        verify_each_target(a->v, block, meet, a);
    }
}

bool verify_assignment(struct verifier *v) {
    const struct ir_function *function = v->function;
    struct register_assignment a = {.v = v, .words = function->register_count / 64 + 1};
    size_t size = (size_t)function->block_count * a.words;
    a.in = NEW_ARRAY(uint64_t, size);
    a.now = NEW_ARRAY(uint64_t, a.words);
    a.waiting = NEW_ARRAY(uint8_t, function->block_count);
    solve(&a);
    a.checking = true;
    for (uint32_t i = 0; i < function->block_count && !v->failed; i++) go_through(&a, i);
    DELETE_ARRAY(a.in, size);
    DELETE_ARRAY(a.now, a.words);
    DELETE_ARRAY(a.waiting, function->block_count);
    vec_free(&a.pending);
    return !v->failed;
}
