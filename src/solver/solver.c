#include "base/clock.h"
#include "base/error.h"
#include "solver/cache_int.h"

const struct solver_options solver_defaults = {
#define LAYER(number, name, ...) .name = true,
    LAYER_TABLE(LAYER)
#undef LAYER
        .independence = true,
    .check = false,
#define X(name, what) .blast.name = true,
    BLAST_SWITCHES(X)
#undef X
        .conflicts = 100000,
    .cache_size = (size_t)1 << 30,
};

static void mark_groups(struct terms *terms, void *context) {
    struct solver *solver = context;
    rope_mark_all(&solver->conditions, terms);
}

struct solver *solver_new(struct terms *terms, const struct solver_options *options) {
    assert(terms && options && options->timeout >= 0);
    struct solver *solver = NEW(struct solver);
    solver->terms = terms;
    solver->options = *options;
    solver->effort = EFFORT_FULL;
    solver->evaluator = evaluator_new(terms);
    solver->tabulator = tabulator_new(terms);
    solver->lanes = lanes_new(terms);
    solver->ranges = ranges_new(terms);
    solver->cache = cache_new(solver);
    if (options->disk && options->cache_file)
        solver->disk = disk_open(options->cache_file, options->cache_size);
    if (options->log) solver->log = query_log_new(terms, options->log);
    terms_add_roots(terms, mark_groups, solver);
    return solver;
}

void solver_close_files(struct solver *solver) {
    assert(!solver->busy);
    query_log_free(solver->log);
    solver->log = NULL;
    disk_close(solver->disk);
    solver->disk = NULL;
}

void solver_free(struct solver *solver) {
    if (!solver) return;
    assert(!solver->busy);
    assert(!solver->group_count); // every path condition was freed
    terms_remove_roots(solver->terms, mark_groups, solver);
    solver_close_files(solver);
    cache_free(solver->cache);
    z3_free(solver->z3);
    blaster_free(solver->blaster);
    lanes_free(solver->lanes);
    scan_free(solver->scan);
    parity_free(solver->parity);
    ranges_free(solver->ranges);
    tabulator_free(solver->tabulator);
    evaluator_free(solver->evaluator);
    for (unsigned i = 0; i < PATH_EVALUATORS; i++) evaluator_free(solver->path_evaluators[i].evaluator);
    vec_free(&solver->position);
    vec_free(&solver->query.conditions);
    vec_free(&solver->query.vars);
    vec_free(&solver->query.start);
    vec_free(&solver->query.domains);
    vec_free(&solver->query.found);
    vec_free(&solver->query.found_arrays);
    vec_free(&solver->query.groups);
    vec_free(&solver->query.equal_to);
    vec_free(&solver->query.equated);
    DELETE(solver);
}

void solver_set_effort(struct solver *solver, unsigned effort) {
    assert(effort <= EFFORT_FULL);
    solver->effort = effort;
}

void solver_set_timeout(struct solver *solver, double seconds) { solver->options.timeout = seconds; }
const struct solver_counters *solver_statistics(const struct solver *solver) { return &solver->statistics; }

void solver_restore_statistics(struct solver *solver, const struct solver_counters *counters) {
    solver->statistics = *counters;
}

void solver_check_refutation(struct solver *solver, const struct path_condition *path, Term condition,
                             const char *layer) {
    if (path->contradiction) return;
    if (term_is_const(solver->terms, condition)) {
        if (term_value(solver->terms, condition))
            error_internal("the solver's layer %s refuted a condition that is true", layer);
        return;
    }
    struct query *query = query_start(solver, path, &condition, 1);
    query_check_refutation(query, layer);
    query_done(query);
}

// Conditions without inputs, and conditions under an unsatisfiable path condition, need no query.
static bool is_decided(struct solver *solver, const struct path_condition *path, Term condition,
                       enum answer *answer) {
    assert(term_width(solver->terms, condition) == 1);
    if (path->contradiction) {
        *answer = ANSWER_NO;
        return true;
    }
    if (term_support(solver->terms, condition)) return false;
    *answer = solver_evaluate(solver, path, condition) ? ANSWER_YES : ANSWER_NO;
    return true;
}

// Whether the assignment satisfies the condition: an answer of the layer `model`, without building a query.
static bool is_satisfied(struct solver *solver, const struct path_condition *path, Term condition) {
    if (!solver->options.model || path->without_model || limits_over()) return false;
    uint64_t start = clock_nanoseconds();
    if (!solver_evaluate(solver, path, condition)) return false;
    struct solver_counters *all = &solver->statistics;
    uint64_t took = clock_nanoseconds() - start;
    all->queries++;
    all->yes++;
    all->evaluations++;
    all->groups += path->group_count;
    all->layers[LAYER_MODEL].asked++;
    all->layers[LAYER_MODEL].answered++;
    all->layers[LAYER_MODEL].nanoseconds += took;
    all->nanoseconds += took;
    return true;
}

