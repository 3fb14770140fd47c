// The selection of call-chain-backward search (Otter 3.1.2): first the start function that is the fewest calls
// away from main, then one of its states by S. explore/backward.c makes the start functions and joins the paths
// that are found. States that began at the program's entry wait until the call chain has reached main, or until
// no other state is left.
#include "base/hash.h"
#include "base/vec.h"
#include "cover/targets.h"
#include "search/start_functions.h"

struct ccbse_group {
    uint32_t start, calls; // start function; number of calls from main to it
    uint32_t count;        // number of states
    struct strategy *inner;
};

struct ccbse {
    struct strategy base;
    struct search_context *context;
    const struct expression *inner;
    vec(struct ccbse_group) groups; // in the order of their first states
    struct map indices;             // start function -> index
};

static struct strategy *new_ccbse(struct search_context *context, const struct expression *expression) {
    struct ccbse *ccbse = NEW(struct ccbse);
    ccbse->context = context->whole;
    ccbse->inner = expression->arguments[0];
    return &ccbse->base;
}

static void free_ccbse(struct strategy *strategy) {
    struct ccbse *ccbse = (struct ccbse *)strategy;
    vec_each (struct ccbse_group, group, &ccbse->groups) strategy_free(group->inner);
    vec_free(&ccbse->groups);
    map_free(&ccbse->indices);
    DELETE(ccbse);
}

static uint32_t calls_from_main(const struct ccbse *ccbse, uint32_t start) {
    const struct targets *targets = ccbse->context->options->targets;
    return start && targets ? graph_call_depth(targets_graph(targets), start - 1) : start;
}

static struct ccbse_group *group_of(struct ccbse *ccbse, uint32_t start) {
    uint64_t *known = map_get(&ccbse->indices, start);
    if (known) return &ccbse->groups.at[*known];
    *map_put(&ccbse->indices, start) = ccbse->groups.count;
    struct ccbse_group group = {.start = start,
                                .calls = calls_from_main(ccbse, start),
                                .inner = start_functions_strategy(ccbse->context, start, ccbse->inner)};
    vec_push(&ccbse->groups, group);
    return vec_last(&ccbse->groups);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct ccbse_group *group = group_of((struct ccbse *)strategy, state->start.function);
    group->count++;
    strategy_add(group->inner, state,
                 parent && parent->start.function == state->start.function ? parent : NULL);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct ccbse_group *group = group_of((struct ccbse *)strategy, state->start.function);
    assert(group->count);
    group->count--;
    strategy_remove(group->inner, state);
}

static struct state *pick(struct strategy *strategy) {
    struct ccbse *ccbse = (struct ccbse *)strategy;
    const struct targets *targets = ccbse->context->options->targets;
    bool main_called = targets && targets_main_is_open(targets);
    struct ccbse_group *best = NULL;
    vec_each (struct ccbse_group, group, &ccbse->groups) {
        if (!group->count) continue;
        bool waits = !group->start && !main_called, best_waits = best && !best->start && !main_called;
        if (!best || waits < best_waits || (waits == best_waits && group->calls < best->calls)) best = group;
    }
    assert(best);
    return strategy_pick(best->inner);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    strategy_note(group_of((struct ccbse *)strategy, step->state->start.function)->inner, step);
}

const struct strategy_class strategy_ccbse = {
    .name = "ccbse",
    .arguments = "S",
    .usage = "(S)",
    .help = "Call-chain-backward: explores the target's function by S, with symbolic arguments "
            "and globals, then its callers, up to main, and joins the paths found.",
    .when = "With targets that few paths of their function reach; slow if main is many "
            "calls away.",
    .backward = true,
    .new = new_ccbse,
    .free = free_ccbse,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
