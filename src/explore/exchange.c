// Transfer of states to and from another exploration.
#include "explore/explore_int.h"
#include "explore/frontier.h"

#include <math.h>
#include <stdlib.h>

// ---- giving

// Orders states by the cost of rebuilding: all instructions of a state's path are executed again. A state with few
// instructions usually has few decisions, and a large unexplored subtree.
static int by_cost(const void *a, const void *b) {
    const struct state *x = *(struct state *const *)a, *y = *(struct state *const *)b;
    if (x->instructions != y->instructions) return x->instructions < y->instructions ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool may_be_given(const struct state *state) {
    return !state->seed.list && !state->start.is_late_seed && !state->speculation.is_on;
}

// Subtracts the entries from vm_pending_per_block: the other exploration decides the branches that they wait for.
static void uncount_pending(struct explore *explore, const struct state *state, uint32_t count) {
    const struct frontier_entry *entries;
    uint32_t all = resume_entries(explore, state, &entries);
    if (!all) vm_pending_decided(explore->vm, state->waiting.block);
    assert(all ? count <= all : count == 1);
    for (uint32_t i = all - count; all && i < all; i++)
        vm_pending_decided(explore->vm, entries[i].pending_block);
}

// Returns the estimated work of a state, or of the entries that it represents: in a tree in which each fork has two
// equal sides, a state at depth d has 2^-d of the work. Depths are relative to `depth`.
static double work_of(const struct explore *explore, const struct state *state, uint32_t depth) {
    const struct frontier_entry *entries;
    uint32_t count = resume_entries(explore, state, &entries);
    if (!count) return ldexp(1, -(int)MIN(state->fork.depth - MIN(depth, state->fork.depth), 1000));
    double work = 0;
    for (uint32_t i = 0; i < count; i++)
        work += ldexp(1, -(int)MIN(entries[i].depth - MIN(depth, entries[i].depth), 1000));
    return work;
}

// Returns the number of states, from the start of the sorted list, that have about half of the work; between `least`
// and `most`.
static uint32_t half_of_work(const struct explore *explore, struct state *const *states, uint32_t count,
                             uint32_t least, uint32_t most) {
    uint32_t depth = UINT32_MAX, given = 0;
    for (uint32_t i = 0; i < count; i++) depth = MIN(depth, states[i]->fork.depth);
    double all = 0, work = 0;
    for (uint32_t i = 0; i < count; i++) all += work_of(explore, states[i], depth);
    for (uint32_t i = 0; i < count && given < most && (work < all / 2 || given < least); i++) {
        if (!may_be_given(states[i])) continue;
        work += work_of(explore, states[i], depth);
        given += resume_represented_states(explore, states[i]);
    }
    return MIN(given, most);
}

uint32_t exchange_give_states(struct explore *explore, uint32_t least, uint32_t most,
                              struct message_writer *stream) {
    assert(!explore->running && least <= most);
    struct arena *arena = arena_new();
    struct frontier_writer *writer = frontier_writer_new(explore, stream);
    uint32_t count, given = 0;
    struct state **states = checkpoint_live_states(explore, arena, &count);
    if (count) qsort(states, count, sizeof *states, by_cost);
    most = half_of_work(explore, states, count, least, most);
    for (uint32_t i = 0; i < count && given < most; i++) {
        if (!may_be_given(states[i])) continue;
        uint32_t written = frontier_write(writer, states[i], most - given);
        assert(written > 0 && written <= most - given);
        uncount_pending(explore, states[i], written);
        given += written;
        if (!resume_shorten(explore, states[i], written)) explore_drop_state(explore, states[i]);
    }
    assert(given <= most);
    explore->result.counts.given += given;
    frontier_writer_free(writer);
    arena_free(arena);
    return given;
}

uint32_t explore_give(struct explore *explore, uint32_t most, struct text *to) {
    struct message_writer *stream = message_writer_new(to);
    uint32_t given = exchange_give_states(explore, most, most, stream);
    message_writer_end(stream);
    return given;
}

// ---- taking

struct taken {
    struct frontier_entry *at;
    uint32_t count, capacity;
};

static const char *problem_of(const struct explore *explore, const struct message *message) {
    if (message->kind != MESSAGE_FRONTIER) return "it has other messages than entries of a frontier";
    if (message->frontier_entry->environment >= explore->options.environment_count)
        return "it has a command line that this exploration does not have";
    return frontier_problem(explore->program, message->frontier_entry);
}

static bool read_entries(const struct explore *explore, struct message_reader *reader, struct taken *taken,
                         struct text *problem) {
    struct message message;
    enum message_status status;
    while ((status = message_read(reader, &message)) == MESSAGE_READ) {
        const char *wrong = problem_of(explore, &message);
        if (wrong) {
            text_add(problem, "%s", wrong);
            return false;
        }
        vec_push(taken, *message.frontier_entry);
    }
    if (status == MESSAGE_REFUSED) text_add(problem, "%s", message_problem(reader));
    return status == MESSAGE_END;
}

void exchange_take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t taken,
                           struct arena *arena) {
    assert(!explore->running && taken);
    frontier_sort(entries, taken);
    for (uint32_t i = 0; i < taken; i++) vm_defer(explore->vm, entries[i].pending_block);
    resume_add(explore, entries, taken, arena);
    explore->result.counts.taken += taken;
}

bool explore_take(struct explore *explore, const void *bytes, size_t size, struct text *problem) {
    assert(!explore->running);
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, bytes, size);
    struct taken taken = {0};
    bool good = read_entries(explore, reader, &taken, problem);
    message_reader_free(reader);
    if (good && taken.count)
        exchange_take_entries(explore, arena_memdup(arena, taken.at, taken.count * sizeof *taken.at),
                              taken.count, arena);
    else
        arena_free(arena);
    vec_free(&taken);
    return good;
}
