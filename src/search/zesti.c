// zesti: search around seeds, after ZESTI. After the paths of the seeds, pending states are taken in the
// order of their distance (in forks) to the next dangerous operation on the seed's path. Each is explored up
// to a bound of further forks.
//
// Generations keep the search close to the seeds: the pending states of the seeds' paths come first, then those
// forked after one revived state, then after two. Without generations the search would stay at the far end of a path,
// where each revived state leaves others that are as near to a dangerous operation.
#include "base/hash.h"
#include "base/vec.h"
#include "search/queue.h"
#include "search/search_int.h"

#define BOUND 4.0 // forks after the last revived state

enum zesti_kind { READY, LATE, PENDING }; // LATE: feasible, but too many forks after the revived state

struct zesti_entry {
    struct state *state;
    uint32_t slot;
    enum zesti_kind kind;
    uint32_t generation; // number of revived states on its path
    uint32_t limit; // most forks of a state that is not LATE: those of the last revived state, plus the bound
    uint32_t depth; // forks when it was put into its queue
    uint32_t distance; // forks from a pending state to a dangerous operation; UINT32_MAX: none came after it
    vec(uint64_t) before; // pending states (numbers) forked since the last dangerous operation
    vec(uint64_t) recent; // pending states forked in the current step
};

struct zesti {
    struct strategy base;
    struct strategy *ready;
    uint32_t ready_count;
    struct number_queue late, pending; // slots
    vec(struct zesti_entry *) entries; // by slot; NULL: free
    vec(uint32_t) free_slots;
    struct map slots; // state number -> slot
    uint32_t bound;
};

static bool less_deep(const void *context, uint32_t a, uint32_t b) {
    const struct zesti *zesti = context;
    const struct zesti_entry *x = zesti->entries.at[a], *y = zesti->entries.at[b];
    if (x->generation != y->generation) return x->generation < y->generation;
    return x->depth != y->depth ? x->depth < y->depth : x->state->number < y->state->number;
}

static bool nearer(const void *context, uint32_t a, uint32_t b) {
    const struct zesti *zesti = context;
    const struct zesti_entry *x = zesti->entries.at[a], *y = zesti->entries.at[b];
    if (x->generation != y->generation) return x->generation < y->generation;
    if (x->distance != y->distance) return x->distance < y->distance;
    return x->depth != y->depth ? x->depth > y->depth : x->state->number < y->state->number;
}

static struct strategy *new_zesti(struct search_context *context, const struct expression *expression) {
    struct zesti *zesti = NEW(struct zesti);
    struct expression dfs = {.class = &strategy_dfs};
    zesti->ready = strategy_new(context, &dfs);
    zesti->late = (struct number_queue){.less = less_deep, .context = zesti};
    zesti->pending = (struct number_queue){.less = nearer, .context = zesti};
    zesti->bound = (uint32_t)MIN(parse_argument_number(expression, 0, BOUND), 1e9);
    return &zesti->base;
}

static void free_entry(struct zesti_entry *entry) {
    vec_free(&entry->before);
    vec_free(&entry->recent);
    DELETE(entry);
}

static void free_zesti(struct strategy *strategy) {
    struct zesti *zesti = (struct zesti *)strategy;
    vec_each (struct zesti_entry *, entry, &zesti->entries)
        if (*entry) free_entry(*entry);
    vec_free(&zesti->entries);
    vec_free(&zesti->free_slots);
    queue_free(&zesti->late);
    queue_free(&zesti->pending);
    map_free(&zesti->slots);
    strategy_free(zesti->ready);
    DELETE(zesti);
}

static struct zesti_entry *entry_of(const struct zesti *zesti, uint64_t number) {
    uint64_t *slot = map_get(&zesti->slots, number);
    return slot ? zesti->entries.at[*slot] : NULL;
}

static void put(struct zesti *zesti, struct zesti_entry *entry, enum zesti_kind kind) {
    entry->kind = kind;
    entry->depth = entry->state->fork.depth;
    switch (kind) {
    case READY:
        zesti->ready_count++;
        strategy_add(zesti->ready, entry->state, NULL);
        break;
    case LATE: queue_add(&zesti->late, entry->slot); break;
    case PENDING: queue_add(&zesti->pending, entry->slot); break;
    }
}

static void take(struct zesti *zesti, struct zesti_entry *entry) {
    switch (entry->kind) {
    case READY:
        zesti->ready_count--;
        strategy_remove(zesti->ready, entry->state);
        break;
    case LATE: queue_remove(&zesti->late, entry->slot); break;
    case PENDING: queue_remove(&zesti->pending, entry->slot); break;
    }
}

