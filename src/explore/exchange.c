// Transfer of states to and from another exploration.
#include "explore/explore_int.h"
#include "explore/frontier.h"

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

// Returns how many of the first `count` states in the order of their costs are given, if `most` of `all` are. They are
// spread evenly: how much work is left below a state is not known, but states of similar cost have similar work on
// average. (The cheapest ones may have most of it, as in a balanced tree, or hardly any.)
static uint64_t given_of_first(uint64_t count, uint64_t most, uint64_t all) {
    assert(count <= all && most <= all);
    return (count * most + all - 1) / all;
}

uint32_t exchange_give_states(struct explore *explore, uint32_t most, struct message_writer *stream) {
    assert(!explore->running);
    struct arena *arena = arena_new();
    struct frontier_writer *writer = frontier_writer_new(explore, stream);
    uint32_t count, given = 0;
    uint64_t all = 0, passed = 0;
    struct state **states = checkpoint_live_states(explore, arena, &count);
    if (count) qsort(states, count, sizeof *states, by_cost);
    for (uint32_t i = 0; i < count; i++)
        if (may_be_given(states[i])) all += resume_represented_states(explore, states[i]);
    most = (uint32_t)MIN(most, all);
    for (uint32_t i = 0; i < count && given < most; i++) {
        if (!may_be_given(states[i])) continue;
        passed += resume_represented_states(explore, states[i]);
        uint32_t some = (uint32_t)given_of_first(passed, most, all) - given;
        if (!some) continue;
        uint32_t written = frontier_write(writer, states[i], some);
        assert(written == some);
        uncount_pending(explore, states[i], written);
        given += written;
        if (!resume_shorten(explore, states[i], written)) explore_drop_state(explore, states[i]);
    }
    assert(given == most);
    explore->result.counts.given += given;
    frontier_writer_free(writer);
    arena_free(arena);
    return given;
}

uint32_t explore_give(struct explore *explore, uint32_t most, struct text *to) {
    struct message_writer *stream = message_writer_new(to);
    uint32_t given = exchange_give_states(explore, most, stream);
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
