// Random API traces of the solver, compared with Z3: build values, fork path conditions, query both sides of branches,
// add conditions, collect garbage, cancel, set limits, with random switches. A seed reproduces a trace; a failure is
// shrunk.
//
//     fuzz_solver [--seeds FIRST-LAST] [--steps N] [--widest BITS] [--skip I,J,...]
//                 [--floats] [--pure] [--arrays] [--verbose]
//
// Each step depends only on (seed, number of the step), so a trace is shrunk by leaving out
// steps.
#include "base/hash.h"
#include "base/run_limits.h"
#include "expr/print_term.h"
#include "solver/solver.h"
#include "tests/fuzz/solver/pairs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATHS           6
#define MOST            512
#define Z3_EFFORT       300000u // Z3's rlimit, which does not depend on the machine
#define Z3_MILLISECONDS 500u    // time limit, for work that rlimit does not count

// Logics, by the operations that occur in a formula.
static const char *const logics[] = {"QF_BV", "QF_ABV", "QF_FP", "QF_BVFP", "QF_ABVFP"};

struct trace {
    struct pairs pairs;
    struct terms *terms;
    struct solver *solver;
    struct path_condition path[PATHS];
    vec(struct pair) added[PATHS]; // conditions added to each path
    uint64_t seed;
    bool verbose;
    unsigned queries, decided, skipped, unknown, mistaken;
    unsigned by_logic[COUNT(logics)];
};

struct options {
    uint64_t first, last;
    unsigned steps, widest;
    bool skip[MOST], verbose, floats, pure, arrays;
};

struct totals {
    uint64_t formulas, queries, decided, unknown, skipped, mistaken;
    uint64_t by_logic[COUNT(logics)]; // decided queries of each logic
};

// Limits processor time, so that a busy machine does not look like a hang.
static void limit_time(unsigned seconds) {
    struct itimerval limit = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static struct random step_random(uint64_t seed, unsigned step) {
    return (struct random){hash_combine(seed, step)};
}

static void mark_pool(struct terms *terms, void *context) {
    struct trace *trace = context;
    vec_each (struct pair, pair, &trace->pairs.pool) term_mark(terms, pair->term);
    // A path condition keeps only conditions that it does not already imply.
    for (unsigned path = 0; path < PATHS; path++)
        vec_each (struct pair, added, &trace->added[path]) term_mark(terms, added->term);
}

static struct solver_options random_options(struct random *random, bool bits_only) {
    struct solver_options options = solver_defaults;
    bool all = random_below(random, 3) == 0;
#define LAYER(number, name, ...) options.name = all || random_below(random, 4) != 0;
    LAYER_TABLE(LAYER)
#undef LAYER
    options.disk = false;
    options.sat = options.sat || !options.z3;
    if (bits_only && random_below(random, 2)) { // so that every read of an array is the blaster's
#define LAYER(number, name, ...) options.name = false;
        LAYER_TABLE(LAYER)
#undef LAYER
        options.sat = true;
    }
    options.independence = all || random_below(random, 4);
#define X(name, what) options.blast.name = all || random_below(random, 3);
    BLAST_SWITCHES(X)
#undef X
    options.conflicts = 3000;
    options.timeout = 0.3;
    return options;
}

static enum answer ask_z3(struct trace *trace, unsigned path, struct pair condition) {
    Z3_context c = trace->pairs.z3;
    Z3_solver solver = Z3_mk_simple_solver(c); // no tactics: it starts in a fraction of the time
    Z3_solver_inc_ref(c, solver);
    Z3_params parameters = Z3_mk_params(c);
    Z3_params_inc_ref(c, parameters);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "rlimit"), Z3_EFFORT);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "timeout"), Z3_MILLISECONDS);
    Z3_solver_set_params(c, solver, parameters);
    vec_each (struct pair, added, &trace->added[path])
        Z3_solver_assert(c, solver, pairs_truth(&trace->pairs, added->z3));
    Z3_solver_assert(c, solver, pairs_truth(&trace->pairs, condition.z3));
    Z3_lbool result = Z3_solver_check(c, solver);
    Z3_params_dec_ref(c, parameters);
    Z3_solver_dec_ref(c, solver);
    if (pairs_z3_broken) return ANSWER_UNKNOWN;
    return result == Z3_L_TRUE ? ANSWER_YES : result == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNKNOWN;
}