enum answer solver_may_be_true(struct solver *solver, const struct path_condition *path, Term condition,
                               struct model **model) {
    enum answer answer;
    if (model) *model = NULL;
    if (is_decided(solver, path, condition, &answer)) return answer;
    log_query(solver, path, condition);
    struct side side;
    if (byte_may_be_true(solver, path, condition, &side)) {
        assert(side.answer != ANSWER_UNKNOWN && (side.answer == ANSWER_YES) == (side.model != NULL));
        if (model)
            *model = side.model;
        else
            model_release(side.model);
        return side.answer;
    }
    if (is_satisfied(solver, path, condition)) return ANSWER_YES;
    struct query *query = query_start(solver, path, &condition, 1);
    answer = query_answer(query);
    if (answer == ANSWER_YES && model) *model = query_model(query);
    query_done(query);
    return answer;
}

// Whether the condition is false for every value in the domain of its only byte.
static bool is_refuted_by_domain(struct solver *solver, const struct path_condition *path, Term condition) {
    uint32_t var = term_single_var(solver->terms, condition);
    const struct set *domain = var == VAR_NONE ? NULL : path_domain(path, var);
    const uint64_t *set = domain ? tabulate_set(solver->tabulator, condition) : NULL;
    if (!set) return false;
    struct set left = *domain;
    set_meet(&left, set);
    if (!set_is_empty(&left)) return false;
    if (solver->options.check) solver_check_refutation(solver, path, condition, "known");
    return true;
}

enum answer solver_lookup(struct solver *solver, const struct path_condition *path, Term condition,
                          struct model **model) {
    enum answer answer;
    assert(model);
    *model = NULL;
    if (is_decided(solver, path, condition, &answer)) return answer;
    if (path_size(solver, path, condition) > MOST_NAMED) {
        solver->statistics.known++;
        if (is_satisfied(solver, path, condition)) return ANSWER_YES;
        return is_refuted_by_domain(solver, path, condition) ? ANSWER_NO : ANSWER_UNKNOWN;
    }
    struct query *query = query_start(solver, path, &condition, 1);
    answer = query_known(query);
    if (answer == ANSWER_YES) *model = query_model(query);
    query_done(query);
    return answer;
}

void solver_branch(struct solver *solver, const struct path_condition *path, Term condition,
                   struct branch *branch) {
    if (byte_branch(solver, path, condition, branch)) {
        if (!solver->log) return;
        log_query(solver, path, condition);
        log_query(solver, path, term_not(solver->terms, condition));
        return;
    }
    branch->yes.answer = solver_may_be_true(solver, path, condition, &branch->yes.model);
    branch->no.answer =
        solver_may_be_true(solver, path, term_not(solver->terms, condition), &branch->no.model);
    // If both sides are refuted, the path condition is unsatisfiable and has no model.
    assert(branch->yes.answer != ANSWER_NO || branch->no.answer != ANSWER_NO || path->contradiction ||
           path->without_model);
}

void solver_branch_free(struct branch *branch) {
    model_release(branch->yes.model);
    model_release(branch->no.model);
    *branch = (struct branch){0};
}

// Models for groups that have none

struct unsolved {
    vec(uint32_t) vars; // one var of each group
};

static void note_unsolved(void *context, uint32_t key, uint64_t value) {
    const struct group *group = (const struct group *)(uintptr_t)value;
    struct unsolved *unsolved = context;
    if (!group->has_model) vec_push(&unsolved->vars, varset_next(group->solver->terms, group->vars, 0));
}

static enum answer solve_group(struct solver *solver, struct path_condition *path, uint32_t var) {
    struct group *group = path_group(path, var);
    assert(group && !group->has_model);
    // The last condition is the new one of the query: the others come with the group.
    Term condition = rope_last(group->conditions);
    log_query(solver, path, condition);
    struct query *query = query_start(solver, path, &condition, 1);
    enum answer answer = query_answer(query);
    struct model *model = answer == ANSWER_YES ? query_model(query) : NULL;
    query_done(query);
    if (model) path_set_model(path, var, model);
    model_release(model);
    return answer;
}

enum answer solver_check(struct solver *solver, struct path_condition *path) {
    if (path->contradiction) return ANSWER_NO;
    if (!path->without_model) return ANSWER_YES;
    struct unsolved unsolved = {0};
    tree_each(&path->groups, note_unsolved, &unsolved);
    assert(unsolved.vars.count == path->without_model);
    enum answer answer = ANSWER_YES;
    for (uint32_t i = 0; i < unsolved.vars.count && answer == ANSWER_YES; i++)
        answer = solve_group(solver, path, unsolved.vars.at[i]);
    vec_free(&unsolved.vars);
    assert((answer == ANSWER_YES) == !path->without_model);
    return answer;
}

