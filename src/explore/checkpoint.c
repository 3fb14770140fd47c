#include "explore/checkpoint.h"

#include "explore/explore_int.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x746d7235u // "tmr5"

// ---- writing

static void put(struct text *to, uint64_t value) { text_add_bytes(to, &value, sizeof value); }

static void put_bytes(struct text *to, const void *bytes, size_t size) {
    put(to, size);
    if (size) text_add_bytes(to, bytes, size);
}

// Most states of the frontier are neighbours in the tree of paths: of their sequences only what differs from the last state's
// is written.
enum sequence { DECISIONS, AGAIN, FRESH, SEQUENCES };

struct frontier {
    struct text *to;
    vec(uint32_t) last[SEQUENCES];
    struct trail trail[SEQUENCES]; // whose decisions these are; empty: of no trail
};

// `values` are those behind the first `known` ones, which are the last state's, too.
static void put_rest(struct frontier *frontier, enum sequence which, uint32_t known, const uint32_t *values,
                     uint32_t count) {
    uint32_t same = 0, most = MIN(count, frontier->last[which].count - known);
    while (same < most && values[same] == frontier->last[which].at[known + same]) same++;
    put(frontier->to, known + same);
    put_bytes(frontier->to, values + same, (count - same) * sizeof *values);
    frontier->last[which].count = known + same;
    for (uint32_t i = same; i < count; i++) vec_push(&frontier->last[which], values[i]);
}

static void put_trail(struct frontier *frontier, enum sequence which, struct trail trail) {
    uint32_t known = trail_shared(frontier->trail[which], trail), count = trail_count(trail) - known;
    uint32_t *values = NEW_ARRAY(uint32_t, count);
    trail_copy_from(trail, known, values);
    put_rest(frontier, which, known, values, count);
    frontier->trail[which] = trail;
    DELETE_ARRAY(values, count);
}

static void put_sequence(struct frontier *frontier, enum sequence which, const uint32_t *values,
                         uint32_t count) {
    put_rest(frontier, which, 0, values, count);
    frontier->trail[which] = (struct trail){0};
}

static void put_site(struct text *to, const struct sites *sites, uint32_t number) {
    vec(uint32_t) chain = {0};
    while (number) {
        struct site site = site_get(sites, number);
        vec_push(&chain, site.function);
        vec_push(&chain, site.instruction);
        number = site.caller;
    }
    put_bytes(to, chain.at, chain.count * sizeof *chain.at);
    vec_free(&chain);
}

static void put_id(struct text *to, struct input_id id) {
    put(to, (uint64_t)id.kind << 1 | id.is_length);
    put(to, id.index);
    put_bytes(to, id.name, id.name_length);
}

static void put_input(struct text *to, struct explore *explore, const struct state *state, uint32_t input) {
    uint32_t size = state_inputs_size(&state->inputs, input);
    put_id(to, inputs_id(vm_inputs(explore->vm), input));
    uint8_t *bytes = NEW_ARRAY(uint8_t, size);
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = path_byte(state->path, terms_input_var(explore->terms, input, i));
    put_bytes(to, bytes, size);
    DELETE_ARRAY(bytes, size);
}

static void put_state(struct frontier *frontier, struct explore *explore, const struct state *state) {
    struct text *to = frontier->to;
    bool again = state->again.chunk && state->again_at == trail_count(state->trail);
    put(to, state->environment);
    put(to, state->depth);
    put(to, state->number);
    put(to, state->instructions);
    put(to, state->progress);
    put(to, state->incomplete);
    put(to, state->pending != 0);
    put(to, state->pending_edge);
    put(to, state->pending_choice);
    put_trail(frontier, DECISIONS, state->trail);
    put_trail(frontier, AGAIN, again ? state->again : (struct trail){0});
    put_trail(frontier, FRESH, state->fresh);
    uint32_t count = state_inputs_count(&state->inputs), *inputs = NEW_ARRAY(uint32_t, count);
    state_inputs_copy(&state->inputs, inputs);
    put(to, count);
    for (uint32_t i = 0; i < count; i++) put_input(to, explore, state, inputs[i]);
    DELETE_ARRAY(inputs, count);
}