static const char *name_of(enum answer answer) {
    return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "unknown";
}

static void describe(struct trace *trace, unsigned path, struct pair condition) {
    vec(Term) all = {0};
    vec_each (struct pair, added, &trace->added[path]) vec_push(&all, added->term);
    vec_each (struct pair, added, &trace->added[path])
        fprintf(stderr, "Z3 has: %s\n", Z3_ast_to_string(trace->pairs.z3, added->z3));
    fprintf(stderr, "Z3 has: %s\n", Z3_ast_to_string(trace->pairs.z3, condition.z3));
    if (condition.term) vec_push(&all, condition.term);
    struct text text = {0};
    terms_print_script(trace->terms, &text, all.at, all.count);
    fprintf(stderr, "we have:\n%s\n", text.at);
    text_free(&text);
    vec_free(&all);
    solver_print_statistics(trace->solver, stderr);
}

// Finds the first pair whose two sides have different values: it is the cause.
static void blame(struct trace *trace) {
    Z3_context c = trace->pairs.z3;
    uint32_t vars = terms_var_count(trace->terms);
    uint8_t *bytes = NEW_ARRAY(uint8_t, vars);
    Z3_ast *from = NEW_ARRAY(Z3_ast, vars), *to = NEW_ARRAY(Z3_ast, vars);
    Z3_sort byte = Z3_mk_bv_sort(c, 8);
    struct random random = {trace->seed};
    struct evaluator *evaluator = evaluator_new(trace->terms);
    for (unsigned round = 0; round < 200; round++) {
        for (uint32_t i = 0; i < vars; i++) {
            bytes[i] = (uint8_t)random_next(&random);
            from[i] = Z3_mk_const(c, Z3_mk_int_symbol(c, (int)i), byte);
            to[i] = Z3_mk_unsigned_int64(c, bytes[i], byte);
        }
        evaluator_assign(evaluator, &(struct assignment){.bytes = bytes, .count = vars});
        vec_each (struct pair, pair, &trace->pairs.pool) {
            uint64_t theirs;
            if (term_is_array(trace->terms, pair->term) || term_width(trace->terms, pair->term) > 64)
                continue;
            Z3_ast value = Z3_simplify(c, Z3_substitute(c, pair->z3, vars, from, to));
            if (Z3_get_ast_kind(c, value) != Z3_NUMERAL_AST || !Z3_get_numeral_uint64(c, value, &theirs))
                continue;
            uint64_t ours = evaluate(evaluator, pair->term);
            if (ours == theirs) continue;
            struct text text = {0};
            term_print(trace->terms, &text, pair->term);
            fprintf(stderr, "%s\nis %llx, for Z3 %llx", text.at, (unsigned long long)ours,
                    (unsigned long long)theirs);
            for (uint32_t i = 0; i < vars; i++) fprintf(stderr, " %02x", bytes[i]);
            fprintf(stderr, "\n");
            text_free(&text);
            round = 200;
            break;
        }
    }
    evaluator_free(evaluator);
    DELETE_ARRAY(bytes, vars);
    DELETE_ARRAY(from, vars);
    DELETE_ARRAY(to, vars);
}

// Whether all conditions are true under the values, by the evaluator; bytes by input variable.
static bool we_accept(struct trace *trace, unsigned path, struct pair condition, const uint8_t *bytes,
                      uint32_t vars) {
    struct evaluator *evaluator = evaluator_new(trace->terms);
    evaluator_assign(evaluator, &(struct assignment){.bytes = bytes, .count = vars});
    bool all = evaluate(evaluator, condition.term);
    vec_each (struct pair, added, &trace->added[path]) all = all && evaluate(evaluator, added->term);
    evaluator_free(evaluator);
    return all;
}

