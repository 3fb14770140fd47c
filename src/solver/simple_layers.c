// The layers that need no search: model, domain, range, move, enumerate.
#include "base/clock.h"
#include "solver/equation.h"
#include "solver/solver_int.h"

enum answer solver_layer_model(struct query *query) {
    if (!query->has_start) return ANSWER_UNKNOWN;
    memcpy(query->found.at, query->start.at, query->start.count);
    query_assign(query, query->start.at);
    for (uint32_t i = 0; i < query->new_conditions; i++)
        if (!evaluate(query->solver->evaluator, query->conditions.at[i])) return ANSWER_UNKNOWN;
    return ANSWER_YES;
}

// Whether the query is constrained by the domains alone.
static bool all_tabulated(struct query *query) {
    vec_each (struct group *, group, &query->groups)
        if (!(*group)->tabulated) return false;
    for (uint32_t i = 0; i < query->new_conditions; i++)
        if (!tabulate_set(query->solver->tabulator, query->conditions.at[i])) return false;
    return true;
}

enum answer solver_layer_domain(struct query *query) {
    vec_each (struct set, set, &query->domains)
        if (set_is_empty(set)) return ANSWER_NO;
    if (query->has_arrays || !all_tabulated(query)) return ANSWER_UNKNOWN;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        bool keep = set_has(&query->domains.at[i], query->start.at[i]);
        query->found.at[i] = keep ? query->start.at[i] : (uint8_t)model_set_next(&query->domains.at[i], 0);
    }
    return ANSWER_YES;
}

struct facts set_facts(const struct set *set) {
    struct facts facts = {.zeros = 0xff, .ones = 0xff, .low = model_set_next(set, 0)};
    for (unsigned value = (unsigned)facts.low; value < 256; value = model_set_next(set, value + 1)) {
        facts.zeros &= ~value;
        facts.ones &= value;
        facts.high = value;
    }
    return facts;
}

struct facts query_byte_facts(void *context, uint32_t var) {
    struct query *query = context;
    return set_facts(&query->domains.at[query_position(query, var)]);
}

enum answer solver_layer_range(struct query *query) {
    struct solver *solver = query->solver;
    bool narrowed = false;
    for (uint32_t i = 0; i < query->new_conditions; i++)
        if (equation_is_refuted(solver->terms, query->conditions.at[i])) return ANSWER_NO;
    vec_each (struct set, set, &query->domains) narrowed |= set_count(set) < 256;
    if (!narrowed) return ANSWER_UNKNOWN; // the facts of the terms themselves are no better
    ranges_start(solver->ranges, query_byte_facts, query);
    for (uint32_t i = 0; i < query->new_conditions; i++) {
        struct facts facts = ranges_of(solver->ranges, query->conditions.at[i]);
        if (facts.high == 0 || ranges_contradict(solver->ranges)) return ANSWER_NO;
    }
    return ANSWER_UNKNOWN;
}

// Limits of the move layer for one query: nodes computed for 256 values each, vars tried.
#define MOVE_NODES 6000u
#define MOVE_VARS  24u
#define FEW_VARS   4u // vars tried for other values of a term

static void meet_lanes(struct set *set, const uint64_t *lanes) {
    for (unsigned word = 0; word < 4; word++) {
        uint64_t bits = 0;
        for (unsigned i = 0; i < 64; i++) bits |= (lanes[64 * word + i] & 1) << i;
        set->word[word] &= bits;
    }
}

// Computes the values of `var` for which all conditions hold, the other vars being as assigned. False: gave up.
// `from_start`: the others have the values of the path's model, so that conditions of the path that do not mention
// the var hold.
static bool values_of(struct query *query, uint32_t var, bool from_start, struct set *values,
                      uint32_t *budget) {
    struct solver *solver = query->solver;
    bool known = true;
    lanes_start(solver->lanes, solver->evaluator, &query->assignment, var, *budget);
    for (uint32_t i = 0; i < query->conditions.count && known && !set_is_empty(values); i++) {
        Term condition = query->conditions.at[i];
        VarSet support = term_support(solver->terms, condition);
        if (from_start && i >= query->new_conditions && !varset_has(solver->terms, support, var)) continue;
        const uint64_t *lanes = lanes_of(solver->lanes, condition);
        known = lanes != NULL;
        if (lanes) meet_lanes(values, lanes);
    }
    solver->work += (uint64_t)WORK_LANES * (*budget - lanes_budget(solver->lanes));
    assert(lanes_budget(solver->lanes) <= *budget);
    *budget = lanes_budget(solver->lanes);
    return known;
}

// The slot for the hash of this query. A loop of the program repeats its queries: a query that no move satisfied is not
// tried again.
static uint64_t *moved_in_vain(struct query *query, uint64_t *hash) {
    *hash = hash_bytes(query->start.at, query->start.count, query->condition);
    vec_each (Term, condition, &query->conditions) *hash = hash_combine(*hash, *condition);
    return &query->solver->unmoved[*hash % COUNT(query->solver->unmoved)];
}

