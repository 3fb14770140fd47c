// The classes layer tries all combinations of a few bytes, with one value of each class of equivalent values.
//
// Conditions often depend on a byte only through small functions of it: `in[i] % 16`, the class of a character. Two
// values of a byte are equivalent if all terms over this byte alone that larger terms use have the same values for
// both. One value of each class stands for all of them. Sums over tables that are indexed by such a class (counting
// sort, histograms) are decided by trying a few thousand combinations, which SAT would have to refute one by one.
//
// Conditions on a single byte are applied first: they only remove values of the byte, and split no class. If too many
// combinations are left, bounds of the bytes are computed from all conditions: an index below 65,536 has two bytes, not
// four.
#include "base/clock.h"
#include "solver/solver_int.h"

#define MOST_NODES 16000u // largest number of nodes of the conditions
#define MOST_WORK  60000u // nodes computed, each for 256 combinations
// The limit of work if a table of LONG_TABLE elements or more is read, for which SAT needs seconds: all elements of a
// table of a million elements are tried.
#define MOST_TABLE_WORK NORMAL_OR_HOSTILE(600000u, 60000u)
#define LONG_TABLE      1024u
// If the conditions have MANY_NODES nodes, their circuits cost SAT more than all values of two bytes (256 runs) cost
// here.
#define MANY_NODES    NORMAL_OR_HOSTILE(500u, 100000u)
#define MANY_RUNS     300u
#define REFINE_PLACES 512u // twice as many as there can be classes

struct byte_classes {
    struct set values;  // values that the domain and the conditions on this byte allow
    uint8_t class[256]; // of each value
    unsigned count;     // number of classes
    uint8_t first[256]; // of each class that has one: an allowed value
    unsigned used;      // number of these
};

struct classes {
    struct query *query;
    const Term *conditions; // those of the query, or a part of them
    uint32_t count;
    uint32_t vars[LANE_BYTES]; // the bytes that these conditions mention
    struct byte_classes bytes[LANE_BYTES];
    uint32_t byte_count;
    unsigned nodes;
    bool reads_long_table;
};

static struct byte_classes *byte_of(struct classes *classes, uint32_t var) {
    uint32_t i = 0;
    while (classes->vars[i] != var) i++;
    assert(i < classes->byte_count);
    return &classes->bytes[i];
}