// A formula that is true for given values has a model. Z3's solver (4.8.12) has refuted formulas with floats although
// Z3's own arithmetic on constants finds them true under our model. Our evaluator (the processor's arithmetic for float
// and double to nearest) agrees. The two share no code, so both together prove Z3's refutation wrong.
static bool model_is_proved(struct trace *trace, unsigned path, struct pair condition) {
    Z3_context c = trace->pairs.z3;
    struct model *model = NULL;
    if (solver_may_be_true(trace->solver, &trace->path[path], condition.term, &model) != ANSWER_YES)
        return false;
    uint32_t vars = terms_var_count(trace->terms);
    uint8_t *bytes = NEW_ARRAY(uint8_t, vars);
    for (uint32_t i = 0; i < vars; i++) bytes[i] = model_byte(model, i, path_byte(&trace->path[path], i));
    bool all = we_accept(trace, path, condition, bytes, vars);
    Z3_ast *from = NEW_ARRAY(Z3_ast, vars), *to = NEW_ARRAY(Z3_ast, vars);
    Z3_sort byte = Z3_mk_bv_sort(c, 8);
    for (uint32_t i = 0; i < vars; i++) {
        from[i] = Z3_mk_const(c, Z3_mk_int_symbol(c, (int)i), byte);
        to[i] = Z3_mk_unsigned_int64(c, bytes[i], byte);
    }
    for (uint32_t i = 0; i <= trace->added[path].count && all; i++) {
        Z3_ast one = i < trace->added[path].count ? trace->added[path].at[i].z3 : condition.z3;
        Z3_ast value = Z3_simplify(c, Z3_substitute(c, one, vars, from, to));
        uint64_t bit = 0;
        all =
            Z3_get_ast_kind(c, value) == Z3_NUMERAL_AST && Z3_get_numeral_uint64(c, value, &bit) && bit == 1;
    }
    DELETE_ARRAY(bytes, vars);
    DELETE_ARRAY(from, vars);
    DELETE_ARRAY(to, vars);
    model_release(model);
    return all;
}

struct contents {
    struct terms *terms;
    bool bits, arrays, floats;
};

// Notes the theories that a term needs. Constants, input bytes, concats and extracts count for none: they only build
// inputs of some sort. Boolean connectives belong to every logic.
static bool note_contents(void *context, Term t) {
    struct contents *contents = context;
    enum kind kind = term_kind(contents->terms, t);
    if (kind_infos[kind].properties & KP_FLOAT)
        contents->floats = true;
    else if (term_is_array(contents->terms, t) || kind == KIND_SELECT || kind == KIND_ARRAY_EQ)
        contents->arrays = true;
    else if (kind != KIND_CONST && kind != KIND_BYTE && kind != KIND_CONCAT && kind != KIND_EXTRACT)
        contents->bits |= term_width(contents->terms, t) > 1 || kind_infos[kind].properties & KP_PREDICATE;
    return true;
}

static unsigned logic_of(struct trace *trace, unsigned path, struct pair condition) {
    struct contents has = {.terms = trace->terms};
    if (condition.term) term_visit(trace->terms, &condition.term, 1, note_contents, &has);
    vec_each (struct pair, added, &trace->added[path])
        term_visit(trace->terms, &added->term, 1, note_contents, &has);
    return has.floats ? (has.arrays ? 4 : has.bits ? 3 : 2) : has.arrays;
}

static void compare(struct trace *trace, unsigned path, struct pair condition, enum answer ours) {
    trace->queries++;
    if (ours == ANSWER_UNKNOWN) {
        trace->unknown++;
        return;
    }
    enum answer theirs = ask_z3(trace, path, condition);
    if (theirs == ANSWER_UNKNOWN) {
        trace->skipped++;
        return;
    }
    trace->decided++;
    trace->by_logic[logic_of(trace, path, condition)]++;
    if (ours == ANSWER_YES && theirs == ANSWER_NO && model_is_proved(trace, path, condition)) {
        trace->mistaken++;
        if (trace->verbose) describe(trace, path, condition);
        return;
    }
    if (ours == theirs) return;
    if (trace->verbose) describe(trace, path, condition);
    fprintf(stderr, "seed %llu: we say %s, Z3 says %s\n", (unsigned long long)trace->seed, name_of(ours),
            name_of(theirs));
    blame(trace);
    exit(1);
}

// The path condition's own assignment must satisfy everything that was added to it.
static void check_path(struct trace *trace, unsigned path) {
    vec_each (struct pair, added, &trace->added[path]) {
        if (trace->path[path].without_model ||
            solver_evaluate(trace->solver, &trace->path[path], added->term))
            continue;
        fprintf(stderr, "seed %llu: a path condition's model breaks it\n", (unsigned long long)trace->seed);
        exit(1);
    }
}

