// --max-memory limits the process. `memory_budget` is the part of that limit that the rest of the process (libraries,
// the program, SAT) leaves to states and terms. If they take more than `usable`, states are dropped. Free blocks of the
// allocator (base/alloc.c) take memory, too: each time the allocator's size exceeds `taken`, `usable` is lowered, to no
// less than half of `memory_budget`. These sizes are counted, not measured, so that the same run drops the same states.
//
// Two quantities are measured: the memory of the rest, rounded up to REST_GRAIN, and whether the process is near its
// limit. If it is, `usable` falls to no less than an eighth of `memory_budget`, and the run depends on the host.
#include "base/alloc.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "explore/explore_int.h"

#include <malloc.h>

#define REST_GRAIN ((uint64_t)16 << 20) // rounding of the measured rest, which varies a little between runs

// 1/RESERVE_PART of the limit is reserved for short peaks: a checkpoint, which is built in memory, and the circuits of
// one query.
#define RESERVE_PART 8u
// States and terms get at least 1/BUDGET_LEAST of the limit.
#define BUDGET_LEAST 16u

uint32_t explore_gate_limit(uint64_t limit) {
    return (uint32_t)MIN(limit / RESERVE_PART / BLAST_GATE_BYTES, (uint64_t)UINT32_MAX / 2);
}

// The memory limit of this process in bytes; 0: none.
static uint64_t explore_memory_limit(const struct explore *explore) {
    uint64_t limit = limits_memory();
    return limit ? limit : explore->options.max_memory;
}

void explore_set_memory_budget(struct explore *explore) {
    uint64_t limit = explore_memory_limit(explore), ours = mem_held();
    uint64_t all = limits_resident(), rest = all > ours ? all - ours : 0;
    rest = (rest / REST_GRAIN + 1) * REST_GRAIN;
    rest += limit / RESERVE_PART;
    explore->memory_budget = explore->usable = MAX(limit - MIN(limit, rest), limit / BUDGET_LEAST);
    explore->taken = explore->memory_budget - explore->memory_budget / 8;
    limits_set_share(limit ? explore->usable : 0);
}

static void drop_for_memory(struct explore *explore, struct state *victim) {
    if (!explore->result.counts.killed)
        user_warning("--max-memory is reached: states are dropped, so not every path will be explored");
    if (!victim->speculation.is_on) explore_note_dropped(explore, victim, END_MEMORY);
    explore_drop_state(explore, victim);
}

// Drops `wanted` states: checks pending states and drops the infeasible ones. If only `wanted` or fewer pending states
// are left, checks cannot help: then it drops hard states, and after them any states, at random.
static void free_states(struct explore *explore, uint64_t wanted) {
    while (wanted && search_pending_count(explore->search) > wanted && !explore_at_limit(explore))
        if (!explore_revive(explore, search_pending_victim(explore->search))) wanted--;
    for (struct state *victim; wanted; wanted--) {
        if (explore->hard.first < explore->hard.states.count)
            victim = explore->hard.states.at[explore->hard.first];
        else if (search_count(explore->search) > 1)
            victim = search_victim(explore->search);
        else
            break;
        assert(victim && victim != explore->running);
        drop_for_memory(explore, victim);
    }
}

void explore_evict_states(struct explore *explore) {
    if (!explore->memory_budget) return;
    if (mem_held() > explore->taken) {
        uint64_t now = MIN(explore->usable, mem_in_use());
        explore->usable = MAX(now - now / 16, explore->memory_budget / 2);
        explore->taken += explore->memory_budget / 64;
        assert(explore->usable <= explore->memory_budget);
    }
    if (limits_is_near() && !explore->was_near) { // memory that is not counted has grown: SAT, the C library
        uint64_t now = MIN(explore->usable, mem_in_use());
        explore->usable = MAX(now - now / 8, explore->memory_budget / 8);
        malloc_trim(0);
    }
    explore->was_near = limits_is_near();
    while (mem_in_use() > explore->usable &&
           (explore->result.counts.states > 1 || search_count(explore->search) > 1)) {
        vm_collect(explore->vm);
        free_states(explore, explore->result.counts.states / 10 + 1);
    }
    if (mem_in_use() > explore->memory_budget) terms_collect(explore->terms);
    if (mem_in_use() > explore->memory_budget &&
        search_count(explore->search) == 1) // this state alone exceeds the budget
        drop_for_memory(explore, search_victim(explore->search));
    limits_set_share(mem_in_use() > explore->usable ? explore->memory_budget : explore->usable);
}
