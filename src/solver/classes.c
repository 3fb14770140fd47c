// The classes layer tries all combinations of a few bytes, with one value of each class of equivalent values.
//
// Conditions often depend on a byte only through small functions of it: `in[i] % 16`, the class of a character. Two
// values of a byte are equivalent if all terms over this byte alone that larger terms use have the same values for
// both. One value of each class stands for all of them. Sums over tables that are indexed by such a class (counting
// sort, histograms) are decided in a few thousand combinations, which SAT has to learn one by one.
//
// Conditions on single bytes narrow the byte's values before: they do not have to make classes.
#include "solver/solver_int.h"

#define MOST_NODES 2000u  // largest number of nodes of the conditions
#define MOST_WORK  60000u // nodes computed, each for 256 combinations

struct byte_classes {
    struct set values;  // values that the domain and the conditions on this byte allow
    uint8_t class[256]; // of each value
    unsigned count;     // number of classes
    uint8_t first[256]; // of each class that has one: an allowed value
    unsigned used;      // number of these
};

struct classes {
    struct query *query;
    const Term *conditions; // those of the query, or one of them
    uint32_t count;
    struct byte_classes bytes[LANE_BYTES]; // by position
    unsigned nodes;
};

// Separates values of the byte for which the term differs.
static bool refine(struct classes *classes, Term t, uint32_t var) {
    struct byte_classes *byte = &classes->bytes[query_position(classes->query, var)];
    uint64_t table[256], values[256];
    uint8_t parent[256], old[256];
    unsigned count = 0;
    if (byte->count == 256) return true;
    if (!tabulate(classes->query->solver->tabulator, t, table)) return false;
    memcpy(old, byte->class, sizeof old);
    for (unsigned v = 0; v < 256; v++) {
        unsigned k = 0;
        while (k < count && (parent[k] != old[v] || values[k] != table[v])) k++;
        if (k == count) {
            parent[count] = old[v];
            values[count++] = table[v];
        }
        byte->class[v] = (uint8_t)k;
    }
    assert(count >= byte->count && count <= 256);
    byte->count = count;
    return true;
}

// Whether the term's value is a number that depends on one byte only.
static uint32_t only_byte(struct terms *terms, Term t) {
    return term_is_array(terms, t) ? VAR_NONE : term_single_var(terms, t);
}

// Refines by the operands over one byte of each term that is not itself such a term. An array has no value of its own:
// its elements and indices are used wherever it is read.
static bool visit(void *context, Term t) {
    struct classes *classes = context;
    struct terms *terms = classes->query->solver->terms;
    enum kind kind = term_kind(terms, t);
    if (++classes->nodes > MOST_NODES || kind == KIND_ARRAY_INPUT || kind == KIND_ARRAY_VAR) return false;
    if (kind_infos[kind].properties & KP_FLOAT || kind == KIND_ARRAY_EQ) return false;
    if (term_is_table(terms, t) || !term_support(terms, t) || only_byte(terms, t) != VAR_NONE) return true;
    for (uint32_t i = 0; i < term_arity(terms, t); i++) {
        Term operand = term_arg(terms, t, i);
        uint32_t var = only_byte(terms, operand);
        if (var != VAR_NONE && !refine(classes, operand, var)) return false;
    }
    return true;
}

// Chooses an allowed value of each class. False: a byte has none.
static bool choose_values(struct classes *classes, uint32_t position) {
    struct byte_classes *byte = &classes->bytes[position];
    bool has[256] = {false};
    assert(byte->count >= 1 && byte->count <= 256);
    byte->used = 0;
    for (unsigned v = model_set_next(&byte->values, 0); v < 256; v = model_set_next(&byte->values, v + 1)) {
        if (has[byte->class[v]]) continue;
        has[byte->class[v]] = true;
        byte->first[byte->used++] = (uint8_t)v;
    }
    return byte->used;
}

static bool find_classes(struct classes *classes) {
    struct query *query = classes->query;
    struct solver *solver = query->solver;
    assert(query->vars.count <= LANE_BYTES && query->domains.count == query->vars.count);
    term_list several = {0};
    for (uint32_t i = 0; i < query->vars.count; i++) {
        struct byte_classes *byte = &classes->bytes[i];
        byte->values = query->domains.at[i];
        byte->count = 1;
    }
    for (uint32_t i = 0; i < classes->count; i++) {
        Term condition = classes->conditions[i];
        const uint64_t *set = tabulate_set(solver->tabulator, condition);
        if (!set) {
            vec_push(&several, condition);
            continue;
        }
        uint32_t position = query_position(query, term_single_var(solver->terms, condition));
        for (unsigned word = 0; word < 4; word++) classes->bytes[position].values.word[word] &= set[word];
    }
    bool found = term_visit(solver->terms, several.at, several.count, visit, classes);
    vec_free(&several);
    return found;
}

// ---- combinations

// Bytes whose combinations are the lanes; the others change from run to run.
struct lane_packing {
    struct lane_bytes lanes;
    uint32_t positions[LANE_BYTES];
    bool packed[LANE_BYTES];
    unsigned used;           // number of different lanes
    uint64_t runs;           // combinations of the other bytes
    unsigned at[LANE_BYTES]; // of the other bytes: the class of the current run
};