static void add_side(struct trace *trace, unsigned path, struct pair condition, struct side *side) {
    if (side->answer != ANSWER_YES) return;
    path_add(trace->solver, &trace->path[path], condition.term, side->model);
    vec_push(&trace->added[path], condition);
    check_path(trace, path);
}

static void step_branch(struct trace *trace, struct random *random, unsigned path) {
    struct pair yes = pairs_condition(&trace->pairs, random), no = pairs_not(&trace->pairs, yes);
    struct branch branch;
    solver_branch(trace->solver, &trace->path[path], yes.term, &branch);
    compare(trace, path, yes, branch.yes.answer);
    compare(trace, path, no, branch.no.answer);
    bool first = random_below(random, 2), add = random_below(random, 4) != 0;
    if (add) add_side(trace, path, first ? yes : no, first ? &branch.yes : &branch.no);
    solver_branch_free(&branch);
}

static void step_fork(struct trace *trace, struct random *random, unsigned from) {
    unsigned to = (unsigned)random_below(random, PATHS);
    if (to == from) return;
    path_free(&trace->path[to]);
    trace->path[to] = path_copy(&trace->path[from]);
    vec_clear(&trace->added[to]);
    vec_each (struct pair, added, &trace->added[from]) vec_push(&trace->added[to], *added);
}

// Conditions added without a query, then all of them solved.
static void step_unchecked(struct trace *trace, struct random *random, unsigned path) {
    struct path_condition saved = path_copy(&trace->path[path]);
    uint32_t had = trace->added[path].count;
    struct pair last = {0};
    for (unsigned i = 0; i < 3; i++) {
        last = pairs_condition(&trace->pairs, random);
        path_add(trace->solver, &trace->path[path], last.term, NULL);
        vec_push(&trace->added[path], last);
    }
    enum answer answer = solver_check(trace->solver, &trace->path[path]);
    compare(trace, path, last, answer);
    if (answer == ANSWER_YES) {
        check_path(trace, path);
        path_free(&saved);
    } else {
        path_free(&trace->path[path]);
        trace->path[path] = saved;
        trace->added[path].count = had;
    }
}

static void step_cancelled(struct trace *trace, struct random *random, unsigned path) {
    struct pair condition = pairs_condition(&trace->pairs, random);
    limits_request(LIMIT_INTERRUPT);
    enum answer answer = solver_may_be_true(trace->solver, &trace->path[path], condition.term, NULL);
    limits_withdraw();
    if (answer != ANSWER_UNKNOWN) compare(trace, path, condition, answer);
    answer = solver_may_be_true(trace->solver, &trace->path[path], condition.term, NULL);
    compare(trace, path, condition, answer);
}

static void step_values(struct trace *trace, struct random *random, unsigned path) {
    struct pair value = trace->pairs.pool.at[random_below(random, trace->pairs.pool.count)];
    struct terms *terms = trace->terms;
    if (term_is_array(terms, value.term) || term_width(terms, value.term) > 16) return;
    uint64_t low, high, values[4];
    unsigned count, width = term_width(terms, value.term);
    Z3_context c = trace->pairs.z3;
    Z3_sort sort = Z3_mk_bv_sort(c, width), bit = Z3_mk_bv_sort(c, 1);
    Z3_ast one = Z3_mk_unsigned_int64(c, 1, bit), zero = Z3_mk_unsigned_int64(c, 0, bit);
    if (solver_bounds(trace->solver, &trace->path[path], value.term, &low, &high) == ANSWER_YES) {
        Z3_ast outside = Z3_mk_or(c, 2,
                                  (Z3_ast[]){Z3_mk_bvult(c, value.z3, Z3_mk_unsigned_int64(c, low, sort)),
                                             Z3_mk_bvugt(c, value.z3, Z3_mk_unsigned_int64(c, high, sort))});
        compare(trace, path, (struct pair){0, Z3_mk_ite(c, outside, one, zero)}, ANSWER_NO);
        Z3_ast at_low = Z3_mk_eq(c, value.z3, Z3_mk_unsigned_int64(c, low, sort));
        compare(trace, path, (struct pair){0, Z3_mk_ite(c, at_low, one, zero)}, ANSWER_YES);
        Z3_ast at_high = Z3_mk_eq(c, value.z3, Z3_mk_unsigned_int64(c, high, sort));
        compare(trace, path, (struct pair){0, Z3_mk_ite(c, at_high, one, zero)}, ANSWER_YES);
    }
    enum answer all = solver_values(trace->solver, &trace->path[path], value.term, values, 4, &count);
    if (all == ANSWER_UNKNOWN) return;
    Z3_ast others = Z3_mk_true(c);
    for (unsigned i = 0; i < count; i++) {
        Z3_ast differs = Z3_mk_not(c, Z3_mk_eq(c, value.z3, Z3_mk_unsigned_int64(c, values[i], sort)));
        others = Z3_mk_and(c, 2, (Z3_ast[]){others, differs});
    }
    compare(trace, path, (struct pair){0, Z3_mk_ite(c, others, one, zero)},
            all == ANSWER_YES ? ANSWER_NO : ANSWER_YES);
}