// Values of terms

static uint8_t path_value(void *context, uint32_t var) { return path_byte(context, var); }
static const struct array_value *path_array_value(void *context, uint32_t var) {
    return path_array(context, var);
}

// The evaluator of this assignment if there is one, else the least recently used one.
static struct evaluator *evaluator_for(struct solver *solver, const struct path_condition *path) {
    struct assignment assignment = {
        .byte = path_value, .array = path_array_value, .context = (void *)(uintptr_t)path};
    struct path_evaluator *oldest = &solver->path_evaluators[0], *one = oldest;
    for (unsigned i = 0; i < PATH_EVALUATORS; i++, one++) {
        if (one->evaluator && one->assignment == path->assignment) {
            one->used = ++solver->evaluator_uses;
            evaluator_move(one->evaluator, &assignment);
            return one->evaluator;
        }
        if (one->used < oldest->used) oldest = one;
    }
    if (!oldest->evaluator) oldest->evaluator = evaluator_new(solver->terms);
    evaluator_assign(oldest->evaluator, &assignment);
    oldest->assignment = path->assignment;
    oldest->used = ++solver->evaluator_uses;
    return oldest->evaluator;
}

uint64_t solver_evaluate(struct solver *solver, const struct path_condition *path, Term t) {
    assert(!term_is_array(solver->terms, t) && term_width(solver->terms, t) <= 64);
    if (term_is_const(solver->terms, t)) return term_value(solver->terms, t);
    return evaluate(evaluator_for(solver, path), t);
}

uint64_t solver_work(const struct solver *solver) {
    uint64_t visits = evaluator_visits(solver->evaluator);
    for (unsigned i = 0; i < PATH_EVALUATORS; i++)
        if (solver->path_evaluators[i].evaluator)
            visits += evaluator_visits(solver->path_evaluators[i].evaluator);
    return solver->work + WORK_VISIT * visits;
}

// Queries for a value of t in [low, high]. On YES it is in `*value`.
static enum answer value_between(struct solver *solver, const struct path_condition *path, Term t,
                                 uint64_t low, uint64_t high, uint64_t *value) {
    struct terms *terms = solver->terms;
    unsigned width = term_width(terms, t);
    assert(low <= high && high <= mask_bits(width));
    Term condition = term_and(terms, term_ule(terms, term_const(terms, width, low), t),
                              term_ule(terms, t, term_const(terms, width, high)));
    enum answer answer;
    if (is_decided(solver, path, condition, &answer)) {
        *value = low; // no query needed: the condition is decided
        if (answer == ANSWER_YES) *value = solver_evaluate(solver, path, t);
        return answer;
    }
    log_query(solver, path, condition);
    struct query *query = query_start(solver, path, &condition, 1);
    answer = query_answer(query);
    if (answer == ANSWER_YES) {
        query_assign(query, query->found.at);
        *value = evaluate(solver->evaluator, t);
        assert(low <= *value && *value <= high);
    }
    query_done(query);
    return answer;
}

// The distance from a known value at which the next one is queried; the bound is at most `gap` away. Most terms have
// few values, close to each other: the steps begin with 1 and double as long as there are values. Then the rest is
// bisected.
static uint64_t stride(uint64_t gap, unsigned found) {
    assert(gap > 0);
    return MIN(1ull << MIN(found, 63), (gap - 1) / 2 + 1);
}

static enum answer lowest(struct solver *solver, const struct path_condition *path, Term t, uint64_t *bound) {
    uint64_t low = term_facts(solver->terms, t).low, known = *bound;
    assert(low <= known); // the facts hold for every value
    for (unsigned found = 0; low < known;) {
        uint64_t value, middle = known - stride(known - low, found);
        enum answer answer = value_between(solver, path, t, low, middle, &value);
        if (answer == ANSWER_UNKNOWN) return answer;
        if (answer == ANSWER_YES)
            known = value, found++;
        else
            low = middle + 1;
    }
    *bound = known;
    return ANSWER_YES;
}

static enum answer highest(struct solver *solver, const struct path_condition *path, Term t,
                           uint64_t *bound) {
    uint64_t high = term_facts(solver->terms, t).high, known = *bound;
    assert(known <= high);
    for (unsigned found = 0; known < high;) {
        uint64_t value, middle = known + stride(high - known, found);
        enum answer answer = value_between(solver, path, t, middle, high, &value);
        if (answer == ANSWER_UNKNOWN) return answer;
        if (answer == ANSWER_YES)
            known = value, found++;
        else
            high = middle - 1;
    }
    *bound = known;
    return ANSWER_YES;
}

