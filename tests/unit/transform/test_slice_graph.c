// The slicer's cuts: the graphs of the two motivating examples, and random graphs, on which the promises of each mode
// are checked by enumerating paths.
#include "../check.h"
#include "base/random.h"
#include "transform/slice_graph.h"

#include <string.h>

#define MOST_BLOCKS 8
#define MOST_EDGES  (2 * MOST_BLOCKS)

struct test_graph {
    uint32_t first[MOST_BLOCKS + 1], to[MOST_EDGES];
    bool cut[MOST_EDGES];
    struct slice_graph graph;
};

static void make(struct test_graph *g, uint32_t count) {
    memset(g->cut, 0, sizeof g->cut);
    g->graph = (struct slice_graph){count, g->first, g->to, g->cut, NULL};
}

// Returns the length of the longest acyclic path, with or without the cuts.
static uint32_t longest(const struct test_graph *g, uint32_t block, uint32_t seen, bool cuts) {
    uint32_t best = 0;
    bool sink = g->first[block] == g->first[block + 1];
    seen |= 1u << block;
    for (uint32_t e = g->first[block]; e < g->first[block + 1]; e++) {
        if (cuts && g->cut[e]) {
            sink = true;
        } else if (!(seen >> g->to[e] & 1)) {
            uint32_t rest = longest(g, g->to[e], seen, cuts);
            if (rest) best = rest > best ? rest : best;
        }
    }
    if (best) return best + 1;
    return sink ? 1 : 0; // 0: no path to an end
}

// Is there a walk of this many blocks over edges that are not cut?
static bool walk_of(const struct test_graph *g, uint32_t block, uint32_t blocks) {
    if (blocks <= 1) return true;
    for (uint32_t e = g->first[block]; e < g->first[block + 1]; e++)
        if (!g->cut[e] && walk_of(g, g->to[e], blocks - 1)) return true;
    return false;
}

// Does an acyclic path of two or more blocks lead to a sink without a cut?
static bool whole_path(const struct test_graph *g, uint32_t block, uint32_t seen) {
    if (g->first[block] == g->first[block + 1]) return seen != 0;
    for (uint32_t e = g->first[block]; e < g->first[block + 1]; e++)
        if (!g->cut[e] && !((seen | 1u << block) >> g->to[e] & 1) &&
            whole_path(g, g->to[e], seen | 1u << block))
            return true;
    return false;
}

static uint32_t half(uint32_t length) { return (length + 1) / 2; }

// for (...) { if ... }  for (...) { if ... }  return: 0 start, 1 and 4 conditions, 2 and 5 bodies, 3 between, 6 end
static void test_two_loops(void **state) {
    static const uint32_t first[] = {0, 1, 3, 4, 5, 7, 8, 8}, to[] = {1, 2, 3, 1, 4, 5, 6, 4};
    struct test_graph g;
    memcpy(g.first, first, sizeof first);
    memcpy(g.to, to, sizeof to);
    make(&g, 7);
    struct slice_result result = slice_graph(&g.graph, 3, 1000);
    assert_int_equal(result.longest, 5); // 0 1 3 4 6
    assert_int_equal(result.cuts, 1);
    assert_true(g.cut[4]); // the body of the second loop is not reached
    make(&g, 7);
    result = slice_graph(&g.graph, 5, 1000);
    assert_int_equal(result.cuts, 2);
    assert_true(g.cut[3] && g.cut[7]);
}

static void randomise(struct test_graph *g, struct random *random) {
    uint32_t count = 1 + (uint32_t)random_below(random, MOST_BLOCKS), edges = 0;
    for (uint32_t b = 0; b < count; b++) {
        g->first[b] = edges;
        for (uint64_t k = random_below(random, 3); k; k--)
            g->to[edges++] = (uint32_t)random_below(random, count);
    }
    g->first[count] = edges;
    make(g, count);
}

static void test_promises(void **state) {
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct random random = {seed};
        struct test_graph g;
        randomise(&g, &random);
        uint32_t before = longest(&g, 0, 0, false);
        for (unsigned mode = 1; mode <= SLICE_MODES; mode++) {
            make(&g, g.graph.count);
            struct slice_result result = slice_graph(&g.graph, mode, 1000000);
            assert_false(result.out_of_steps);
            if (mode != 5) assert_int_equal(result.longest, before);
            uint32_t after = longest(&g, 0, 0, true);
            if (mode == 1) assert_false(whole_path(&g, 0, 0));
            if (mode == 2) assert_true(after <= half(before) || !before);
            if (mode == 3) assert_true(before < 2 ? !result.cuts : result.cuts >= 1);
            if (mode == 4) assert_true(before < 2 || !walk_of(&g, 0, half(before) + 1));
            if (mode == 5) assert_false(walk_of(&g, 0, g.graph.count + 1)); // no cycle is left
        }
    }
}

static void test_steps(void **state) { // a ladder with two edges at each rung: 2^k paths
    struct test_graph g;
    for (uint32_t b = 0; b < 7; b++) g.first[b] = 2 * b, g.to[2 * b] = g.to[2 * b + 1] = b + 1;
    g.first[7] = g.first[8] = 14;
    make(&g, 8);
    struct slice_result result = slice_graph(&g.graph, 1, 20);
    assert_true(result.out_of_steps);
    make(&g, 8);
    result = slice_graph(&g.graph, 1, 10000);
    assert_false(result.out_of_steps);
    assert_int_equal(result.cuts, 2); // both edges between the two middle rungs
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_loops), cmocka_unit_test(test_promises),
                                       cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
