// Random traces of calls for every strategy of the table. Only held states are picked, feasible ones first if the
// strategy promises that. Equal seeds give equal picks, and all memory is freed at the end.
#include "../check.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "search/search_int.h"
#include "traces.h"

#include <stdio.h>

static bool any_feasible(const struct trace *trace) {
    for (uint32_t i = 0; i < trace->held.count; i++)
        if (!trace->held.at[i]->waiting.condition) return true;
    return false;
}

// Plays a trace; returns a hash of all picks.
static uint64_t play(const char *expression, uint64_t seed, bool pending, uint32_t calls) {
    struct trace trace;
    size_t before = mem_in_use();
    trace_start(&trace, expression, seed, pending);
    uint64_t picks = 0;
    for (uint32_t i = 0; i < calls; i++) {
        uint64_t dice = random_below(&trace.random, 10);
        if (!trace.held.count || dice < 2)
            trace_add(&trace);
        else if (dice < 4)
            trace_remove(&trace);
        else if (dice < 5)
            trace_add_again(&trace);
        if (!trace.held.count) continue;
        bool feasible = any_feasible(&trace);
        struct state *expected = search_pick(trace.search); // some held state
        assert_true(trace_holds(&trace, expected));
        if (pending) assert_int_equal(!expected->waiting.condition, feasible);
        if (trace.held.count == 1) assert_ptr_equal(expected, trace.held.at[0]);
        assert_int_equal(search_count(trace.search), trace.held.count);
        assert_true(trace_holds(&trace, search_victim(trace.search)));
        struct state *picked = trace_pick(&trace);
        picks = hash_combine(picks, picked->number);
    }
    trace_end(&trace);
    assert_int_equal(mem_in_use(), before);
    return picks;
}

static void every_strategy(void **state) {
    const char *expression;
    for (uint32_t i = 0; (expression = sample_expression(i)); i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            uint64_t picks = play(expression, seed, false, 400);
            assert_int_equal(picks, play(expression, seed, false, 400));
        }
    assert_null(sample_expression(1000));
}

static void every_strategy_pending(void **state) {
    const char *expression;
    for (uint32_t i = 0; (expression = sample_expression(i)); i++) {
        if (strategy_classes[i]->pending) continue; // the strategy orders pending states itself
        for (uint64_t seed = 1; seed <= 10; seed++)
            assert_int_equal(play(expression, seed, true, 400), play(expression, seed, true, 400));
    }
    assert_int_equal(play("pending(rr(rp,dfs))", 7, true, 2000), play("pending(rr(rp,dfs))", 7, true, 2000));
}

// ---- single strategies

static void seeds_differ(void **state) {
    assert_int_not_equal(play("random", 1, false, 300), play("random", 2, false, 300));
}

// dfs-random: the running state or the one that it forked continues, with equal probability. The other one waits until
// the whole subtree is explored.
static void sides_at_random(void **state) {
    uint32_t parents = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct search_error error;
        struct search_options options = {.expression = "dfs-random", .random_seed = seed};
        struct search *search = search_new(&options, &error);
        struct state states[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};
        search_add(search, &states[0], NULL);
        search_add(search, &states[1], &states[0]);
        struct state *first = search_pick(search), *other = first == &states[0] ? &states[1] : &states[0];
        parents += first == &states[0];
        search_add(search, &states[2], first);
        search_add(search, &states[3], &states[2]);
        for (uint32_t i = 0; i < 3; i++) { // the subtree of `first`
            struct state *next = search_pick(search);
            assert_ptr_not_equal(next, other);
            search_remove(search, next);
        }
        search_remove(search, other);
        search_free(search);
    }
    assert_in_range(parents, 70, 130);
}

// Random path: the state that forked off first is picked half of the time, whatever the number of states on the other
// side.
static void random_path_is_by_tree(void **state) {
    struct search_error error;
    for (int pending = 0; pending < 2; pending++) {
        struct search_options options = {.expression = "rp", .random_seed = 3, .pending = pending};
        struct search *search = search_new(&options, &error);
        struct state states[101] = {{0}};
        uint32_t first = 0;
        for (uint32_t i = 0; i < 101; i++) { // the root forks all others, one after the other
            states[i].number = i;
            states[i].waiting.condition = pending && i > 0;
            search_add(search, &states[i], i ? &states[0] : NULL);
            search_note(search, &(struct search_step){.state = &states[0]});
        }
        if (pending) search_remove(search, &states[0]); // the others are now as deep in the tree as they were
        for (uint32_t i = 0; i < 1000; i++) first += search_pick(search) == &states[1];
        assert_in_range(first, 420, 580);
        for (uint32_t i = pending; i < 101; i++) search_remove(search, &states[i]);
        search_free(search);
    }
}