bool query_has_values(struct query *query, Term t, unsigned least) {
    struct lanes *lanes = query->solver->lanes;
    uint32_t budget = MOVE_NODES, vars[FEW_VARS];
    if (!query->has_start || query->has_arrays) return false;
    query_assign(query, query->start.at);
    unsigned count = query_relevant(query, t, vars, FEW_VARS), found = 0;
    // The query is about a condition on t, which simplification may have freed of bytes that t depends on.
    for (unsigned i = 0; i < count; i++)
        if (!query->solver->position.at[vars[i]]) return false;
    for (unsigned i = 0; i < count && budget && found < least; i++) {
        struct set values = query->domains.at[query_position(query, vars[i])];
        if (!values_of(query, vars[i], true, &values, &budget)) continue;
        const uint64_t *lane = lanes_of(lanes, t);
        uint64_t seen[256];
        found = 0;
        for (unsigned v = model_set_next(&values, 0); lane && v < 256 && found < least;
             v = model_set_next(&values, v + 1)) {
            unsigned k = 0;
            while (k < found && seen[k] != lane[v]) k++;
            if (k == found) seen[found++] = lane[v];
        }
    }
    return found >= least;
}

enum answer solver_layer_move(struct query *query) {
    uint32_t budget = MOVE_NODES, vars[MOVE_VARS];
    uint64_t hash;
    if (!query->has_start || query->has_arrays || query->new_conditions != 1) return ANSWER_UNKNOWN;
    uint64_t *known = moved_in_vain(query, &hash);
    if (*known == hash) return ANSWER_UNKNOWN;
    query_assign(query, query->start.at);
    assert(query->condition); // there is one new condition
    unsigned count = query_relevant(query, query->condition, vars, MOVE_VARS);
    for (unsigned i = 0; i < count && budget; i++) {
        uint32_t position = query_position(query, vars[i]);
        struct set values = query->domains.at[position];
        if (!values_of(query, vars[i], true, &values, &budget) || set_is_empty(&values)) continue;
        memcpy(query->found.at, query->start.at, query->start.count);
        query->found.at[position] = (uint8_t)model_set_next(&values, 0);
        return ANSWER_YES;
    }
    *known = hash;
    return ANSWER_UNKNOWN;
}

// Limits of enumeration: bytes, combinations of the bytes other than the one tried in 256 lanes, nodes computed for
// all of them, combinations tried without lanes.
#define ENUMERATED_BYTES 4u
#define ENUMERATED_RUNS  256u
#define ENUMERATED_NODES 8000u
#define FEW_COMBINATIONS 128

static bool next_combination(struct query *query, uint32_t except) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        if (i == except) continue;
        assert(!set_is_empty(&query->domains.at[i]));
        unsigned value = model_set_next(&query->domains.at[i], query->found.at[i] + 1u);
        if (value < 256) {
            query->found.at[i] = (uint8_t)value;
            return true;
        }
        query->found.at[i] = (uint8_t)model_set_next(&query->domains.at[i], 0);
    }
    return false;
}

double query_combinations(const struct query *query) {
    double combinations = 1;
    vec_each (const struct set, set, &query->domains) combinations *= set_count(set);
    return combinations;
}

enum answer query_enumerate(struct query *query) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        if (set_is_empty(&query->domains.at[i])) return ANSWER_NO;
        query->found.at[i] = (uint8_t)model_set_next(&query->domains.at[i], 0);
    }
    do {
        bool holds = true;
        query_assign(query, query->found.at);
        for (uint32_t i = 0; i < query->conditions.count && holds; i++)
            holds = evaluate(query->solver->evaluator, query->conditions.at[i]);
        if (holds) return ANSWER_YES;
        if (limits_over() || (query->deadline && clock_nanoseconds() >= query->deadline))
            return ANSWER_UNKNOWN;
    } while (next_combination(query, UINT32_MAX));
    return ANSWER_NO;
}

enum answer solver_layer_enumerate(struct query *query) {
    uint32_t count = query->vars.count, largest = 0, budget = ENUMERATED_NODES;
    if (query->has_arrays || !count) return ANSWER_UNKNOWN;
    // Queries about parsed numbers: few combinations of digits are left, but the terms are too large for lanes.
    if (terms_have_floats(query->solver->terms) && query_combinations(query) <= FEW_COMBINATIONS)
        return query_enumerate(query);
    if (count > ENUMERATED_BYTES) return ANSWER_UNKNOWN;
    uint64_t runs = 1;
    for (uint32_t i = 0; i < count; i++) {
        unsigned size = set_count(&query->domains.at[i]);
        if (!size) return ANSWER_NO;
        if (size > set_count(&query->domains.at[largest])) largest = i;
        runs *= size;
        query->found.at[i] = (uint8_t)model_set_next(&query->domains.at[i], 0);
    }
    runs /= set_count(&query->domains.at[largest]);
    assert(runs > 0);
    if (runs > ENUMERATED_RUNS || runs * query->conditions.count * 4 > budget) return ANSWER_UNKNOWN;
    do {
        struct set values = query->domains.at[largest];
        query_assign(query, query->found.at);
        if (!values_of(query, query->vars.at[largest], false, &values, &budget)) return ANSWER_UNKNOWN;
        if (set_is_empty(&values)) continue;
        query->found.at[largest] = (uint8_t)model_set_next(&values, 0);
        return ANSWER_YES;
    } while (next_combination(query, largest));
    return ANSWER_NO;
}