static void put_entry(struct frontier *frontier, const struct frontier_entry *entry) {
    struct text *to = frontier->to;
    put(to, entry->environment);
    put(to, entry->depth);
    put(to, entry->number);
    put(to, entry->instructions);
    put(to, entry->progress);
    put(to, entry->incomplete);
    put(to, entry->pending);
    put(to, entry->pending_edge);
    put(to, entry->pending_choice);
    put_sequence(frontier, DECISIONS, entry->decisions, entry->decision_count);
    put_sequence(frontier, AGAIN, entry->again, entry->again_count);
    put_sequence(frontier, FRESH, entry->fresh, entry->fresh_count);
    put(to, entry->input_count);
    for (uint32_t i = 0; i < entry->input_count; i++) {
        put_id(to, entry->inputs[i].id);
        put_bytes(to, entry->inputs[i].bytes, entry->inputs[i].size);
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t x = (*(struct state *const *)a)->number, y = (*(struct state *const *)b)->number;
    return (x > y) - (x < y);
}

// Every state that is alive, in the order of making, which has neighbours together; of one that is still being rebuilt, the states
// that it stands for.
static void put_frontier(struct text *to, struct explore *explore) {
    uint32_t live, count = 0;
    struct state *const *all = vm_live(explore->vm, &live), **states = NEW_ARRAY(struct state *, live);
    if (live) {
        memcpy(states, all, live * sizeof(struct state *));
        qsort(states, live, sizeof(struct state *), by_number);
    }
    size_t place = to->count;
    struct frontier frontier = {.to = to};
    put(to, 0);
    for (uint32_t i = 0; i < live; i++) {
        const struct frontier_entry *entries;
        if (states[i]->trial) continue; // the backward search begins anew
        uint32_t hidden = guided_entries(explore, states[i], &entries);
        for (uint32_t k = 0; k < hidden; k++) put_entry(&frontier, &entries[k]);
        if (!hidden) put_state(&frontier, explore, states[i]);
        count += hidden ? hidden : 1;
    }
    for (unsigned i = 0; i < SEQUENCES; i++) vec_free(&frontier.last[i]);
    DELETE_ARRAY(states, live);
    uint64_t total = count;
    memcpy(to->at + place, &total, sizeof total);
}

void explore_checkpoint(struct explore *explore, struct text *to) {
    const struct ir_program *program = explore->program;
    const struct explore_result *result = explore_result(explore);
    const struct sites *sites = vm_sites(explore->vm);
    put(to, MAGIC);
    put_bytes(to, result, sizeof *result);
    put_bytes(to, solver_statistics(explore->solver), sizeof(struct solver_counters));
    put_bytes(to, vm_counters(explore->vm), sizeof(struct symbolic_counters));
    put_bytes(to, explore->claimed, program->edge_count + program->function_count);
    put_bytes(to, vm_edges_seen(explore->vm), program->edge_count);
    put_bytes(to, vm_edges_decided(explore->vm), program->edge_count);
    put_bytes(to, vm_put_off(explore->vm), program->block_count * sizeof(uint32_t));
    put_bytes(to, vm_functions_seen(explore->vm), program->function_count);
    put(to, explore->bugs.count);
    vec_each (struct found_bug, bug, &explore->bugs) {
        put_bytes(to, bug, sizeof *bug);
        put_site(to, sites, bug->site);
        put_site(to, sites, bug->place);
        put_site(to, sites, bug->allocated_at);
        put_site(to, sites, bug->freed_at);
        put_bytes(to, bug->message, strlen(bug->message) + 1);
    }
    put(to, explore->ledger.entries.count);
    vec_each (struct given_up, one, &explore->ledger.entries) {
        put_bytes(to, one->what, strlen(one->what) + 1);
        put_site(to, sites, one->site);
        put(to, one->count);
        put(to, one->lost);
    }
    put_frontier(to, explore);
    put(to, MAGIC);
}

// ---- reading

struct reader {
    struct arena *arena;
    const char *at, *end;
    uint32_t blocks; // of the program
    bool damaged;
    struct {
        const uint32_t *at;
        uint32_t count;
    } last[SEQUENCES];
};

static uint64_t get(struct reader *reader) {
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < sizeof value) {
        reader->damaged = true;
        return 0;
    }
    memcpy(&value, reader->at, sizeof value);
    reader->at += sizeof value;
    return value;
}