// Random path: states forked in one step, as by a switch, are picked with equal probability.
static void cases_are_alike(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "rp", .random_seed = 5};
    struct search *search = search_new(&options, &error);
    struct state states[64] = {{0}};
    uint32_t picked[64] = {0};
    for (uint32_t i = 0; i < 64; i++) {
        states[i].number = i;
        search_add(search, &states[i], i ? &states[0] : NULL);
    }
    search_note(search, &(struct search_step){.state = &states[0], .forked = 63});
    for (uint32_t i = 0; i < 64000; i++) picked[search_pick(search)->number]++;
    for (uint32_t i = 0; i < 64; i++) assert_in_range(picked[i], 850, 1150);
    for (uint32_t i = 0; i < 64; i++) search_remove(search, &states[i]);
    search_free(search);
}

// Fair: a side of a fork whose steps cost a hundred times as much is picked a hundred times less often, even after it
// has forked. The work of a removed state still counts.
static void fair_is_by_work(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "fair", .random_seed = 3};
    struct search *search = search_new(&options, &error);
    struct state states[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};
    uint64_t work[2] = {0};
    for (uint32_t i = 0; i < 2; i++) {
        search_add(search, &states[i], i ? &states[0] : NULL);
        search_note(search, &(struct search_step){.state = &states[0]});
    }
    for (uint32_t i = 0; i < 20000; i++) {
        struct state *picked = search_pick(search);
        bool expensive = picked->number > 0;
        uint64_t done = expensive ? 1000000 : 10000;
        work[expensive] += done;
        if (i == 5000) search_add(search, &states[2], &states[1]);
        if (i == 5000) search_add(search, &states[3], &states[1]);
        search_note(search, &(struct search_step){.state = picked, .work = done});
        if (i == 10000) search_remove(search, &states[2]);
    }
    assert_true(work[0] < work[1] + 2000000 && work[1] < work[0] + 2000000);
    for (uint32_t i = 0; i < 4; i++)
        if (i != 2) search_remove(search, &states[i]);
    search_free(search);
}

static void shares_of_work(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "share(dfs,bfs)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[2] = {{.number = 0}, {.number = 1}};
    uint64_t work[2] = {0};
    for (uint32_t i = 0; i < 2; i++) search_add(search, &states[i], NULL);
    for (uint32_t i = 0; i < 1000; i++) {
        struct state *picked = search_pick(search);
        uint64_t done = picked->number ? 900000 : 30000;
        work[picked->number] += done;
        search_note(search, &(struct search_step){.state = picked, .work = done});
    }
    assert_true(work[0] < work[1] + 1000000 && work[1] < work[0] + 1000000);
    for (uint32_t i = 0; i < 2; i++) search_remove(search, &states[i]);
    search_free(search);
}

// Fresh: a state that reached new code runs first, with the states that it forks from then on (its family), until the
// family's budget is used up. States that it forked before are not in the family.
static void new_code_first(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "fresh(bfs)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[3] = {{.number = 0}, {.number = 1}, {.number = 2}};
    search_add(search, &states[0], NULL);
    search_add(search, &states[1], &states[0]);
    shared_list_add(&states[1].coverage.fresh, 7);
    search_note(search, &(struct search_step){.state = &states[1], .fresh = 1, .work = 10});
    assert_ptr_equal(search_pick(search), &states[1]);
    states[2].coverage.fresh = shared_list_fork(states[1].coverage.fresh);
    search_add(search, &states[2], &states[1]);
    search_note(search, &(struct search_step){.state = &states[1], .forked = 1, .work = 1000000});
    assert_ptr_equal(search_pick(search), &states[1]); // it runs to its end,
    search_remove(search, &states[1]);
    assert_ptr_equal(search_pick(search), &states[2]); // then the state that it forked,
    search_note(search, &(struct search_step){.state = &states[2], .work = 10000000});
    assert_ptr_equal(search_pick(search), &states[0]); // then bfs
    search_remove(search, &states[0]);
    search_remove(search, &states[2]);
    for (uint32_t i = 1; i < 3; i++) shared_list_free(states[i].coverage.fresh);
    search_free(search);
}

