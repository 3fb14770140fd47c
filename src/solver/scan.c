// The scan layer assigns the bytes of a query in input order, as a lexer reads them, and memoizes on the *prefix
// state*: the values of the terms over these bytes that conditions on later bytes use. Examples are the state of an
// automaton, or a number that is being parsed. Prefixes with equal states are equivalent, so each state is explored
// once. Queries of table-driven scanners have a few dozen states; a SAT solver would have to rediscover that in every
// query.
//
// The level of a term is the position of its last byte. At byte k, all terms of level k are computed for every
// value in the byte's domain at once. Terms of lower levels have their current values. Conditions of level k remove
// values. Each remaining value leads to a prefix state: the values of the terms of levels up to k that have a user
// above k. For each new state the next byte is tried. If no value is left anywhere, the query is refuted. This is as
// complete as enumeration: only equivalent prefixes were skipped.
#include "solver/scan.h"

#include "solver/solver_int.h"

#define BYTES         128u    // largest number of bytes of a query
#define NODES         4096u   // largest number of nodes of its conditions
#define PREFIX_STATES 2048u   // largest number of prefix states; a power of two
#define WORK          600000u // limit on the values computed, for all prefix states together,
#define FIRST_WORK    10000u  // and that of the first query; it is doubled with every query
#define WIDEST        400u    // largest number of prefix states of one level
#define PATIENCE      255u    // most queries skipped after failures
#define LANES         256u

struct scan_node {
    Term t;
    uint32_t arg[3]; // nodes; UINT32_MAX: none
    uint16_t level, last_use;
    bool constant; // its value does not depend on bytes
    bool array;
    bool root; // a condition
    bool used; // a condition that removed values
};

// Nodes of one level, in the order of computation.
struct scan_level {
    uint32_t first, count;           // range of `ordered`: the nodes of this level, operands first
    uint32_t first_live, live_count; // range of `live`: the nodes that later levels depend on
    uint32_t prefix_states;          // prefix states found at this level so far
};

struct scan {
    struct solver *solver;
    struct query *query;
    struct map known; // Term -> node + 1
    vec(struct scan_node) nodes;
    vec(uint32_t) ordered, live;
    struct scan_level levels[BYTES];
    uint64_t (*lanes)[LANES]; // values of each node, in the current prefix state of its level
    uint64_t *now;            // current value of each node
    uint32_t capacity;        // capacity of `lanes` and `now`
    vec(uint64_t) seen;       // prefix states, one after the other, each preceded by its level
    vec(uint32_t) table;      // open addressing: offset in `seen`, plus 1
    uint32_t prefix_states, work;
    uint32_t most_work;   // the limit of the next query
    bool failed;          // not supported, or a limit was reached
    uint32_t pause, skip; // queries to skip after the last failure; those still to skip
};

static struct scan *scan_new(struct solver *solver) {
    struct scan *scan = NEW(struct scan);
    scan->solver = solver;
    scan->most_work = FIRST_WORK;
    return scan;
}

void scan_free(struct scan *scan) {
    if (!scan) return;
    map_free(&scan->known);
    vec_free(&scan->nodes);
    vec_free(&scan->ordered);
    vec_free(&scan->live);
    vec_free(&scan->seen);
    vec_free(&scan->table);
    DELETE_ARRAY(scan->lanes, scan->capacity);
    DELETE_ARRAY(scan->now, scan->capacity);
    DELETE(scan);
}

static uint32_t node_of(const struct scan *scan, Term t) {
    assert(map_get(&scan->known, t));
    return (uint32_t)(*map_get(&scan->known, t) - 1);
}

// The number of operands that are nodes.
static uint32_t operands(struct terms *terms, Term t) {
    return term_is_table(terms, t) ? 0 : term_arity(terms, t);
}

static bool can_be_laid(struct terms *terms, Term t) {
    enum kind kind = term_kind(terms, t);
    if (term_is_array(terms, t)) return kind != KIND_ARRAY_INPUT && kind != KIND_ARRAY_VAR;
    return term_width(terms, t) <= 64 && !(kind_infos[kind].properties & KP_FLOAT) && kind != KIND_ARRAY_EQ;
}