// Where they lie.
static const char *get_raw(struct reader *reader, size_t *size) {
    *size = get(reader);
    if (*size > (size_t)(reader->end - reader->at)) {
        reader->damaged = true;
        *size = 0;
    }
    const char *bytes = reader->at;
    reader->at += *size;
    return bytes;
}

// A copy in the arena, aligned, with a NUL behind it.
static const void *get_bytes(struct reader *reader, size_t *size) {
    const char *raw = get_raw(reader, size);
    char *bytes = arena_alloc(reader->arena, *size + 8);
    if (*size) memcpy(bytes, raw, *size);
    return bytes;
}

static const void *get_exactly(struct reader *reader, size_t size) {
    size_t found;
    const void *bytes = get_bytes(reader, &found);
    if (found == size) return bytes;
    reader->damaged = true;
    return arena_alloc(reader->arena, size + 8);
}

static const uint32_t *get_numbers(struct reader *reader, uint32_t *count) {
    size_t size;
    const uint32_t *numbers = get_bytes(reader, &size);
    *count = (uint32_t)(size / sizeof *numbers);
    return numbers;
}

static const uint32_t *get_sequence(struct reader *reader, enum sequence which, uint32_t *count) {
    size_t size;
    uint64_t common = get(reader);
    if (common > reader->last[which].count) {
        reader->damaged = true;
        common = 0;
    }
    const char *rest = get_raw(reader, &size);
    uint32_t *numbers = ARENA_ARRAY(reader->arena, uint32_t, common + size / sizeof *numbers);
    *count = (uint32_t)(common + size / sizeof *numbers);
    if (common) memcpy(numbers, reader->last[which].at, common * sizeof *numbers);
    if (*count > common) memcpy(numbers + common, rest, (*count - common) * sizeof *numbers);
    reader->last[which].at = numbers;
    reader->last[which].count = *count;
    return numbers;
}

// How many items of at least 8 bytes each follow.
static uint32_t get_count(struct reader *reader) {
    uint64_t count = get(reader);
    if (count <= (uint64_t)(reader->end - reader->at) / 8) return (uint32_t)count;
    reader->damaged = true;
    return 0;
}

static struct site_chain get_site(struct reader *reader) {
    struct site_chain chain;
    chain.at = get_numbers(reader, &chain.count);
    return chain;
}

static struct input_id get_id(struct reader *reader) {
    uint64_t kind = get(reader);
    struct input_id id = {.is_length = kind & 1, .index = (uint32_t)get(reader)};
    size_t length;
    id.name = get_bytes(reader, &length);
    id.name_length = (uint32_t)length;
    id.kind = (enum input_kind)MIN(kind >> 1, INPUT_KIND_COUNT);
    reader->damaged |= !input_is_valid(id);
    return id;
}

static void get_entry(struct reader *reader, struct frontier_entry *entry) {
    size_t size;
    entry->environment = (uint32_t)get(reader);
    entry->depth = (uint32_t)get(reader);
    entry->number = get(reader);
    entry->instructions = get(reader);
    entry->progress = (uint32_t)get(reader);
    entry->incomplete = get(reader);
    entry->pending = get(reader);
    entry->pending_edge = (uint32_t)get(reader);
    entry->pending_choice = (uint32_t)get(reader);
    reader->damaged |= entry->pending_choice > reader->blocks;
    entry->decisions = get_sequence(reader, DECISIONS, &entry->decision_count);
    entry->again = get_sequence(reader, AGAIN, &entry->again_count);
    entry->fresh = get_sequence(reader, FRESH, &entry->fresh_count);
    entry->input_count = get_count(reader);
    struct frontier_input *inputs = ARENA_ARRAY(reader->arena, struct frontier_input, entry->input_count);
    for (uint32_t i = 0; i < entry->input_count; i++) {
        inputs[i].id = get_id(reader);
        inputs[i].bytes = get_bytes(reader, &size);
        inputs[i].size = (uint32_t)size;
    }
    entry->inputs = inputs;
}