// The family that found new code last runs first; in a family, the states run in the order of their forks.
static void newest_code_first(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "fresh(bfs)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[5] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}, {.number = 4}};
    for (uint32_t i = 0; i < 3; i++) search_add(search, &states[i], i ? &states[0] : NULL);
    for (uint32_t i = 1; i < 3; i++) {
        shared_list_add(&states[i].coverage.fresh, 7 + i);
        search_note(search, &(struct search_step){.state = &states[i], .fresh = 1, .work = 10});
        assert_ptr_equal(search_pick(search), &states[i]);
    }
    for (uint32_t i = 3; i < 5; i++) {
        states[i].coverage.fresh = shared_list_fork(states[2].coverage.fresh);
        search_add(search, &states[i], &states[2]);
    }
    search_note(search, &(struct search_step){.state = &states[2], .forked = 2, .work = 10});
    static const uint32_t order[] = {2, 3, 4, 1, 0};
    for (uint32_t i = 0; i < COUNT(order); i++) {
        assert_ptr_equal(search_pick(search), &states[order[i]]);
        search_remove(search, &states[order[i]]);
        shared_list_free(states[order[i]].coverage.fresh);
    }
    search_free(search);
}

// An edge of the same source code as a covered one, in another function, founds no family.
static void copies_are_not_new(void **state) {
    struct search_error error;
    struct ir_location locations[] = {{0}, {.line = 1}, {.line = 2}};
    uint32_t places[] = {1, 2};
    struct ir_block blocks[] = {{0, 1}, {1, 2}};
    struct ir_function functions[] = {
        {.blocks = blocks, .block_count = 2, .first_block = 0, .locations = places, .index = 0},
        {.blocks = blocks, .block_count = 2, .first_block = 2, .locations = places, .index = 1},
    };
    struct ir_edge edges[] = {{0, 1}, {2, 3}, {1, 0}};
    struct ir_program program = {.functions = functions,
                                 .function_count = COUNT(functions),
                                 .locations = locations,
                                 .location_count = COUNT(locations),
                                 .edges = edges,
                                 .edge_count = COUNT(edges),
                                 .block_count = 4};
    struct search_options options = {.expression = "fresh(bfs)", .random_seed = 1, .program = &program};
    struct search *search = search_new(&options, &error);
    struct state states[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};
    static const uint32_t first[] = {0, 1, 1,
                                     3}; // the state that is picked once this one has covered its edge
    for (uint32_t i = 0; i < COUNT(states); i++) search_add(search, &states[i], i ? &states[0] : NULL);
    for (uint32_t i = 1; i < COUNT(states); i++) {
        shared_list_add(&states[i].coverage.fresh, i - 1);
        search_note(search, &(struct search_step){.state = &states[i], .fresh = 1, .work = 10});
        assert_ptr_equal(search_pick(search), &states[first[i]]);
    }
    for (uint32_t i = 0; i < COUNT(states); i++) {
        search_remove(search, &states[i]);
        shared_list_free(states[i].coverage.fresh);
    }
    search_free(search);
}

static void depth_is_by_depth(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "depth", .random_seed = 3};
    struct search *search = search_new(&options, &error);
    struct state states[2] = {{.number = 0, .fork.depth = 1}, {.number = 1, .fork.depth = 9}};
    uint32_t deep = 0;
    for (uint32_t i = 0; i < 2; i++) search_add(search, &states[i], NULL);
    for (uint32_t i = 0; i < 1000; i++) deep += search_pick(search) == &states[1];
    assert_in_range(deep, 850, 950);
    states[0].fork.depth = 9; // it has forked in the meantime
    search_note(search, &(struct search_step){.state = &states[0]});
    for (uint32_t i = deep = 0; i < 1000; i++) deep += search_pick(search) == &states[1];
    assert_in_range(deep, 430, 570);
    for (uint32_t i = 0; i < 2; i++) search_remove(search, &states[i]);
    search_free(search);
}

static void turns(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "rr(dfs,bfs)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[3] = {{.number = 0}, {.number = 1}, {.number = 2}};
    for (uint32_t i = 0; i < 3; i++) search_add(search, &states[i], NULL);
    for (uint32_t i = 0; i < 10; i++) assert_ptr_equal(search_pick(search), &states[i % 2 ? 0 : 2]);
    for (uint32_t i = 0; i < 3; i++) search_remove(search, &states[i]);
    search_free(search);
}