static bool lay(void *context, Term t) {
    struct scan *scan = context;
    struct terms *terms = scan->solver->terms;
    if (!can_be_laid(terms, t) || scan->nodes.count >= NODES) return false;
    struct scan_node node = {.t = t, .arg = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    node.constant = !term_support(terms, t);
    node.array = term_is_array(terms, t);
    if (term_kind(terms, t) == KIND_BYTE)
        node.level = (uint16_t)query_position(scan->query, term_var(terms, t));
    for (uint32_t i = 0; i < operands(terms, t); i++) {
        uint32_t operand = node_of(scan, term_arg(terms, t, i));
        const struct scan_node *below = &scan->nodes.at[operand];
        if (!below->constant) node.level = MAX(node.level, below->level);
        if (!node.array && !below->array) node.arg[i] = operand;
    }
    assert(node.level < scan->query->vars.count);
    node.last_use = node.level;
    *map_put(&scan->known, t) = scan->nodes.count + 1;
    vec_push(&scan->nodes, node);
    return true;
}

// Computes last_use of all nodes. An array has no value: its parts are used where it is read.
static void find_last_uses(struct scan *scan) {
    struct terms *terms = scan->solver->terms;
    for (uint32_t at = scan->nodes.count; at-- > 0;) {
        const struct scan_node *node = &scan->nodes.at[at];
        uint16_t use = node->array ? node->last_use : node->level;
        for (uint32_t i = 0; i < operands(terms, node->t) && !node->constant; i++) {
            struct scan_node *below = &scan->nodes.at[node_of(scan, term_arg(terms, node->t, i))];
            below->last_use = MAX(below->last_use, use);
        }
    }
}

static void order_levels(struct scan *scan) {
    uint32_t levels = scan->query->vars.count;
    for (uint32_t k = 0; k < levels; k++) {
        struct scan_level *level = &scan->levels[k];
        level->first = scan->ordered.count;
        level->first_live = scan->live.count;
        level->prefix_states = 0;
        for (uint32_t i = 0; i < scan->nodes.count; i++) {
            const struct scan_node *node = &scan->nodes.at[i];
            if (node->constant || node->array) continue;
            if (node->level == k) vec_push(&scan->ordered, i);
            if (node->level <= k && node->last_use > k) vec_push(&scan->live, i);
        }
        level->count = scan->ordered.count - level->first;
        level->live_count = scan->live.count - level->first_live;
    }
    assert(!scan->levels[levels - 1].live_count); // nothing depends on terms after the last byte
}

static bool lay_out(struct scan *scan) {
    struct query *query = scan->query;
    struct terms *terms = scan->solver->terms;
    map_clear(&scan->known);
    scan->nodes.count = scan->ordered.count = scan->live.count = scan->seen.count = 0;
    scan->prefix_states = scan->work = 0;
    scan->failed = !term_visit(terms, query->conditions.at, query->conditions.count, lay, scan);
    if (scan->failed) return false;
    vec_each (const Term, condition, &query->conditions)
        scan->nodes.at[node_of(scan, *condition)].root = true;
    find_last_uses(scan);
    order_levels(scan);
    if (scan->capacity < scan->nodes.count) {
        uint32_t capacity = MAX(2 * scan->capacity, scan->nodes.count);
        scan->lanes =
            mem_realloc(scan->lanes, scan->capacity * sizeof *scan->lanes, capacity * sizeof *scan->lanes);
        scan->now = mem_realloc(scan->now, scan->capacity * sizeof *scan->now, capacity * sizeof *scan->now);
        scan->capacity = capacity;
    }
    for (uint32_t i = 0; i < scan->nodes.count; i++)
        if (scan->nodes.at[i].constant && !scan->nodes.at[i].array)
            scan->now[i] = evaluate(scan->solver->evaluator, scan->nodes.at[i].t);
    while (scan->table.count < 2 * PREFIX_STATES) vec_push(&scan->table, 0);
    memset(scan->table.at, 0, scan->table.count * sizeof *scan->table.at);
    return true;
}

// The value in one lane of an operand of an array term: index, value or condition.
static uint64_t part(const struct scan *scan, Term t, uint32_t level, unsigned lane) {
    uint32_t at = node_of(scan, t);
    const struct scan_node *node = &scan->nodes.at[at];
    return !node->constant && node->level == level ? scan->lanes[at][lane] : scan->now[at];
}

static uint64_t read_lane(const struct scan *scan, Term array, uint64_t index, uint32_t level,
                          unsigned lane) {
    struct terms *terms = scan->solver->terms;
    for (;;) {
        switch (term_kind(terms, array)) {
        case KIND_STORE:
            if (part(scan, term_arg(terms, array, 1), level, lane) == index)
                return part(scan, term_arg(terms, array, 2), level, lane);
            array = term_arg(terms, array, 0);
            continue;
        case KIND_ARRAY_ITE:
            array = term_arg(terms, array, part(scan, term_arg(terms, array, 0), level, lane) ? 1 : 2);
            continue;
        case KIND_ARRAY_CONST: return part(scan, term_arg(terms, array, 0), level, lane);
        default:
            assert(term_kind(terms, array) == KIND_ARRAY_LITERAL);
            if (index >= term_arity(terms, array)) return 0;
            return term_is_table(terms, array)
                       ? term_literal_value(terms, array, (uint32_t)index)
                       : part(scan, term_arg(terms, array, (uint32_t)index), level, lane);
        }
    }
}

// Computes a node of this level for the remaining values of its byte.
static bool compute(struct scan *scan, uint32_t at, uint32_t level, const uint8_t *values, unsigned count) {
    struct terms *terms = scan->solver->terms;
    const struct scan_node *node = &scan->nodes.at[at];
    assert(node->level == level && !node->constant && count <= LANES);
    uint64_t *out = scan->lanes[at], spread[3][LANES];
    const uint64_t *arg[3] = {NULL};
    if (term_kind(terms, node->t) == KIND_BYTE) {
        for (unsigned i = 0; i < count; i++) out[i] = values[i];
        return true;
    }
    for (unsigned k = 0; k < 3; k++) {
        uint32_t below = node->arg[k];
        if (below == UINT32_MAX) continue;
        arg[k] = spread[k];
        if (!scan->nodes.at[below].constant && scan->nodes.at[below].level == level)
            arg[k] = scan->lanes[below];
        else
            for (unsigned i = 0; i < count; i++) spread[k][i] = scan->now[below];
    }
    if (term_kind(terms, node->t) == KIND_SELECT) {
        Term array = term_arg(terms, node->t, 0);
        if (!lanes_read_table(terms, array, out, arg[1], count))
            for (unsigned i = 0; i < count; i++) out[i] = read_lane(scan, array, arg[1][i], level, i);
        return true;
    }
    return lanes_apply(terms, node->t, out, arg, count);
}

// Computes the nodes of a level. `values` gets the values of its byte that the conditions allow; returns their
// number.
static unsigned open_level(struct scan *scan, uint32_t level, uint8_t *values) {
    const struct set *domain = &scan->query->domains.at[level];
    const struct scan_level *now = &scan->levels[level];
    unsigned count = 0;
    // The model's value first: most of the model still holds.
    uint8_t preferred = scan->query->start.at[level];
    if (set_has(domain, preferred)) values[count++] = preferred;
    for (unsigned value = model_set_next(domain, 0); value < 256; value = model_set_next(domain, value + 1))
        if (value != preferred) values[count++] = (uint8_t)value;
    for (uint32_t i = 0; i < now->count && count; i++) {
        limits_poll();
        uint32_t at = scan->ordered.at[now->first + i];
        scan->work += count + 8;
        if (scan->work > scan->most_work || !compute(scan, at, level, values, count)) {
            scan->failed = true;
            return 0;
        }
        if (!scan->nodes.at[at].root) continue;
        const uint64_t *holds = scan->lanes[at];
        uint8_t places[LANES];
        unsigned kept = 0;
        for (unsigned k = 0; k < count; k++)
            if (holds[k] & 1) places[kept++] = (uint8_t)k;
        if (kept == count) continue;
        scan->nodes.at[at].used = true;
        for (unsigned k = 0; k < kept; k++) values[k] = values[places[k]];
        for (uint32_t j = 0; j <= i; j++) {
            uint64_t *lanes = scan->lanes[scan->ordered.at[now->first + j]];
            for (unsigned k = 0; k < kept; k++) lanes[k] = lanes[places[k]];
        }
        count = kept;
    }
    return count;
}

// Selects a lane of the level as the current values. Returns whether the prefix state is new.
static bool enter(struct scan *scan, uint32_t level, unsigned lane) {
    const struct scan_level *now = &scan->levels[level];
    assert(scan->prefix_states < PREFIX_STATES &&
           scan->table.count >= 2 * PREFIX_STATES); // the table has free slots
    uint64_t hash = level;
    size_t place = scan->seen.count;
    vec_push(&scan->seen, level);
    for (uint32_t i = 0; i < now->live_count; i++) {
        uint32_t at = scan->live.at[now->first_live + i];
        if (scan->nodes.at[at].level == level) scan->now[at] = scan->lanes[at][lane];
        vec_push(&scan->seen, scan->now[at]);
        hash = hash_combine(hash, scan->now[at]);
    }
    size_t words = now->live_count + 1, mask = scan->table.count - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        uint32_t there = scan->table.at[slot];
        if (!there) {
            scan->table.at[slot] = (uint32_t)place + 1;
            return true;
        }
        const uint64_t *other =
            scan->seen.at + (there - 1); // another level's may be shorter, but differs in its first word
        if (other[0] == level && !memcmp(other, scan->seen.at + place, words * sizeof *other)) {
            scan->seen.count = (uint32_t)place;
            return false;
        }
    }
}