static void step(struct trace *trace, unsigned number) {
    struct random random = step_random(trace->seed, number);
    unsigned path = (unsigned)random_below(&random, PATHS), what = (unsigned)random_below(&random, 100);
    if (trace->verbose) fprintf(stderr, "step %u: %u on path %u\n", number, what, path);
    if (what < 55)
        pairs_add(&trace->pairs, &random);
    else if (what < 80)
        step_branch(trace, &random, path);
    else if (what < 86)
        step_fork(trace, &random, path);
    else if (what < 91)
        step_unchecked(trace, &random, path);
    else if (what < 94)
        step_values(trace, &random, path);
    else if (what < 96)
        step_cancelled(trace, &random, path);
    else if (what < 98)
        terms_collect(trace->terms);
    else
        path_free(&trace->path[path]), vec_clear(&trace->added[path]);
}

static void run(const struct options *options, uint64_t seed, struct totals *totals) {
    struct trace trace = {.seed = seed, .verbose = options->verbose, .terms = terms_new()};
    size_t before = mem_in_use();
    struct random random = step_random(seed, UINT32_MAX);
    struct solver_options solver_options = random_options(&random, options->arrays);
    trace.solver = solver_new(trace.terms, &solver_options);
    terms_add_roots(trace.terms, mark_pool, &trace);
    pairs_open(&trace.pairs, trace.terms, 1 + (unsigned)random_below(&random, options->widest));
    trace.pairs.floats = options->floats;
    trace.pairs.pure = options->pure;
    trace.pairs.arrays = options->arrays;
    pairs_add_leaves(&trace.pairs, &random);
    for (unsigned i = 0; i < options->steps; i++)
        if (!options->skip[i]) step(&trace, i);
    for (unsigned i = 0; i < PATHS; i++) {
        path_free(&trace.path[i]);
        vec_free(&trace.added[i]);
    }
    terms_remove_roots(trace.terms, mark_pool, &trace);
    solver_free(trace.solver);
    pairs_close(&trace.pairs);
    terms_free(trace.terms);
    if (mem_in_use() > before) {
        fprintf(stderr, "seed %llu: memory remains\n", (unsigned long long)seed);
        exit(1);
    }
    totals->formulas += trace.queries;
    totals->queries += trace.queries;
    totals->decided += trace.decided;
    totals->unknown += trace.unknown;
    totals->skipped += trace.skipped;
    totals->mistaken += trace.mistaken;
    for (unsigned i = 0; i < COUNT(logics); i++) totals->by_logic[i] += trace.by_logic[i];
}

