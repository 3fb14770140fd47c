// The chain asks every layer in the order of LAYER_TABLE until one answers. A model is evaluated before it is used.
#include "solver/solver_int.h"

#include "base/clock.h"
#include "base/error.h"

// The variables of a SAT instance cost time in every search. An instance of more than LARGEST_INSTANCE gates is
// replaced, and so is a large instance of which the query needs only a small part.
#define LARGEST_INSTANCE NORMAL_OR_HOSTILE(200000u, 500u)
#define LARGE_INSTANCE   NORMAL_OR_HOSTILE(20000u, 100u)
#define GATES_OF_TERM    40u // average number of gates of a term
#define MOST_BESIDE      4u  // largest ratio of the instance's size to the query's

static struct sat_limits limits_of(struct query *query, uint64_t conflicts) {
    return (struct sat_limits){.deadline = query->deadline, .conflicts = (int64_t)conflicts};
}

static void take_found(struct query *query, struct blaster *blaster) {
    for (uint32_t i = 0; i < query->vars.count; i++) {
        uint32_t var = query->vars.at[i];
        if (!terms_var_is_array(query->solver->terms, var)) {
            if (!blaster_byte(blaster, var, &query->found.at[i])) query->found.at[i] = query->start.at[i];
            continue;
        }
        assert(query->has_arrays);
        model_array_release(query->found_arrays.at[i]);
        query->found_arrays.at[i] = NULL;
        struct array_value *value = blaster_array(blaster, var);
        if (!value) continue;
        query->found_arrays.at[i] = NEW(struct shared_array);
        *query->found_arrays.at[i] = (struct shared_array){1, value};
    }
}

// Caches the core. `originals`: the query's conditions, from which the first `conditions` were derived.
static void learn_refutation(struct query *query, struct blaster *blaster, const Term *conditions,
                             const Term *originals, uint32_t count) {
    vec(Term) core = {0};
    for (uint32_t i = 0; i < count; i++)
        if (blaster_failed(blaster, conditions[i])) vec_push(&core, originals[i]);
    assert(core.count > 0); // only assumptions can fail, and these are the conditions
    cache_learn(query, ANSWER_NO, core.at, core.count);
    vec_free(&core);
}

static uint64_t work_of(const struct blaster *blaster) {
    const struct sat_statistics *sat = blaster_sat_statistics(blaster);
    return WORK_GATE * blaster_size(blaster) + WORK_LITERAL * sat->literals + WORK_SOLVE * sat->solves +
           WORK_ASKED * sat->asked;
}

static void forget_instance(struct solver *solver) {
    blaster_free(solver->blaster);
    solver->blaster = NULL;
}

struct term_count {
    uint32_t count, most;
};

static bool count_below(void *context, Term t) {
    struct term_count *count = context;
    return ++count->count <= count->most;
}

static bool has_more_terms(struct query *query, const Term *conditions, uint32_t count, uint32_t most) {
    struct term_count terms = {.most = most};
    term_visit(query->solver->terms, conditions, count, count_below, &terms);
    return terms.count > most;
}

static bool is_oversized(struct query *query, const Term *conditions, uint32_t count) {
    uint32_t size = blaster_size(query->solver->blaster);
    if (size <= LARGE_INSTANCE) return false;
    return size > LARGEST_INSTANCE ||
           !has_more_terms(query, conditions, count, size / (MOST_BESIDE * GATES_OF_TERM));
}

static enum answer ask_blaster(struct query *query, const Term *conditions, uint32_t count,
                               const Term *originals, uint32_t original_count, uint64_t conflicts) {
    struct solver *solver = query->solver;
    assert(solver->busy && count > 0);
    if (solver->blaster && is_oversized(query, conditions, count)) forget_instance(solver);
    if (!solver->blaster) {
        solver->blaster = blaster_new(solver->terms, &solver->options.blast);
        solver->statistics.instances++;
    }
    struct sat_limits limits = limits_of(query, conflicts);
    uint64_t before = work_of(solver->blaster);
    enum blast_answer answer = blaster_solve(solver->blaster, conditions, count, &limits);
    solver->work += work_of(solver->blaster) - before + blaster_size(solver->blaster) / 2;
    switch (answer) {
    case BLAST_NO:
        learn_refutation(query, solver->blaster, conditions, originals, original_count);
        return ANSWER_NO;
    case BLAST_YES: take_found(query, solver->blaster); return ANSWER_YES;
    case BLAST_TOO_LARGE:
        query->too_large = true;
        forget_instance(solver);
        return ANSWER_UNKNOWN;
    default: return ANSWER_UNKNOWN;
    }
}

