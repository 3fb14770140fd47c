// batch(S,N): runs a state that S has picked for about N instructions before S picks again, even if it forks.
#include "search/search_int.h"

#define INSTRUCTIONS 10000.0

struct batch_strategy {
    struct strategy base;
    struct strategy *inner;
    struct state *state; // the state that continues; NULL: S picks
    uint64_t used, size; // instructions
};

static struct strategy *new_batch(struct search_context *context, const struct expression *expression) {
    struct batch_strategy *batch = NEW(struct batch_strategy);
    batch->inner = parse_argument_strategy(context, expression, 0);
    batch->size = (uint64_t)parse_argument_number(expression, 1, INSTRUCTIONS);
    return &batch->base;
}

static void free_batch(struct strategy *strategy) {
    struct batch_strategy *batch = (struct batch_strategy *)strategy;
    strategy_free(batch->inner);
    DELETE(batch);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    strategy_add(((struct batch_strategy *)strategy)->inner, state, parent);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct batch_strategy *batch = (struct batch_strategy *)strategy;
    if (batch->state == state) batch->state = NULL;
    strategy_remove(batch->inner, state);
}

static struct state *pick(struct strategy *strategy) {
    struct batch_strategy *batch = (struct batch_strategy *)strategy;
    if (!batch->state || batch->used >= batch->size) {
        batch->state = strategy_pick(batch->inner);
        batch->used = 0;
    }
    return batch->state;
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct batch_strategy *batch = (struct batch_strategy *)strategy;
    if (step->state == batch->state) batch->used += step->instructions + 1;
    strategy_note(batch->inner, step);
}

const struct strategy_class strategy_batch = {
    .name = "batch",
    .arguments = "SN?",
    .usage = "(S) or batch(S,N)",
    .help = "Runs each state picked by S for N instructions (10000), even if it forks; then S "
            "picks again.",
    .when =
        "Around a strategy that is expensive, or that would not stay with a path long enough to finish it.",
    .new = new_batch,
    .free = free_batch,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
