// fresh(S): a state that covers new user code gets a budget for itself and its descendants (a family), which
// are explored in the order of their forks: first those that left the path next to the new code. (Depth first would use
// up the budget on the last bytes of the input.) S picks when no budget is left.
//
// The family founded last is served first: it is the furthest into the program. Edges that are copies of covered source
// code (an inlined function, a file included twice) found no family.
//
// A state is in at most one family: it leaves the family when it founds its own, or when the budget is spent. The first
// state of the family's ring is the one that runs.
#include "base/hash.h"
#include "base/vec.h"
#include "search/search_int.h"
#include "search/source_edges.h"

#define WORK 2500000u // budget of a family, in units of work (search_step.work)

struct fresh_member {
    struct state *state;
    struct fresh_member *before, *after; // in the ring of its family, or of the states without one
    struct family *family;               // NULL: none
    uint32_t known; // at the last check: number of items that the state was first to cover
};

struct family {
    struct fresh_member ends;
    uint64_t left;
};

struct fresh {
    struct strategy base;
    struct strategy *inner;        // holds all states
    struct map members;            // state number -> struct fresh_member *
    struct fresh_member rest;      // ring of the states without a family
    vec(struct family *) families; // those that may have budget left, in the order of their creation
    struct source_edges *edges;
};

static struct strategy *new_fresh(struct search_context *context, const struct expression *expression) {
    struct fresh *fresh = NEW(struct fresh);
    fresh->inner = parse_argument_strategy(context, expression, 0);
    fresh->rest.before = fresh->rest.after = &fresh->rest;
    fresh->edges = source_edges_new(context->options->program);
    return &fresh->base;
}

static struct fresh_member *member_of(const struct fresh *fresh, const struct state *state) {
    uint64_t *member = state ? map_get(&fresh->members, state->number) : NULL;
    return member ? (struct fresh_member *)(uintptr_t)*member : NULL; // NOLINT(performance-no-int-to-ptr)
}

static void unlink_member(struct fresh_member *member) {
    member->before->after = member->after;
    member->after->before = member->before;
}

static void link_after(struct fresh_member *member, struct family *family, struct fresh_member *previous) {
    member->family = family;
    member->before = previous;
    member->after = previous->after;
    member->before->after = member->after->before = member;
}

// Makes the state the founder of a family if it was the first to cover an edge of the source code. `from`: number of
// items that it, or its parent, had covered first before.
static void found_family(struct fresh *fresh, struct fresh_member *member, uint32_t from) {
    if (!source_edges_cover(fresh->edges, member->state, from)) return;
    struct family *family = NEW(struct family);
    family->ends.before = family->ends.after = &family->ends;
    family->left = WORK;
    unlink_member(member);
    link_after(member, family, &family->ends);
    vec_push(&fresh->families, family);
}

static void dissolve(struct fresh *fresh, struct family *family) {
    for (struct fresh_member *member; (member = family->ends.after) != &family->ends;) {
        unlink_member(member);
        link_after(member, NULL, &fresh->rest);
    }
    DELETE(family);
}

static void free_fresh(struct strategy *strategy) {
    struct fresh *fresh = (struct fresh *)strategy;
    vec_each (struct family *, family, &fresh->families) dissolve(fresh, *family);
    for (struct fresh_member *member; (member = fresh->rest.after) != &fresh->rest;) {
        unlink_member(member);
        DELETE(member);
    }
    map_free(&fresh->members);
    vec_free(&fresh->families);
    source_edges_free(fresh->edges);
    strategy_free(fresh->inner);
    DELETE(fresh);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct fresh *fresh = (struct fresh *)strategy;
    struct fresh_member *member = NEW(struct fresh_member), *from = member_of(fresh, parent);
    *member = (struct fresh_member){.state = state, .known = shared_list_count(state->coverage.fresh)};
    *map_put(&fresh->members, state->number) = (uint64_t)(uintptr_t)member;
    bool follows = from && from->family;
    link_after(member, follows ? from->family : NULL, follows ? from->family->ends.before : &fresh->rest);
    if (from && member->known > from->known) found_family(fresh, member, from->known);
    strategy_add(fresh->inner, state, parent);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct fresh *fresh = (struct fresh *)strategy;
    struct fresh_member *member = member_of(fresh, state);
    unlink_member(member);
    map_remove(&fresh->members, state->number);
    DELETE(member);
    strategy_remove(fresh->inner, state);
}

static struct state *pick(struct strategy *strategy) {
    struct fresh *fresh = (struct fresh *)strategy;
    for (; fresh->families.count; fresh->families.count--) {
        struct family *family = *vec_last(&fresh->families);
        if (family->left && family->ends.after != &family->ends) return family->ends.after->state;
        dissolve(fresh, family);
    }
    return strategy_pick(fresh->inner);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct fresh *fresh = (struct fresh *)strategy;
    struct fresh_member *member = member_of(fresh, step->state);
    uint32_t known = shared_list_count(step->state->coverage.fresh);
    if (member->family) member->family->left -= MIN(member->family->left, step->work + 1);
    if (known > member->known && !step->ended) found_family(fresh, member, member->known);
    member->known = known;
    strategy_note(fresh->inner, step);
}

const struct strategy_class strategy_fresh = {
    .name = "fresh",
    .arguments = "S",
    .usage = "(S)",
    .help = "A state that has covered new code gets a budget of work for itself and its "
            "descendants, in the order of their forks; otherwise S picks.",
    .when =
        "For bugs behind a parser: code that few inputs reach is explored before the other states multiply.",
    .new = new_fresh,
    .free = free_fresh,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