// Separates values of the byte for which the term differs.
static bool refine(struct classes *classes, Term t, uint32_t var) {
    struct byte_classes *byte = byte_of(classes, var);
    uint64_t table[256], values[256];
    uint8_t parent[256], old[256];
    uint16_t places[REFINE_PLACES] = {0}; // open addressing: class plus 1
    unsigned count = 0;
    if (byte->count == 256) return true;
    if (!tabulate(classes->query->solver->tabulator, t, table)) return false;
    memcpy(old, byte->class, sizeof old);
    for (unsigned v = 0; v < 256; v++) {
        uint64_t at = hash_combine(table[v], old[v]) % REFINE_PLACES;
        for (unsigned k; (k = places[at]) && (parent[k - 1] != old[v] || values[k - 1] != table[v]);)
            at = (at + 1) % REFINE_PLACES;
        if (!places[at]) {
            parent[count] = old[v];
            values[count++] = table[v];
            places[at] = (uint16_t)count;
        }
        byte->class[v] = (uint8_t)(places[at] - 1);
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
    classes->reads_long_table |= kind == KIND_ARRAY_LITERAL && term_arity(terms, t) >= LONG_TABLE;
    if (term_is_table(terms, t) || !term_support(terms, t) || only_byte(terms, t) != VAR_NONE) return true;
    for (uint32_t i = 0; i < term_arity(terms, t); i++) {
        Term operand = term_arg(terms, t, i);
        uint32_t var = only_byte(terms, operand);
        if (var != VAR_NONE && !refine(classes, operand, var)) return false;
    }
    return true;
}

// Chooses an allowed value of each class. False: a byte has none.
static bool choose_value_of(struct byte_classes *byte) {
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

static bool choose_values(struct classes *classes) {
    for (uint32_t i = 0; i < classes->byte_count; i++)
        if (!choose_value_of(&classes->bytes[i])) return false;
    return true;
}

static bool find_classes(struct classes *classes) {
    struct query *query = classes->query;
    struct solver *solver = query->solver;
    assert(classes->byte_count <= LANE_BYTES && query->domains.count == query->vars.count);
    term_list several = {0};
    for (uint32_t i = 0; i < classes->byte_count; i++) {
        struct byte_classes *byte = &classes->bytes[i];
        byte->values = query->domains.at[query_position(query, classes->vars[i])];
        byte->count = 1;
    }
    for (uint32_t i = 0; i < classes->count; i++) {
        Term condition = classes->conditions[i];
        const uint64_t *set = tabulate_set(solver->tabulator, condition);
        if (!set) {
            vec_push(&several, condition);
            continue;
        }
        set_meet(&byte_of(classes, term_single_var(solver->terms, condition))->values, set);
    }
    bool found = term_visit(solver->terms, several.at, several.count, visit, classes);
    vec_free(&several);
    return found;
}

// ---- bounds

// The byte that is narrowed: only its values from `low` to `high` are considered.
struct trial {
    struct classes *classes;
    uint32_t var;
    unsigned low, high;
};

static struct set set_between(const struct set *set, unsigned low, unsigned high) {
    struct set part = {{0}};
    for (unsigned v = model_set_next(set, low); v <= high && v < 256; v = model_set_next(set, v + 1))
        part.word[v / 64] |= 1ull << v % 64;
    return part;
}

static struct facts trial_facts(void *context, uint32_t var) {
    const struct trial *trial = context;
    const struct set *values = &byte_of(trial->classes, var)->values;
    if (var != trial->var) return set_facts(values);
    struct set part = set_between(values, trial->low, trial->high);
    return set_facts(&part);
}

// Whether ranges refute that byte i has a value from low to high. True if it has none there.
static bool is_refuted(struct classes *classes, uint32_t i, unsigned low, unsigned high) {
    struct ranges *ranges = classes->query->solver->ranges;
    struct terms *terms = classes->query->solver->terms;
    struct trial trial = {classes, classes->vars[i], low, high};
    assert(i < classes->byte_count && low <= high);
    if (model_set_next(&classes->bytes[i].values, low) > high) return true;
    ranges_start(ranges, trial_facts, &trial);
    for (uint32_t k = 0; k < classes->count; k++) {
        Term condition = classes->conditions[k];
        if (!varset_has(terms, term_support(terms, condition), trial.var)) continue;
        if (ranges_of(ranges, condition).high == 0 || ranges_contradict(ranges)) return true;
    }
    return false;
}

// Removes the values above the largest, and below the smallest, that ranges do not refute (shaving). Both are found by
// halving. False: no value is left.
static bool shave(struct classes *classes, uint32_t i) {
    struct set *values = &classes->bytes[i].values;
    unsigned low = model_set_next(values, 0), high = 255;
    if (low == 256) return false;
    for (unsigned least = low; least < high;) { // the values above `high` are refuted
        unsigned middle = (least + high) / 2;
        if (is_refuted(classes, i, middle + 1, high))
            high = middle;
        else
            least = middle + 1;
    }
    for (unsigned most = high; low < most;) { // the values below `low` are refuted
        unsigned middle = (low + most) / 2;
        if (is_refuted(classes, i, low, middle))
            low = middle + 1;
        else
            most = middle;
    }
    *values = set_between(values, low, high);
    return !set_is_empty(values);
}

// The high bytes of an input word come last. Their bounds are found first, and narrow those of the others.
static bool shave_all(struct classes *classes) {
    for (uint32_t i = classes->byte_count; i-- > 0;)
        if (!shave(classes, i)) return false;
    return true;
}

// ---- combinations

// Bytes whose combinations are the lanes; the others change from run to run.
struct lane_packing {
    struct lane_bytes lanes;
    uint32_t bytes[LANE_BYTES]; // index in classes.bytes of each of them
    bool packed[LANE_BYTES];
    unsigned used;           // number of different lanes
    uint64_t runs;           // combinations of the other bytes
    unsigned at[LANE_BYTES]; // of the other bytes: the class of the current run
};

static void pack(const struct classes *classes, struct lane_packing *packing) {
    *packing = (struct lane_packing){.used = 1, .runs = 1};
    for (uint32_t i = 0; i < classes->byte_count; i++) {
        const struct byte_classes *byte = &classes->bytes[i];
        if (packing->used * byte->used > 256) {
            packing->runs *= byte->used; // at most 256 to the power of seven
            continue;
        }
        packing->packed[i] = true;
        packing->bytes[packing->lanes.count] = i;
        packing->lanes.vars[packing->lanes.count++] = classes->vars[i];
        packing->used *= byte->used;
    }
    for (unsigned lane = 0; lane < 256; lane++) {
        unsigned rest = lane % packing->used; // further lanes repeat the first ones
        for (unsigned k = 0; k < packing->lanes.count; k++) {
            const struct byte_classes *byte = &classes->bytes[packing->bytes[k]];
            packing->lanes.values[k][lane] = byte->first[rest % byte->used];
            rest /= byte->used;
        }
    }
}

static bool next_run(const struct classes *classes, struct lane_packing *packing) {
    struct query *query = classes->query;
    for (uint32_t i = 0; i < classes->byte_count; i++) {
        const struct byte_classes *byte = &classes->bytes[i];
        if (packing->packed[i]) continue;
        packing->at[i] = (packing->at[i] + 1) % byte->used;
        query->found.at[query_position(query, classes->vars[i])] = byte->first[packing->at[i]];
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

static enum answer try_combinations(struct classes *classes, struct lane_packing *packing, uint32_t budget) {
    struct query *query = classes->query;
    assert(packing->runs >= 1 && query->found.count == query->vars.count);
    bool known = true;
    for (uint32_t i = 0; i < classes->byte_count; i++)
        query->found.at[query_position(query, classes->vars[i])] = classes->bytes[i].first[0];
    do {
        if (limits_over() || (query->deadline && clock_nanoseconds() >= query->deadline))
            return ANSWER_UNKNOWN;
        query_assign(query, query->found.at);
        unsigned lane = find_lane(classes, packing, &budget, &known);
        if (!known) return ANSWER_UNKNOWN;
        if (lane == 256) continue;
        for (unsigned k = 0; k < packing->lanes.count; k++)
            query->found.at[query_position(query, packing->lanes.vars[k])] = packing->lanes.values[k][lane];
        return ANSWER_YES;
    } while (next_run(classes, packing));
    return ANSWER_NO;
}

static uint32_t work_limit(const struct classes *classes) {
    assert(classes->nodes <= MOST_NODES);
    uint32_t work = classes->reads_long_table ? MOST_TABLE_WORK : MOST_WORK;
    return classes->nodes < MANY_NODES ? work : MAX(work, MANY_RUNS * classes->nodes);
}

// Tries these conditions, which mention the given bytes only. A model is complete only if they are all of the query's
// conditions.
static enum answer decide(struct query *query, const Term *conditions, uint32_t count, const uint32_t *vars,
                          uint32_t byte_count) {
    struct classes classes = {.query = query, .conditions = conditions, .count = count};
    struct lane_packing packing;
    assert(byte_count <= LANE_BYTES);
    for (; classes.byte_count < byte_count; classes.byte_count++)
        classes.vars[classes.byte_count] = vars[classes.byte_count];
    if (!find_classes(&classes)) return ANSWER_UNKNOWN;
    if (!choose_values(&classes)) return ANSWER_NO;
    uint32_t work = work_limit(&classes);
    uint64_t most_runs = work / MAX(classes.nodes, 1u);
    pack(&classes, &packing);
    if (packing.runs > most_runs) {
        if (!shave_all(&classes) || !choose_values(&classes)) return ANSWER_NO;
        pack(&classes, &packing);
    }
    if (packing.runs > most_runs) return ANSWER_UNKNOWN;
    return try_combinations(&classes, &packing, work);
}

// Whether the term is refuted with those conditions of the query that mention no other bytes.
static bool term_is_refuted(struct query *query, Term t) {
    struct terms *terms = query->solver->terms;
    VarSet support = term_support(terms, t);
    uint32_t vars[LANE_BYTES], count = 0;
    if (varset_count(terms, support) > LANE_BYTES) return false;
    for (uint32_t var = varset_next(terms, support, 0); var != VAR_NONE;
         var = varset_next(terms, support, var + 1)) {
        if (terms_var_is_array(terms, var)) return false;
        vars[count++] = var;
    }
    term_list conditions = {0};
    vec_push(&conditions, t);
    for (uint32_t i = query->new_conditions; i < query->conditions.count; i++)
        if (varset_subset(terms, term_support(terms, query->conditions.at[i]), support))
            vec_push(&conditions, query->conditions.at[i]);
    bool refuted = decide(query, conditions.at, conditions.count, vars, count) == ANSWER_NO;
    vec_free(&conditions);
    return refuted;
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
        if (term_is_refuted(query, negated ? term_not(terms, side) : side)) return true;
    }
    return false;
}

enum answer solver_layer_classes(struct query *query) {
    enum answer answer = ANSWER_UNKNOWN;
    if (!query->has_arrays && query->vars.count && query->vars.count <= LANE_BYTES)
        answer =
            decide(query, query->conditions.at, query->conditions.count, query->vars.at, query->vars.count);
    if (answer == ANSWER_UNKNOWN && side_is_refuted(query)) answer = ANSWER_NO;
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    if (answer == ANSWER_NO) cache_learn(query, ANSWER_NO, query->conditions.at, query->conditions.count);
    return answer;
}
