// Shortest distance to each target in turn (Otter 3.2), so that a target far from all states gets its share, too.
// Every active target has its own order of all states, so only a few are active at a time. When a target is reached,
// the next one becomes active.
#include "search/nearest.h"
#include "search/search_int.h"
#include "search/target_distance.h"

#define PARTS 8

struct sdse_part {
    uint32_t target;
    struct nearest nearest;
};

struct sdse_rr {
    struct strategy base;
    struct targets *targets;
    struct nearest all; // all states; used while no target is active
    struct sdse_part *parts[PARTS];
    uint32_t count, next;
    uint32_t first;   // the target that becomes active next
    uint32_t version; // targets_version at the last update of the parts
};

static struct strategy *new_sdse_rr(struct search_context *context, const struct expression *expression) {
    struct sdse_rr *ring = NEW(struct sdse_rr);
    ring->targets = context->options->targets;
    nearest_start(&ring->all);
    return &ring->base;
}

static void end_part(struct sdse_rr *ring, uint32_t index) {
    nearest_end(&ring->parts[index]->nearest);
    DELETE(ring->parts[index]);
    ring->parts[index] = ring->parts[--ring->count];
}

static void free_sdse_rr(struct strategy *strategy) {
    struct sdse_rr *ring = (struct sdse_rr *)strategy;
    while (ring->count) end_part(ring, 0);
    nearest_end(&ring->all);
    DELETE(ring);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct sdse_rr *ring = (struct sdse_rr *)strategy;
    nearest_add(&ring->all, state, 0);
    for (uint32_t i = 0; i < ring->count; i++) {
        struct sdse_part *part = ring->parts[i];
        nearest_add(&part->nearest, state, target_distance_to(ring->targets, part->target, state));
    }
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct sdse_rr *ring = (struct sdse_rr *)strategy;
    nearest_remove(&ring->all, state);
    for (uint32_t i = 0; i < ring->count; i++) nearest_remove(&ring->parts[i]->nearest, state);
}

static void start_part(struct sdse_rr *ring, uint32_t target) {
    struct sdse_part *part = NEW(struct sdse_part);
    part->target = target;
    nearest_start(&part->nearest);
    for (uint32_t i = 0; i < ring->all.held.count; i++) {
        struct state *state = ring->all.held.at[i];
        if (state) nearest_add(&part->nearest, state, target_distance_to(ring->targets, target, state));
    }
    ring->parts[ring->count++] = part;
}

static bool takes_part(const struct sdse_rr *ring, uint32_t target) {
    for (uint32_t i = 0; i < ring->count; i++)
        if (ring->parts[i]->target == target) return true;
    return false;
}

static void look_after_parts(struct sdse_rr *ring) {
    if (!ring->targets || ring->version == targets_version(ring->targets)) return;
    ring->version = targets_version(ring->targets);
    for (uint32_t i = 0; i < ring->count;)
        if (targets_is_open(ring->targets, ring->parts[i]->target))
            i++;
        else
            end_part(ring, i);
    uint32_t count = targets_count(ring->targets);
    for (uint32_t tried = 0; tried < count && ring->count < PARTS; tried++) {
        uint32_t target = ring->first++ % count;
        if (targets_is_open(ring->targets, target) && !takes_part(ring, target)) start_part(ring, target);
    }
}

static struct state *pick(struct strategy *strategy) {
    struct sdse_rr *ring = (struct sdse_rr *)strategy;
    look_after_parts(ring);
    if (!ring->count) return nearest_first(&ring->all);
    ring->next = (ring->next + 1) % ring->count;
    return nearest_first(&ring->parts[ring->next]->nearest);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct sdse_rr *ring = (struct sdse_rr *)strategy;
    for (uint32_t i = 0; i < ring->count; i++) {
        struct sdse_part *part = ring->parts[i];
        nearest_set(&part->nearest, step->state,
                    target_distance_to(ring->targets, part->target, step->state));
    }
}

const struct strategy_class strategy_sdse_rr = {
    .name = "sdse-rr",
    .arguments = "",
    .help = "Shortest distance to each target in turn: each pick takes the state nearest to the next target.",
    .when = "With many targets, so that the ones nearby do not take all the time.",
    .new = new_sdse_rr,
    .free = free_sdse_rr,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
