// EXE's mixture of best first and depth first. Picks a state at the basic block from which states have been
// run least often, then runs it and its descendants (its family) depth first for a while. A block is counted each
// time a state is run from it.
#include "base/hash.h"
#include "search/queue.h"
#include "search/search_int.h"

#define FAMILY_PICKS 64 // picks within one family

struct exe_entry {
    struct state *state;
    struct exe_entry *before, *after; // ring of the states at the same block
    uint32_t block;
    bool family; // descends from the last best-first pick, and is held by `depth_first`
};

struct exe_point {
    struct exe_entry ends;
    uint64_t runs;
};

struct exe {
    struct strategy base;
    struct strategy *depth_first;
    uint32_t family, left; // number of states in depth_first; picks left for them
    vec(struct exe_point *) points;
    struct number_queue waiting; // blocks that have states
    struct map entries;          // state number -> struct exe_entry *
};

static bool run_less(const void *context, uint32_t a, uint32_t b) {
    const struct exe *exe = context;
    uint64_t x = exe->points.at[a]->runs, y = exe->points.at[b]->runs;
    return x != y ? x < y : a < b;
}

static struct strategy *new_exe(struct search_context *context, const struct expression *expression) {
    struct exe *exe = NEW(struct exe);
    struct expression dfs = {.class = &strategy_dfs};
    exe->depth_first = strategy_new(context, &dfs);
    exe->waiting.less = run_less;
    exe->waiting.context = exe;
    return &exe->base;
}

static void free_exe(struct strategy *strategy) {
    struct exe *exe = (struct exe *)strategy;
    vec_each (struct exe_point *, point, &exe->points) {
        for (struct exe_entry *next, *entry = (*point)->ends.after; entry != &(*point)->ends; entry = next) {
            next = entry->after;
            DELETE(entry);
        }
        DELETE(*point);
    }
    vec_free(&exe->points);
    queue_free(&exe->waiting);
    map_free(&exe->entries);
    strategy_free(exe->depth_first);
    DELETE(exe);
}

static struct exe_entry *entry_of(const struct exe *exe, const struct state *state) {
    uint64_t *entry = state ? map_get(&exe->entries, state->number) : NULL;
    return entry ? (struct exe_entry *)(uintptr_t)*entry : NULL; // NOLINT(performance-no-int-to-ptr)
}

static void put_at_block(struct exe *exe, struct exe_entry *entry) {
    uint32_t number = entry->block = search_state_block(entry->state);
    while (exe->points.count <= number) {
        struct exe_point *point = NEW(struct exe_point);
        point->ends.before = point->ends.after = &point->ends;
        vec_push(&exe->points, point);
    }
    struct exe_point *point = exe->points.at[number];
    entry->before = point->ends.before;
    entry->after = &point->ends;
    entry->before->after = entry->after->before = entry;
    if (!queue_has(&exe->waiting, number)) queue_add(&exe->waiting, number);
}

static void take_from_block(struct exe *exe, struct exe_entry *entry) {
    struct exe_point *point = exe->points.at[entry->block];
    entry->before->after = entry->after;
    entry->after->before = entry->before;
    if (point->ends.after == &point->ends) queue_remove(&exe->waiting, entry->block);
}

static void join_family(struct exe *exe, struct exe_entry *entry, const struct state *parent) {
    entry->family = true;
    exe->family++;
    strategy_add(exe->depth_first, entry->state, parent);
}

static void leave_family(struct exe *exe, struct exe_entry *entry) {
    if (!entry->family) return;
    entry->family = false;
    exe->family--;
    strategy_remove(exe->depth_first, entry->state);
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct exe *exe = (struct exe *)strategy;
    struct exe_entry *entry = NEW(struct exe_entry), *from = entry_of(exe, parent);
    entry->state = state;
    *map_put(&exe->entries, state->number) = (uint64_t)(uintptr_t)entry;
    put_at_block(exe, entry);
    if (from && from->family) join_family(exe, entry, parent);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct exe *exe = (struct exe *)strategy;
    struct exe_entry *entry = entry_of(exe, state);
    leave_family(exe, entry);
    take_from_block(exe, entry);
    map_remove(&exe->entries, state->number);
    DELETE(entry);
}

static struct state *pick(struct strategy *strategy) {
    struct exe *exe = (struct exe *)strategy;
    if (!exe->family || !exe->left) {
        while (exe->family) leave_family(exe, entry_of(exe, strategy_pick(exe->depth_first)));
        join_family(exe, exe->points.at[queue_first(&exe->waiting)]->ends.before, NULL);
        exe->left = FAMILY_PICKS;
    }
    exe->left--;
    return strategy_pick(exe->depth_first);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct exe *exe = (struct exe *)strategy;
    if (step->revived) return;
    struct exe_entry *entry = entry_of(exe, step->state);
    uint32_t from = entry->block;
    exe->points.at[from]->runs++;
    take_from_block(exe, entry);
    if (queue_has(&exe->waiting, from)) queue_update(&exe->waiting, from);
    put_at_block(exe, entry);
}

const struct strategy_class strategy_exe = {
    .name = "exe",
    .arguments = "",
    .help =
        "Best first: the state at the basic block from which states ran least often, then its descendants "
        "depth first for 64 picks.",
    .when =
        "For programs with input loops in which depth first alone would stay, when tests should come early.",
    .new = new_exe,
    .free = free_exe,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