enum answer query_ask_sat(struct query *query, const Term *conditions, uint32_t count, uint64_t conflicts) {
    return ask_blaster(query, conditions, count, conditions, count, conflicts);
}

enum answer query_ask_weaker(struct query *query, const Term *conditions, uint32_t count,
                             uint64_t conflicts) {
    assert(count >= query->conditions.count);
    return ask_blaster(query, conditions, count, query->conditions.at, query->conditions.count, conflicts);
}

static enum answer ask_sat(struct query *query, uint64_t conflicts) {
    const term_list *conditions = query->equated.count ? &query->equated : &query->conditions;
    enum answer answer = query_ask_sat(query, conditions->at, conditions->count, conflicts);
    if (answer == ANSWER_YES) cache_learn(query, ANSWER_YES, NULL, 0);
    return answer;
}

static bool count_term(void *context, Term t) {
    struct solver *solver = context;
    struct solver_counters *statistics = &solver->statistics;
    statistics->nodes++;
    switch (term_kind(solver->terms, t)) {
    case KIND_MUL:
    case KIND_UDIV:
    case KIND_UREM:
    case KIND_SDIV:
    case KIND_SREM: statistics->products++; break;
    case KIND_SELECT: statistics->reads++; break;
    case KIND_STORE: statistics->writes++; break;
    default: break;
    }
    return true;
}

// Limits below full effort: queries with more terms are not bit-blasted, and the SAT search ends after this many
// conflicts.
static const struct {
    uint32_t terms, conflicts;
} efforts[EFFORT_FULL] = {{1000, 100}, {16000, 2000}};

static enum answer ask_sat_with_effort(struct query *query) {
    unsigned effort = query->solver->effort;
    assert(effort < COUNT(efforts));
    if (has_more_terms(query, query->conditions.at, query->conditions.count, efforts[effort].terms))
        return ANSWER_UNKNOWN;
    return ask_sat(query, efforts[effort].conflicts);
}

// Circuits of floats are hard: SAT first gets only this many conflicts, so that the layer `search2` runs next.
#define FIRST_CONFLICTS 1000u

enum answer solver_layer_sat(struct query *query) {
    const struct solver_options *options = &query->solver->options;
    uint64_t conflicts = options->z3 ? options->conflicts : 0;
    bool first = options->search2 && options->sat2 && query_has_floats(query);
    if (query->solver->effort < EFFORT_FULL) return ask_sat_with_effort(query);
    query->solver->statistics.conditions += query->conditions.count;
    term_visit(query->solver->terms, query->conditions.at, query->conditions.count, count_term,
               query->solver);
    return ask_sat(query, first && (!conflicts || conflicts > FIRST_CONFLICTS) ? FIRST_CONFLICTS : conflicts);
}

enum answer solver_layer_sat2(struct query *query) {
    const struct solver_options *options = &query->solver->options;
    uint64_t conflicts = options->z3 ? options->conflicts : 0;
    if (!options->sat || !options->search2 || !query_has_floats(query) || query->too_large ||
        (conflicts && conflicts <= FIRST_CONFLICTS))
        return ANSWER_UNKNOWN; // solver_layer_sat already had the full limit
    return ask_sat(query, conflicts);
}

enum answer solver_layer_z3(struct query *query) {
    struct solver *solver = query->solver;
    if (query->too_large) return ANSWER_UNKNOWN;
    if (!solver->z3) solver->z3 = z3_new(solver);
    solver->work += WORK_Z3;
    enum answer answer = z3_solve(solver->z3, query, query->conditions.at, query->conditions.count, true);
    if (answer != ANSWER_UNKNOWN) cache_learn(query, answer, query->conditions.at, query->conditions.count);
    return answer;
}

// An answer that fails its check is a bug of Tamar: nothing that follows from it can be trusted.
static void check_answer(struct query *query, enum answer answer, const char *layer) {
    struct solver *solver = query->solver;
    if (answer == ANSWER_YES && !query_holds(query))
        error_internal("the solver's layer %s returned a model that does not satisfy the query", layer);
    if (answer == ANSWER_NO && solver->options.check) query_check_refutation(query, layer);
}