// ph: after new code at instruction 1000 the first strategy has until 3000.
static void phases_switch(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "ph(dfs,bfs,3)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[2] = {{.number = 0}, {.number = 1}};
    for (uint32_t i = 0; i < 2; i++) search_add(search, &states[i], NULL);
    search_note(search, &(struct search_step){.state = &states[1], .instructions = 1000, .fresh = 1});
    search_note(search, &(struct search_step){.state = &states[1], .instructions = 2000});
    assert_ptr_equal(search_pick(search), &states[1]);
    search_note(search, &(struct search_step){.state = &states[1], .instructions = 1});
    assert_ptr_equal(search_pick(search), &states[0]);
    for (uint32_t i = 0; i < 2; i++) search_remove(search, &states[i]);
    search_free(search);
}

// sage: a run continues when it forks; then come the states forked by the run that covered most.
static void generations(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "sage", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[6] = {{0}};
    for (uint32_t i = 0; i < 6; i++) states[i].number = i;
    search_add(search, &states[0], NULL);
    assert_ptr_equal(search_pick(search), &states[0]);
    search_add(search, &states[1], &states[0]);
    search_add(search, &states[2], &states[0]);
    search_note(search, &(struct search_step){.state = &states[0], .forked = 2, .fresh = 5});
    assert_ptr_equal(search_pick(search), &states[0]);
    search_remove(search, &states[0]);
    for (uint32_t i = 1; i < 3; i++) { // runs two states of the first generation; the second covers more
        assert_ptr_equal(search_pick(search), &states[i]);
        search_add(search, &states[2 + i], &states[i]);
        search_note(search, &(struct search_step){.state = &states[i], .forked = 1, .fresh = i});
        search_remove(search, &states[i]);
    }
    assert_ptr_equal(search_pick(search), &states[4]);
    search_remove(search, &states[4]);
    assert_ptr_equal(search_pick(search), &states[3]);
    search_remove(search, &states[3]);
    search_free(search);
}

static void batches(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "batch(dfs,1000)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[2] = {{.number = 0}, {.number = 1}};
    search_add(search, &states[0], NULL);
    assert_ptr_equal(search_pick(search), &states[0]);
    search_add(search, &states[1], &states[0]);
    search_note(search, &(struct search_step){.state = &states[0], .instructions = 900, .forked = 1});
    assert_ptr_equal(search_pick(search), &states[0]);
    search_note(search, &(struct search_step){.state = &states[0], .instructions = 900});
    assert_ptr_equal(search_pick(search), &states[1]);
    for (uint32_t i = 0; i < 2; i++) search_remove(search, &states[i]);
    search_free(search);
}