static int compare_entries(const void *a, const void *b) {
    const struct frontier_entry *x = a, *y = b;
    if (x->environment != y->environment) return x->environment < y->environment ? -1 : 1;
    for (uint32_t i = 0; i < x->decision_count && i < y->decision_count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    return (x->decision_count > y->decision_count) - (x->decision_count < y->decision_count);
}

static void get_findings(struct reader *reader, struct checkpoint *checkpoint) {
    size_t size;
    checkpoint->bug_count = get_count(reader);
    struct checkpoint_bug *bugs = ARENA_ARRAY(reader->arena, struct checkpoint_bug, checkpoint->bug_count);
    for (uint32_t i = 0; i < checkpoint->bug_count; i++) {
        bugs[i].bug = *(const struct found_bug *)get_exactly(reader, sizeof(struct found_bug));
        bugs[i].site = get_site(reader);
        bugs[i].place = get_site(reader);
        bugs[i].allocated = get_site(reader);
        bugs[i].freed = get_site(reader);
        bugs[i].bug.message = get_bytes(reader, &size);
    }
    checkpoint->bugs = bugs;
    checkpoint->given_up_count = get_count(reader);
    struct checkpoint_given_up *given_up =
        ARENA_ARRAY(reader->arena, struct checkpoint_given_up, checkpoint->given_up_count);
    for (uint32_t i = 0; i < checkpoint->given_up_count; i++) {
        given_up[i].what = get_bytes(reader, &size);
        given_up[i].site = get_site(reader);
        given_up[i].count = get(reader);
        given_up[i].lost = get(reader);
    }
    checkpoint->given_up = given_up;
}

const struct checkpoint *checkpoint_read(struct arena *arena, const char *bytes, size_t size,
                                         const struct ir_program *program) {
    struct reader reader = {.arena = arena, .at = bytes, .end = bytes + size, .blocks = program->block_count};
    struct checkpoint *checkpoint = ARENA_ARRAY(arena, struct checkpoint, 1);
    if (get(&reader) != MAGIC) return NULL;
    checkpoint->result = *(const struct explore_result *)get_exactly(&reader, sizeof(struct explore_result));
    checkpoint->solver =
        *(const struct solver_counters *)get_exactly(&reader, sizeof(struct solver_counters));
    checkpoint->counts =
        *(const struct symbolic_counters *)get_exactly(&reader, sizeof(struct symbolic_counters));
    checkpoint->claimed = get_exactly(&reader, program->edge_count + program->function_count);
    checkpoint->edges_seen = get_exactly(&reader, program->edge_count);
    checkpoint->edges_decided = get_exactly(&reader, program->edge_count);
    checkpoint->put_off = get_exactly(&reader, program->block_count * sizeof(uint32_t));
    checkpoint->functions_seen = get_exactly(&reader, program->function_count);
    get_findings(&reader, checkpoint);
    checkpoint->entry_count = get_count(&reader);
    checkpoint->entries = ARENA_ARRAY(arena, struct frontier_entry, checkpoint->entry_count);
    for (uint32_t i = 0; i < checkpoint->entry_count && !reader.damaged; i++)
        get_entry(&reader, &checkpoint->entries[i]);
    if (get(&reader) != MAGIC || reader.damaged) return NULL;
    if (checkpoint->entry_count)
        qsort(checkpoint->entries, checkpoint->entry_count, sizeof *checkpoint->entries, compare_entries);
    return checkpoint;
}
