// fresh(S): a state that covers new user code gets a budget for itself and its descendants (a family), which
// are explored depth first. Families are served in order of creation; S picks when no budget is left.
//
// A state is in at most one family: it leaves the family when it founds its own, or when the budget is spent. In
// the family's ring children follow their parents, and the first state is the one that runs.
#include "base/hash.h"
#include "base/vec.h"
#include "search/search_int.h"

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
    struct strategy *inner;     // holds all states
    struct map members;         // state number -> struct fresh_member *
    struct fresh_member rest;   // ring of the states without a family
    vec(struct family *) queue; // from `first` on: families with budget left
    uint32_t first;
};

static struct strategy *new_fresh(struct search_context *context, const struct expression *expression) {
    struct fresh *fresh = NEW(struct fresh);
    fresh->inner = parse_argument_strategy(context, expression, 0);
    fresh->rest.before = fresh->rest.after = &fresh->rest;
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

static void found_family(struct fresh *fresh, struct fresh_member *member) {
    struct family *family = NEW(struct family);
    family->ends.before = family->ends.after = &family->ends;
    family->left = WORK;
    unlink_member(member);
    link_after(member, family, &family->ends);
    vec_push(&fresh->queue, family);
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
    for (uint32_t i = fresh->first; i < fresh->queue.count; i++) dissolve(fresh, fresh->queue.at[i]);
    for (struct fresh_member *member; (member = fresh->rest.after) != &fresh->rest;) {
        unlink_member(member);
        DELETE(member);
    }
    map_free(&fresh->members);
    vec_free(&fresh->queue);
    strategy_free(fresh->inner);
    DELETE(fresh);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct fresh *fresh = (struct fresh *)strategy;
    struct fresh_member *member = NEW(struct fresh_member), *from = member_of(fresh, parent);
    *member = (struct fresh_member){.state = state, .known = shared_list_count(state->coverage.fresh)};
    *map_put(&fresh->members, state->number) = (uint64_t)(uintptr_t)member;
    bool follows = from && from->family;
    link_after(member, follows ? from->family : NULL, follows ? from : &fresh->rest);
    if (from && member->known > from->known) found_family(fresh, member);
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
    for (; fresh->first < fresh->queue.count; fresh->first++) {
        struct family *family = fresh->queue.at[fresh->first];
        if (family->left && family->ends.after != &family->ends) return family->ends.after->state;
        dissolve(fresh, family);
    }
    vec_clear(&fresh->queue);
    fresh->first = 0;
    return strategy_pick(fresh->inner);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct fresh *fresh = (struct fresh *)strategy;
    struct fresh_member *member = member_of(fresh, step->state);
    uint32_t known = shared_list_count(step->state->coverage.fresh);
    if (member->family) member->family->left -= MIN(member->family->left, step->work + 1);
    if (known > member->known && !step->ended) found_family(fresh, member);
    member->known = known;
    strategy_note(fresh->inner, step);
}

const struct strategy_class strategy_fresh = {
    .name = "fresh",
    .arguments = "S",
    .usage = "(S)",
    .help = "A state that has covered new code gets a budget of work for itself and its "
            "descendants, depth first; otherwise S picks.",
    .when =
        "For bugs behind a parser: code that few inputs reach is explored before the other states multiply.",
    .new = new_fresh,
    .free = free_fresh,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