void query_check_refutation(struct query *query, const char *layer) {
    struct solver *solver = query->solver;
    assert(solver->options.check);
    if (!solver->z3) solver->z3 = z3_new(solver);
    switch (z3_solve(solver->z3, query, query->conditions.at, query->conditions.count, false)) {
    case ANSWER_YES: error_internal("the solver's layer %s refuted a query for which Z3 has a model", layer);
    case ANSWER_NO: solver->statistics.checked++; break;
    case ANSWER_UNKNOWN: solver->statistics.unchecked++; break;
    }
}

// Keeps the models of layers that compute one. SAT, scan and others learn more from their answers and keep their models
// themselves.
static void keep_model(struct query *query, unsigned layer) {
    bool is_computed = layer == LAYER_MOVE || layer == LAYER_ENUMERATE || layer == LAYER_INTERVAL;
    if (is_computed && query->solver->options.cache) cache_keep_model(query);
}

// Indexed by enum layer.
static enum answer (*const layers[LAYER_COUNT])(struct query *query) = {
#define LAYER(number, name, ...) [LAYER_##number] = solver_layer_##name,
    LAYER_TABLE(LAYER)
#undef LAYER
};

static const size_t switches[LAYER_COUNT] = {
#define LAYER(number, name, ...) [LAYER_##number] = offsetof(struct solver_options, name),
    LAYER_TABLE(LAYER)
#undef LAYER
};

static bool is_on(const struct solver *solver, unsigned layer) {
    assert(layer < LAYER_COUNT && layers[layer]);
    return *(const bool *)((const char *)&solver->options + switches[layer]);
}

// Layers for floats are skipped in programs without floats.
static bool is_idle(const struct solver *solver, unsigned layer) {
    return layer_facts[layer].floats_only && !terms_have_floats(solver->terms);
}

// A lookup without search that found nothing is not counted as a query: nothing depends on its answer.
static void count_answer(struct query *query, enum answer answer) {
    struct solver_counters *statistics = &query->solver->statistics;
    if (answer == ANSWER_UNKNOWN && query->solver->is_quick) {
        statistics->known++;
        return;
    }
    statistics->queries++;
    statistics->groups += query->all_groups;
    statistics->yes += answer == ANSWER_YES;
    statistics->no += answer == ANSWER_NO;
    statistics->unknown += answer == ANSWER_UNKNOWN;
}

enum answer query_answer(struct query *query) {
    struct solver *solver = query->solver;
    enum answer answer = ANSWER_UNKNOWN;
    assert(solver->busy && query->found.count == query->vars.count);
    uint64_t start = clock_nanoseconds(), before = start;
    for (unsigned i = 0; i < LAYER_COUNT && answer == ANSWER_UNKNOWN; i++) {
        if (!is_on(solver, i) || is_idle(solver, i) || limits_over() ||
            (i > LAYER_SAT && solver->effort < EFFORT_FULL) || (i > LAYER_DISK && solver->is_quick) ||
            (query->deadline && before >= query->deadline))
            continue;
        struct layer_counters *counters = &solver->statistics.layers[i];
        answer = layers[i](query);
        check_answer(query, answer, layer_facts[i].name);
        if (answer == ANSWER_YES) keep_model(query, i);
        uint64_t now = clock_nanoseconds();
        counters->asked++;
        counters->answered += answer != ANSWER_UNKNOWN;
        counters->nanoseconds += now - before;
        before = now;
    }
    solver->statistics.nanoseconds += before - start;
    count_answer(query, answer);
    return answer;
}

enum answer query_known(struct query *query) {
    struct solver *solver = query->solver;
    uint64_t start = clock_nanoseconds();
    enum answer answer = ANSWER_UNKNOWN;
    assert(solver->busy && query->domains.count == query->vars.count);
    solver->statistics.known++;
    vec_each (struct set, set, &query->domains)
        if (set_is_empty(set)) answer = ANSWER_NO;
    if (answer == ANSWER_UNKNOWN && solver->options.model) answer = solver_layer_model(query);
    if (answer == ANSWER_UNKNOWN && solver->options.cache && !cache_is_empty(solver->cache))
        answer = solver_layer_cache(query);
    check_answer(query, answer, "known");
    solver->statistics.nanoseconds += clock_nanoseconds() - start;
    return answer;
}