static bool scan_from(struct scan *scan, uint32_t level) {
    uint8_t values[LANES];
    assert(level < scan->query->vars.count);
    if (++scan->prefix_states >= PREFIX_STATES || limits_over()) scan->failed = true;
    if (scan->failed) return false;
    unsigned count = open_level(scan, level, values);
    for (unsigned i = 0; i < count && !scan->failed; i++) {
        scan->query->found.at[level] = values[i];
        if (level + 1 == scan->query->vars.count) return true;
        if (!enter(scan, level, i)) continue;
        if (++scan->levels[level].prefix_states > WIDEST) scan->failed = true;
        if (scan_from(scan, level + 1)) return true;
    }
    return false;
}

// The core: conditions that removed values, and those on single bytes, which narrowed the domains before.
static void learn_refutation(struct scan *scan) {
    vec(Term) core = {0};
    vec_each (const Term, condition, &scan->query->conditions)
        if (scan->nodes.at[node_of(scan, *condition)].used ||
            term_single_var(scan->solver->terms, *condition) != VAR_NONE)
            vec_push(&core, *condition);
    cache_learn(scan->query, ANSWER_NO, core.at, core.count);
    vec_free(&core);
}

enum answer solver_layer_scan(struct query *query) {
    struct solver *solver = query->solver;
    if (query->has_arrays || query->vars.count > BYTES || !query->vars.count) return ANSWER_UNKNOWN;
    if (!solver->scan) solver->scan = scan_new(solver);
    struct scan *scan = solver->scan;
    if (scan->skip) {
        scan->skip--;
        return ANSWER_UNKNOWN;
    }
    scan->query = query;
    query_assign(query, query->start.at);
    bool found = lay_out(scan) && scan_from(scan, 0);
    // Unsupported queries come in series: after each failure twice as many are skipped.
    scan->pause = !scan->failed ? 0 : MIN(2 * scan->pause + 1, PATIENCE);
    scan->skip = scan->pause;
    scan->most_work = MIN(2 * scan->most_work, WORK);
    if (scan->failed) return ANSWER_UNKNOWN;
    if (found) {
        cache_learn(query, ANSWER_YES, NULL, 0);
        return ANSWER_YES;
    }
    learn_refutation(scan);
    return ANSWER_NO;
}