// zesti: of the branches not taken, picks the one nearest before a dangerous operation. Its descendants run up to the
// bound, and beyond it only when no other branch is left.
static void around_dangers(void **state) {
    struct search_error error;
    struct search_options options = {.expression = "zesti(2)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[5] = {{0}}, *path = &states[0];
    for (uint32_t i = 0; i < 5; i++) states[i].number = i;
    search_add(search, path, NULL);
    // Three branches not taken; after the second comes a dangerous operation.
    for (uint32_t i = 1; i < 4; i++) {
        assert_ptr_equal(search_pick(search), path);
        states[i].fork.depth = ++path->fork.depth;
        states[i].waiting.condition = 1;
        search_add(search, &states[i], path);
        search_note(search, &(struct search_step){.state = path, .forked = 1, .dangerous = i == 3});
    }
    search_note(search, &(struct search_step){.state = path, .ended = true});
    search_remove(search, path);
    assert_ptr_equal(search_pick(search), &states[2]);
    states[2].waiting.condition = 0;
    search_note(search, &(struct search_step){.state = &states[2], .revived = true});
    assert_ptr_equal(search_pick(search), &states[2]);
    states[2].fork.depth += 3; // beyond the bound
    search_note(search, &(struct search_step){.state = &states[2]});
    assert_ptr_equal(search_pick(search), &states[1]);
    search_remove(search, &states[1]);
    assert_ptr_equal(search_pick(search), &states[3]); // no dangerous operation came after it
    search_remove(search, &states[3]);
    assert_ptr_equal(search_pick(search), &states[2]);
    search_remove(search, &states[2]);
    search_free(search);
}

// oasis-runs: after a run come the states that it forked, by class: dangerous and changed, dangerous, changed, others;
// then the states forked while these ran, the earliest first.
static void run_by_run(void **state) {
    static const uint8_t classes[] = {
        0, 0, CHOICE_CHANGED, CHOICE_DANGEROUS, CHOICE_DANGEROUS | CHOICE_CHANGED, CHOICE_CHANGED, 0};
    static const uint32_t expected[] = {4, 3, 2, 5, 1, 6};
    struct search_error error;
    struct search_options options = {.expression = "oasis-runs(100)", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[9] = {{0}}, *path = &states[0];
    for (uint32_t i = 0; i < 9; i++) states[i].number = i;
    search_add(search, path, NULL);
    for (uint32_t i = 1; i < COUNT(classes); i++) {
        assert_ptr_equal(search_pick(search), path); // it runs to its end
        states[i].fork.class = classes[i];
        states[i].waiting.condition = i % 2; // whether it is known to be feasible does not matter
        search_add(search, &states[i], path);
        search_note(search, &(struct search_step){.state = path, .forked = 1});
    }
    search_remove(search, path);
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        struct state *next = &states[expected[i]];
        assert_ptr_equal(search_pick(search), next);
        if (next->waiting.condition) {
            next->waiting.condition = 0;
            search_note(search, &(struct search_step){.state = next, .revived = true});
            assert_ptr_equal(search_pick(search), next);
        }
        if (i < 2) { // the second one forks a state of a higher class, which must still wait its turn
            states[7 + i].fork.class = i ? CHOICE_DANGEROUS | CHOICE_CHANGED : 0;
            search_add(search, &states[7 + i], next);
            search_note(search, &(struct search_step){.state = next, .forked = 1});
        }
        search_remove(search, next);
    }
    assert_ptr_equal(search_pick(search), &states[7]);
    states[7].instructions = 101; // beyond the limit: it comes after the others
    search_note(search, &(struct search_step){.state = &states[7]});
    assert_ptr_equal(search_pick(search), &states[8]);
    search_remove(search, &states[8]);
    assert_ptr_equal(search_pick(search), &states[7]);
    search_remove(search, &states[7]);
    search_free(search);
}

// oasis: of the states of all runs, those of changed code come first, whichever run forked them.
static void changed_code_of_all_runs(void **state) {
    static const uint8_t classes[] = {0,
                                      0,
                                      CHOICE_CHANGED,
                                      CHOICE_DANGEROUS,
                                      CHOICE_DANGEROUS | CHOICE_CHANGED,
                                      CHOICE_CHANGED,
                                      0,
                                      0,
                                      CHOICE_CHANGED,
                                      CHOICE_DANGEROUS | CHOICE_CHANGED};
    // 4 forks 7, 2 forks 8, which comes after 5, and 8 forks 9, which comes at once.
    static const uint32_t expected[] = {4, 2, 5, 8, 9, 3, 1, 6, 7};
    static const uint32_t forks[COUNT(classes)] = {[4] = 7, [2] = 8, [8] = 9};
    struct search_error error;
    struct search_options options = {.expression = "oasis", .random_seed = 1};
    struct search *search = search_new(&options, &error);
    struct state states[COUNT(classes)] = {{0}};
    for (uint32_t i = 0; i < COUNT(classes); i++) {
        states[i].number = i;
        states[i].fork.class = classes[i];
    }
    search_add(search, &states[0], NULL);
    for (uint32_t i = 1; i < 7; i++) {
        search_add(search, &states[i], &states[0]);
        search_note(search, &(struct search_step){.state = &states[0], .forked = 1});
    }
    search_remove(search, &states[0]);
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        uint32_t number = expected[i];
        assert_ptr_equal(search_pick(search), &states[number]);
        if (forks[number]) {
            search_add(search, &states[forks[number]], &states[number]);
            search_note(search, &(struct search_step){.state = &states[number], .forked = 1});
        }
        search_remove(search, &states[number]);
    }
    search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy),
        cmocka_unit_test(every_strategy_pending),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(sides_at_random),
        cmocka_unit_test(random_path_is_by_tree),
        cmocka_unit_test(cases_are_alike),
        cmocka_unit_test(fair_is_by_work),
        cmocka_unit_test(shares_of_work),
        cmocka_unit_test(new_code_first),
        cmocka_unit_test(newest_code_first),
        cmocka_unit_test(copies_are_not_new),
        cmocka_unit_test(depth_is_by_depth),
        cmocka_unit_test(turns),
        cmocka_unit_test(phases_switch),
        cmocka_unit_test(generations),
        cmocka_unit_test(batches),
        cmocka_unit_test(around_dangers),
        cmocka_unit_test(run_by_run),
        cmocka_unit_test(changed_code_of_all_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
