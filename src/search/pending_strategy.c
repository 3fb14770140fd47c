// pending(S): S picks among the states known to be feasible. Only if there are none, it picks among the pending
// states, whose last condition has not been checked. There are two instances of S, so that its picks among
// feasible states do not depend on pending ones.
#include "base/hash.h"
#include "search/search_int.h"

enum pending_kind { FEASIBLE, PENDING };

struct pending {
    struct strategy base;
    struct strategy *inner[2]; // by enum pending_kind
    uint32_t count[2];
    struct map kinds; // state number -> enum pending_kind
};

static struct strategy *new_pending(struct search_context *context, const struct expression *expression) {
    struct pending *pending = NEW(struct pending);
    for (uint32_t i = 0; i < 2; i++) pending->inner[i] = parse_argument_strategy(context, expression, 0);
    return &pending->base;
}

static void free_pending(struct strategy *strategy) {
    struct pending *pending = (struct pending *)strategy;
    for (uint32_t i = 0; i < 2; i++) strategy_free(pending->inner[i]);
    map_free(&pending->kinds);
    DELETE(pending);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct pending *pending = (struct pending *)strategy;
    enum pending_kind kind = state->waiting.condition ? PENDING : FEASIBLE;
    *map_put(&pending->kinds, state->number) = kind;
    pending->count[kind]++;
    strategy_add(pending->inner[kind], state, parent);
}

static enum pending_kind kind_of(const struct pending *pending, const struct state *state) {
    uint64_t *kind = map_get(&pending->kinds, state->number);
    assert(kind);
    return (enum pending_kind) * kind;
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct pending *pending = (struct pending *)strategy;
    enum pending_kind kind = kind_of(pending, state);
    strategy_remove(pending->inner[kind], state);
    pending->count[kind]--;
    map_remove(&pending->kinds, state->number);
}

static struct state *pick(struct strategy *strategy) {
    struct pending *pending = (struct pending *)strategy;
    return strategy_pick(pending->inner[pending->count[FEASIBLE] ? FEASIBLE : PENDING]);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct pending *pending = (struct pending *)strategy;
    if (step->revived) {
        if (kind_of(pending, step->state) != PENDING) return; // added before it was rebuilt as pending
        remove_state(strategy, step->state);
        add(strategy, step->state, NULL);
        return;
    }
    strategy_note(pending->inner[kind_of(pending, step->state)], step);
}

const struct strategy_class strategy_pending = {
    .name = "pending",
    .arguments = "S",
    .usage = "(S)",
    .help = "S picks among the states known to be feasible; if there are none, among the "
            "pending states, whose last condition has not been checked. Branches then make no "
            "queries.",
    .when = "With seeds, and for programs on which most of the time goes into the solver.",
    .pending = true,
    .new = new_pending,
    .free = free_pending,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