static void begin_divergence(const struct zesti *zesti, struct zesti_entry *entry) {
    entry->generation++;
    entry->limit = entry->state->fork.depth + zesti->bound;
}

// Sets generation, limit and distance of a new state. The failing side of an operation is at distance 0. Within the
// bound its generation is one lower, so that it is checked before other divergences.
static void set_generation(const struct zesti *zesti, struct zesti_entry *entry,
                           const struct zesti_entry *from) {
    const struct state *state = entry->state;
    entry->generation = from ? from->generation : 0;
    entry->limit = from ? from->limit : UINT32_MAX; // seeds are followed to their ends
    entry->distance = UINT32_MAX;
    if (from && from->limit == UINT32_MAX && !state->waiting.condition && !state->seed.list)
        begin_divergence(zesti, entry); // a cached answer showed that it is feasible
    if (!(state->fork.class & CHOICE_DANGEROUS)) return;
    entry->distance = 0;
    if (entry->generation && state->fork.depth <= entry->limit) entry->generation--;
}

static void add(struct strategy *strategy, struct state *state, const struct state *parent) {
    struct zesti *zesti = (struct zesti *)strategy;
    struct zesti_entry *entry = NEW(struct zesti_entry),
                       *from = parent ? entry_of(zesti, parent->number) : NULL;
    entry->state = state;
    set_generation(zesti, entry, from);
    if (zesti->free_slots.count) {
        entry->slot = vec_pop(&zesti->free_slots);
        zesti->entries.at[entry->slot] = entry;
    } else {
        entry->slot = zesti->entries.count;
        vec_push(&zesti->entries, entry);
    }
    *map_put(&zesti->slots, state->number) = entry->slot;
    put(zesti, entry, state->waiting.condition ? PENDING : READY);
    if (state->waiting.condition && from) vec_push(&from->recent, state->number);
}

static void remove_state(struct strategy *strategy, struct state *state) {
    struct zesti *zesti = (struct zesti *)strategy;
    struct zesti_entry *entry = entry_of(zesti, state->number);
    take(zesti, entry);
    map_remove(&zesti->slots, state->number);
    zesti->entries.at[entry->slot] = NULL;
    vec_push(&zesti->free_slots, entry->slot);
    free_entry(entry);
}

static const struct zesti_entry *first_of(const struct zesti *zesti, const struct number_queue *queue) {
    return queue->at.count ? zesti->entries.at[queue_first(queue)] : NULL;
}

static struct state *pick(struct strategy *strategy) {
    struct zesti *zesti = (struct zesti *)strategy;
    while (zesti->ready_count) {
        struct state *state = strategy_pick(zesti->ready);
        struct zesti_entry *entry = entry_of(zesti, state->number);
        if (state->fork.depth <= entry->limit) return state;
        take(zesti, entry);
        put(zesti, entry, LATE);
    }
    const struct zesti_entry *pending = first_of(zesti, &zesti->pending),
                             *late = first_of(zesti, &zesti->late);
    assert(pending || late);
    return (!late || (pending && pending->generation <= late->generation) ? pending : late)->state;
}

// Sets the distances of the pending states forked on this path before the dangerous operation just executed.
static void set_distances(struct zesti *zesti, struct zesti_entry *entry) {
    vec_each (uint64_t, number, &entry->before) {
        struct zesti_entry *other = entry_of(zesti, *number);
        if (!other || other->kind != PENDING) continue;
        other->distance =
            MIN(other->distance, entry->state->fork.depth - MIN(other->depth, entry->state->fork.depth));
        queue_update(&zesti->pending, other->slot);
    }
    vec_clear(&entry->before);
}

static void note(struct strategy *strategy, const struct search_step *step) {
    struct zesti *zesti = (struct zesti *)strategy;
    struct zesti_entry *entry = entry_of(zesti, step->state->number);
    if (step->revived) {
        take(zesti, entry);
        begin_divergence(zesti, entry);
        put(zesti, entry, READY);
        return;
    }
    if (step->dangerous) set_distances(zesti, entry);
    vec_each (uint64_t, number, &entry->recent) vec_push(&entry->before, *number);
    vec_clear(&entry->recent);
}

const struct strategy_class strategy_zesti = {
    .name = "zesti",
    .arguments = "N?",
    .usage = " or zesti(N)",
    .help = "Around seeds: after their paths, the pending states nearest to a dangerous "
            "operation, each for up to N further forks (4). Pending states of the seeds' paths "
            "come before those of later paths.",
    .when = "With --seeds, to look for bugs near the paths of existing tests.",
    .pending = true,
    .new = new_zesti,
    .free = free_zesti,
    .add = add,
    .remove = remove_state,
    .pick = pick,
    .note = note,
};