enum answer solver_bounds(struct solver *solver, const struct path_condition *path, Term t, uint64_t *low,
                          uint64_t *high) {
    assert(term_width(solver->terms, t) <= 64);
    struct facts facts = term_facts(solver->terms, t);
    struct path_condition solved = path_copy(path);
    // A value is a bound only if the path condition has a model.
    enum answer answer = solver_check(solver, &solved), other = answer;
    if (answer == ANSWER_YES) {
        *low = *high = solver_evaluate(solver, &solved, t);
        answer = lowest(solver, &solved, t, low);
        other = highest(solver, &solved, t, high);
    }
    path_free(&solved);
    if (answer != ANSWER_YES) *low = facts.low; // a sound bound, perhaps not the least
    if (other != ANSWER_YES) *high = facts.high;
    assert(*low <= *high);
    return answer == ANSWER_YES ? other : answer;
}

void solver_byte_bounds(struct solver *solver, const struct path_condition *path, uint32_t var, Term byte,
                        uint64_t *low, uint64_t *high) {
    const struct set *domain = path_domain(path, var);
    struct set values = domain ? *domain : set_full();
    assert(term_width(solver->terms, byte) == 8 && !set_is_empty(&values));
    unsigned least = model_set_next(&values, 0), most = least;
    for (unsigned value = least; value < 256; value = model_set_next(&values, value + 1)) most = value;
    *low = least;
    *high = most;
    if (path->without_model || path->contradiction || least == most) return;
    bool is_quick = solver->is_quick;
    solver->is_quick = true;
    uint64_t lower = solver_evaluate(solver, path, byte), upper = lower;
    if (lowest(solver, path, byte, &lower) == ANSWER_YES) *low = lower;
    if (highest(solver, path, byte, &upper) == ANSWER_YES) *high = upper;
    solver->is_quick = is_quick;
    assert(*low <= *high);
}

// Whether t has more than `most` values, found without a query for each.
static bool has_many_values(struct solver *solver, const struct path_condition *path, Term t, unsigned most) {
    struct terms *terms = solver->terms;
    Term other = term_ne(terms, t, term_const(terms, term_width(terms, t), solver_evaluate(solver, path, t)));
    if (!solver->options.move || term_is_const(terms, other)) return false;
    struct query *query = query_start(solver, path, &other, 1);
    bool many = query_has_values(query, t, most + 1);
    query_done(query);
    return many;
}

enum answer solver_values(struct solver *solver, const struct path_condition *path, Term t, uint64_t *values,
                          unsigned most, unsigned *count) {
    struct terms *terms = solver->terms;
    unsigned width = term_width(terms, t);
    assert(width <= 64 && most > 0);
    struct path_condition others = path_copy(path);
    enum answer answer = solver_check(solver, &others);
    *count = 0;
    if (answer == ANSWER_YES && has_many_values(solver, &others, t, most)) {
        path_free(&others);
        return ANSWER_NO;
    }
    for (; answer == ANSWER_YES && *count < most; ++*count) {
        values[*count] = solver_evaluate(solver, &others, t);
        assert(!*count || values[*count] != values[*count - 1]);
        Term other = term_ne(terms, t, term_const(terms, width, values[*count]));
        struct model *model;
        answer = solver_may_be_true(solver, &others, other, &model);
        if (answer == ANSWER_YES) path_add(solver, &others, other, model);
        model_release(model);
    }
    path_free(&others);
    if (answer == ANSWER_YES) return ANSWER_NO; // `values` is full, and there are more
    return answer == ANSWER_NO ? ANSWER_YES : ANSWER_UNKNOWN;
}

void solver_print_statistics(const struct solver *solver, FILE *out) {
    const struct solver_counters *all = &solver->statistics;
    fprintf(out, "(");
#define COUNTER(name, meaning) fprintf(out, ":%s %llu\n ", #name, (unsigned long long)all->name);
    SOLVER_COUNTERS(COUNTER)
#undef COUNTER
    for (unsigned i = 0; i < LAYER_COUNT; i++) {
        const struct layer_counters *layer = &all->layers[i];
        const char *name = layer_facts[i].name;
        fprintf(out, ":%s-asked %llu :%s-answered %llu :%s-time %.6f\n ", name,
                (unsigned long long)layer->asked, name, (unsigned long long)layer->answered, name,
                1e-9 * (double)layer->nanoseconds);
    }
    fprintf(out, ":time %.6f)\n", 1e-9 * (double)all->nanoseconds);
}