static void pack(const struct classes *classes, struct lane_packing *packing) {
    uint32_t count = classes->query->vars.count;
    *packing = (struct lane_packing){.used = 1, .runs = 1};
    for (uint32_t i = 0; i < count; i++) {
        const struct byte_classes *byte = &classes->bytes[i];
        if (packing->used * byte->used > 256) {
            packing->runs *= byte->used; // at most 256 to the power of seven
            continue;
        }
        packing->packed[i] = true;
        packing->positions[packing->lanes.count] = i;
        packing->lanes.vars[packing->lanes.count++] = classes->query->vars.at[i];
        packing->used *= byte->used;
    }
    for (unsigned lane = 0; lane < 256; lane++) {
        unsigned rest = lane % packing->used; // further lanes repeat the first ones
        for (unsigned k = 0; k < packing->lanes.count; k++) {
            const struct byte_classes *byte = &classes->bytes[packing->positions[k]];
            packing->lanes.values[k][lane] = byte->first[rest % byte->used];
            rest /= byte->used;
        }
    }
}

static bool next_run(const struct classes *classes, struct lane_packing *packing) {
    struct query *query = classes->query;
    for (uint32_t i = 0; i < query->vars.count; i++) {
        const struct byte_classes *byte = &classes->bytes[i];
        if (packing->packed[i]) continue;
        packing->at[i] = (packing->at[i] + 1) % byte->used;
        query->found.at[i] = byte->first[packing->at[i]];
        if (packing->at[i]) return true;
    }
    return false;
}

// Finds a lane in which all conditions hold; 256: none. *known: false if a condition cannot be computed.
static unsigned find_lane(const struct classes *classes, const struct lane_packing *packing, uint32_t *budget,
                          bool *known) {
    struct query *query = classes->query;
    struct solver *solver = query->solver;
    uint64_t holds[256];
    assert(packing->used >= 1 && packing->used <= 256);
    unsigned left = packing->used;
    for (unsigned i = 0; i < 256; i++) holds[i] = i < packing->used;
    lanes_start_bytes(solver->lanes, solver->evaluator, &query->assignment, &packing->lanes, *budget);
    for (uint32_t c = 0; c < classes->count && left && *known; c++) {
        const uint64_t *values = lanes_of(solver->lanes, classes->conditions[c]);
        *known = values != NULL;
        left = 0;
        for (unsigned i = 0; values && i < 256; i++) left += (unsigned)(holds[i] &= values[i]);
    }
    solver->work += (uint64_t)WORK_LANES * (*budget - lanes_budget(solver->lanes));
    *budget = lanes_budget(solver->lanes);
    unsigned lane = 0;
    while (left && !holds[lane]) lane++;
    return left ? lane : 256;
}

static enum answer try_combinations(struct classes *classes, struct lane_packing *packing) {
    struct query *query = classes->query;
    uint32_t budget = MOST_WORK;
    assert(packing->runs >= 1 && query->found.count == query->vars.count);
    bool known = true;
    for (uint32_t i = 0; i < query->vars.count; i++) query->found.at[i] = classes->bytes[i].first[0];
    do {
        if (limits_over()) return ANSWER_UNKNOWN;
        query_assign(query, query->found.at);
        unsigned lane = find_lane(classes, packing, &budget, &known);
        if (!known) return ANSWER_UNKNOWN;
        if (lane == 256) continue;
        for (unsigned k = 0; k < packing->lanes.count; k++)
            query->found.at[packing->positions[k]] = packing->lanes.values[k][lane];
        return ANSWER_YES;
    } while (next_run(classes, packing));
    return ANSWER_NO;
}

// Tries these conditions of the query. A model is complete only if they are all of its conditions.
static enum answer decide(struct query *query, const Term *conditions, uint32_t count) {
    struct classes classes = {.query = query, .conditions = conditions, .count = count};
    struct lane_packing packing;
    if (!find_classes(&classes)) return ANSWER_UNKNOWN;
    for (uint32_t i = 0; i < query->vars.count; i++)
        if (!choose_values(&classes, i)) return ANSWER_NO;
    pack(&classes, &packing);
    if (packing.runs > MOST_WORK / MAX(classes.nodes, 1u)) return ANSWER_UNKNOWN;
    return try_combinations(&classes, &packing);
}

// Whether one side of a conjunction is refuted alone. An example is the condition under which an uninitialised byte is
// read: the byte itself, on the other side, has 256 classes.
static bool side_is_refuted(struct query *query) {
    struct terms *terms = query->solver->terms;
    Term t = query->condition;
    if (!t) return false;
    bool negated = term_kind(terms, t) == KIND_NOT; // a conjunction, or a negated disjunction
    if (negated) t = term_arg(terms, t, 0);
    if (term_kind(terms, t) != (negated ? KIND_OR : KIND_AND)) return false;
    for (uint32_t i = 0; i < term_arity(terms, t); i++) {
        Term side = term_arg(terms, t, i);
        if (negated) side = term_not(terms, side);
        if (decide(query, &side, 1) == ANSWER_NO) return true;
    }
    return false;
}

enum answer solver_layer_classes(struct query *query) {
    if (query->has_arrays || !query->vars.count || query->vars.count > LANE_BYTES) return ANSWER_UNKNOWN;
    enum answer answer = decide(query, query->conditions.at, query->conditions.count);
    if (answer == ANSWER_UNKNOWN && side_is_refuted(query)) answer = ANSWER_NO;
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    if (answer == ANSWER_NO) cache_learn(query, ANSWER_NO, query->conditions.at, query->conditions.count);
    return answer;
}