// Runs a trace in a separate process; true if it succeeded.
static bool survives(const struct options *options, uint64_t seed, bool quiet) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) abort();
    if (!child) {
        if (quiet && !freopen("/dev/null", "w", stderr)) abort();
        limit_time(10);
        struct totals totals = {0};
        run(options, seed, &totals);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Leaves out runs of steps, shorter and shorter ones, as long as the trace still fails.
static void shrink(struct options options, uint64_t seed) {
    for (unsigned length = options.steps / 2; length; length /= 2)
        for (unsigned from = 0; from < options.steps; from += length) {
            struct options fewer = options;
            for (unsigned i = from; i < from + length && i < options.steps; i++) fewer.skip[i] = true;
            if (!survives(&fewer, seed, true)) options = fewer;
        }
    printf("replay: --seeds %llu-%llu --steps %u --widest %u%s%s%s --verbose --skip ",
           (unsigned long long)seed, (unsigned long long)seed, options.steps, options.widest,
           options.floats ? " --floats" : "", options.pure ? " --pure" : "",
           options.arrays ? " --arrays" : "");
    for (unsigned i = 0; i < options.steps; i++)
        if (options.skip[i]) printf("%u,", i);
    printf("\n");
}

static int usage(void) {
    fprintf(stderr, "usage: fuzz_solver [--seeds FIRST-LAST] [--steps N] [--widest BITS] [--skip I,J,...] "
                    "[--floats] [--pure] [--arrays] [--verbose]\n");
    return 2;
}

static bool parse(struct options *options, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        unsigned long long first, last;
        if (!strcmp(argv[i], "--verbose")) {
            options->verbose = true;
            continue;
        }
        if (!strcmp(argv[i], "--floats")) {
            options->floats = true;
            continue;
        }
        if (!strcmp(argv[i], "--pure")) {
            options->pure = true;
            continue;
        }
        if (!strcmp(argv[i], "--arrays")) {
            options->arrays = true;
            continue;
        }
        if (!value) return false;
        if (!strcmp(argv[i], "--seeds") && sscanf(value, "%llu-%llu", &first, &last) == 2)
            options->first = first, options->last = last;
        else if (!strcmp(argv[i], "--steps"))
            options->steps = MIN((unsigned)atoi(value), MOST);
        else if (!strcmp(argv[i], "--widest"))
            options->widest = (unsigned)atoi(value);
        else if (!strcmp(argv[i], "--skip"))
            for (const char *p = value; *p;) {
                options->skip[(unsigned)strtoul(p, (char **)(uintptr_t)&p, 10) % MOST] = true;
                p += *p == ',';
            }
        else
            return false;
        i++;
    }
    return options->steps && options->widest && options->first <= options->last;
}

int main(int argc, char **argv) {
    struct options options = {.first = 1, .last = 25, .steps = 120, .widest = 128};
    if (!parse(&options, argc, argv)) return usage();
    struct totals totals = {0};
    // The traces run in a child. The totals that it has written tell the parent which trace killed it.
    for (uint64_t seed = options.first; seed <= options.last;) {
        int progress[2];
        if (pipe(progress)) abort();
        pid_t child = fork();
        if (child < 0) abort();
        if (!child) {
            for (; seed <= options.last; seed++) {
                struct totals one = {0};
                limit_time(60);
                run(&options, seed, &one);
                if (write(progress[1], &one, sizeof one) != sizeof one) abort();
            }
            _exit(0);
        }
        // Reads the totals of each finished trace while the child runs, since a pipe holds little.
        close(progress[1]);
        struct totals one;
        while (read(progress[0], &one, sizeof one) == sizeof one) {
            totals.queries += one.queries, totals.decided += one.decided;
            totals.unknown += one.unknown, totals.skipped += one.skipped;
            totals.mistaken += one.mistaken;
            for (unsigned i = 0; i < COUNT(logics); i++) totals.by_logic[i] += one.by_logic[i];
            seed++;
        }
        close(progress[0]);
        int status;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) { // Z3 does not always keep its limits
            printf("seed %llu takes too long: left out\n", (unsigned long long)seed++);
            continue;
        }
        printf("FAILED: seed %llu (status %x)\n", (unsigned long long)seed, (unsigned)status);
        shrink(options, seed);
        return 1;
    }
    printf(
        "%llu formulas, %llu compared with Z3, %llu too hard for us, %llu too hard for Z3, no disagreement\n",
        (unsigned long long)totals.queries, (unsigned long long)totals.decided,
        (unsigned long long)totals.unknown, (unsigned long long)totals.skipped);
    printf("compared:");
    for (unsigned i = 0; i < COUNT(logics); i++)
        printf(" %llu in %s%s", (unsigned long long)totals.by_logic[i], logics[i],
               i + 1 < COUNT(logics) ? "," : "\n");
    if (totals.mistaken)
        printf("%llu of them Z3 refuted although their values under our model are true, by its own "
               "arithmetic too\n",
               (unsigned long long)totals.mistaken);
    return 0;
}
