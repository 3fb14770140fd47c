// Streams of queries on Tamar's chain, on Z3 with a new solver for each query, and on incremental Z3; ablations of the
// chain and of EXE's Table 1; single hard queries. All figures are ratios within one run.
//
//     bench_solver [streams] [ablation] [hard] [--asks N] [--only STREAM] [recorded FILE.smt2...]
#include "bench/solver/hard.h"
#include "bench/solver/recorded.h"
#include "bench/solver/streams.h"
#include "solver/solver.h"
#include "solver/z3_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define QUERY_LIMIT  10.0 // seconds for one query
#define STREAM_LIMIT 60.0 // seconds for one stream: a longer replay is stopped and counts as this long

#define RECORDED_LIMIT 10.0 // the same, for streams recorded from the engine
#define ABLATION_LIMIT 5.0  // the same, for each setting of the ablation

// Processor time, since the machine may be shared.
static uint64_t clock_cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
static double seconds_since(uint64_t start) { return 1e-9 * (double)(clock_cpu() - start); }

// The answers of the first replay: all others must agree.
struct answers {
    vec(uint8_t) at;
    bool first;
};

struct result {
    double seconds;
    uint32_t asks, unknown;
    bool stopped;
};

static void note(struct answers *answers, struct result *result, enum answer answer, const char *who) {
    uint32_t number = result->asks++;
    result->unknown += answer == ANSWER_UNKNOWN;
    if (number == answers->at.count) {
        vec_push(&answers->at, (uint8_t)answer);
        return;
    }
    uint8_t *known = &answers->at.at[number];
    if (*known == ANSWER_UNKNOWN) *known = (uint8_t)answer;
    if (answer == ANSWER_UNKNOWN || *known == answer) return;
    fprintf(stderr, "bench_solver: %s disagrees on query %u\n", who, number);
    exit(1);
}

static double stream_limit = STREAM_LIMIT;
static const char *only; // the name of a stream, or NULL: all

static struct result replay_tamar(const struct stream *stream, const struct solver_options *options,
                                  struct answers *answers, struct solver_counters *statistics) {
    struct result result = {0};
    uint64_t start = clock_cpu();
    struct solver *solver = solver_new(stream->terms, options);
    vec(struct path_condition) stack = {0}, kept = {0}; // kept: path conditions by node
    vec_push(&stack, (struct path_condition){0});
    struct model *model = NULL; // model of the last yes, for the query `modelled`
    Term modelled = 0;
    for (uint32_t i = 0; i < stream->events.count && !result.stopped; i++) {
        struct event event = stream->events.at[i];
        struct path_condition next;
        switch (event.kind) {
        case EVENT_ASK: {
            struct model *found;
            enum answer answer = solver_may_be_true(solver, vec_last(&stack), event.condition, &found);
            note(answers, &result, answer, "Tamar");
            if (found) {
                model_release(model);
                model = found;
                modelled = event.condition;
            }
            break;
        }
        case EVENT_PUSH: // path conditions are values: one that was left is reused when the stream returns to it
            while (kept.count <= event.node) vec_push(&kept, (struct path_condition){0});
            if (event.node && kept.at[event.node].conditions) {
                vec_push(&stack, path_copy(&kept.at[event.node]));
                break;
            }
            next = path_copy(vec_last(&stack));
            path_add(solver, &next, event.condition, modelled == event.condition ? model : NULL);
            if (next.without_model) solver_check(solver, &next);
            if (event.node) kept.at[event.node] = path_copy(&next);
            vec_push(&stack, next);
            break;
        case EVENT_POP: path_free(vec_last(&stack)); stack.count--;
        }
        result.stopped = i % 16 == 0 && seconds_since(start) > stream_limit;
    }
    model_release(model);
    if (statistics) *statistics = *solver_statistics(solver);
    vec_each (struct path_condition, path, &stack) path_free(path);
    vec_each (struct path_condition, path, &kept) path_free(path);
    vec_free(&stack);
    vec_free(&kept);
    solver_free(solver);
    result.seconds = seconds_since(start);
    return result;
}

// Z3 translates each term once; a query is a new solver with all conditions, or a scope of one solver.
static struct result replay_z3(const struct stream *stream, bool incremental, struct answers *answers) {
    struct result result = {0};
    uint64_t start = clock_cpu();
    Z3_config config = Z3_mk_config();
    Z3_context c = Z3_mk_context(config);
    Z3_del_config(config);
    struct z3_terms *translated = z3_terms_new(stream->terms, c);
    Z3_params parameters = Z3_mk_params(c);
    Z3_params_inc_ref(c, parameters);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "timeout"), (unsigned)(1000 * QUERY_LIMIT));
    Z3_solver solver = NULL;
    vec(Term) stack = {0};
    for (uint32_t i = 0; i < stream->events.count && !result.stopped; i++) {
        struct event event = stream->events.at[i];
        if (!solver) {
            solver = Z3_mk_solver(c);
            Z3_solver_inc_ref(c, solver);
            Z3_solver_set_params(c, solver, parameters);
        }
        switch (event.kind) {
        case EVENT_ASK:
            if (incremental) Z3_solver_push(c, solver);
            for (uint32_t k = 0; k < stack.count && !incremental; k++)
                Z3_solver_assert(c, solver, z3_terms_truth(translated, stack.at[k]));
            Z3_solver_assert(c, solver, z3_terms_truth(translated, event.condition));
            Z3_lbool answer = Z3_solver_check(c, solver);
            note(answers, &result,
                 answer == Z3_L_TRUE    ? ANSWER_YES
                 : answer == Z3_L_FALSE ? ANSWER_NO
                                        : ANSWER_UNKNOWN,
                 "Z3");
            if (incremental) {
                Z3_solver_pop(c, solver, 1);
            } else {
                Z3_solver_dec_ref(c, solver);
                solver = NULL;
            }
            break;
        case EVENT_PUSH:
            vec_push(&stack, event.condition);
            if (!incremental) break;
            Z3_solver_push(c, solver);
            Z3_solver_assert(c, solver, z3_terms_truth(translated, event.condition));
            break;
        case EVENT_POP:
            stack.count--;
            if (incremental) Z3_solver_pop(c, solver, 1);
        }
        result.stopped = seconds_since(start) > stream_limit;
    }
    vec_free(&stack);
    if (solver) Z3_solver_dec_ref(c, solver);
    Z3_params_dec_ref(c, parameters);
    z3_terms_free(translated);
    Z3_del_context(c);
    result.seconds = seconds_since(start);
    return result;
}

static struct solver_options tamar_options(void) {
    struct solver_options options = solver_defaults;
    options.timeout = QUERY_LIMIT;
    return options;
}

static const char *mark(struct result result) { return result.stopped ? ">" : result.unknown ? "?" : " "; }

struct comparison {
    const char *name; // name of the current stream
    double total[3];  // Tamar, Z3 fresh, Z3 incrementally
    bool slower;      // Tamar is slower on some stream
};

static void compare_start(const char *what) {
    printf("%s (seconds; > stopped, ? some queries unknown)\n", what);
    printf("%-12s %6s %9s %10s %10s %8s %8s   %s\n", "stream", "asks", "Tamar", "Z3 fresh", "Z3 incr.",
           "x fresh", "x incr.", "answered by");
}

static void compare_on(void *context, const struct stream *stream) {
    struct comparison *comparison = context;
    struct answers answers = {0};
    struct solver_options options = tamar_options();
    struct solver_counters statistics;
    struct result tamar = replay_tamar(stream, &options, &answers, &statistics);
    struct result fresh = replay_z3(stream, false, &answers), incremental = replay_z3(stream, true, &answers);
    comparison->total[0] += tamar.seconds;
    comparison->total[1] += fresh.seconds;
    comparison->total[2] += incremental.seconds;
    comparison->slower |= tamar.seconds > fresh.seconds || tamar.seconds > incremental.seconds;
    printf("%-12s %6u %9.4f%s%9.3f%s%9.3f%s %8.1f %8.1f  ", comparison->name, stream->asks, tamar.seconds,
           mark(tamar), fresh.seconds, mark(fresh), incremental.seconds, mark(incremental),
           fresh.seconds / tamar.seconds, incremental.seconds / tamar.seconds);
    for (unsigned i = 0; i < LAYER_COUNT; i++)
        if (statistics.layers[i].answered)
            printf(" %s %llu", layer_facts[i].name, (unsigned long long)statistics.layers[i].answered);
    printf("\n");
    fflush(stdout);
    vec_free(&answers.at);
}

static bool compare_end(const struct comparison *comparison) {
    const double *total = comparison->total;
    printf("%-12s %6s %9.4f %9.3f %10.3f %9.1f %8.1f\n", "all", "", total[0], total[1], total[2],
           total[1] / total[0], total[2] / total[0]);
    bool good = !comparison->slower && total[1] >= 20 * total[0] && total[2] >= 5 * total[0];
    printf("demanded: 20 times faster than fresh, 5 times than incremental, no stream slower: %s\n\n",
           good ? "met" : "MISSED");
    return good;
}

static bool bench_streams(uint32_t asks) {
    struct comparison comparison = {0};
    compare_start("Streams of queries");
    for (unsigned i = 0; i < program_count; i++) {
        if (only && strcmp(only, programs[i].name)) continue;
        struct stream stream;
        stream_record(&stream, &programs[i], true, asks);
        comparison.name = programs[i].name;
        compare_on(&comparison, &stream);
        stream_free(&stream);
    }
    return compare_end(&comparison);
}

// The name of the stream in DIR/NAME.smt2.
static void stream_name(const char *file, char *name, size_t size) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    snprintf(name, size, "%.*s", (int)(dot ? dot - base : (ptrdiff_t)strlen(base)), base);
}

static bool bench_recorded(char **files, int count, uint32_t asks) {
    struct comparison comparison = {0};
    stream_limit = RECORDED_LIMIT;
    compare_start("Streams of queries recorded from the engine");
    for (int i = 0; i < count; i++) {
        char name[64];
        stream_name(files[i], name, sizeof name);
        if (only && strcmp(only, name)) continue;
        comparison.name = name;
        if (recorded_read(files[i], asks, compare_on, &comparison)) continue;
        fprintf(stderr, "bench_solver: %s: no log of queries\n", files[i]);
        return false;
    }
    stream_limit = STREAM_LIMIT;
    return compare_end(&comparison);
}

// The ablations: one stream of each program, the total time, and the number of unanswered queries.
struct setting {
    const char *name;
    bool simplify;
    struct solver_options options;
};

static void run_setting(const struct setting *setting, uint32_t asks, double *seconds, uint32_t *open,
                        uint32_t *count) {
    *seconds = 0;
    *open = *count = 0;
    for (unsigned i = 0; i < program_count; i++) {
        struct stream stream;
        struct answers answers = {0};
        stream_record(&stream, &programs[i], setting->simplify, asks);
        struct result result = replay_tamar(&stream, &setting->options, &answers, NULL);
        *seconds += result.seconds;
        *open += result.unknown + (stream.asks - result.asks);
        *count += stream.asks;
        vec_free(&answers.at);
        stream_free(&stream);
    }
}

static bool bench_ablation(uint32_t asks) {
    struct solver_options all = tamar_options(), none = all;
#define LAYER(number, name, ...) none.name = false;
    LAYER_TABLE(LAYER)
#undef LAYER
    none.sat = true;
    none.independence = false;
    all.timeout = none.timeout = 2;
    stream_limit = ABLATION_LIMIT;
    printf(
        "EXE's Table 1: the solver's parts (no layer above SAT, no independence), %u asks for each stream\n",
        asks);
    printf("%-42s %10s %8s %8s\n", "on", "seconds", "open", "of");
    double seconds, full = 0, nothing = 0;
    uint32_t open, count, full_open = 0;
    for (unsigned bits = 0; bits < 8; bits++) {
        struct setting setting = {.simplify = bits & 4, .options = none};
        setting.options.blast = (struct blast_options){
            .substitution = bits & 1, .refinement = bits & 2, .expansion = true, .sharing = bits & 4};
        run_setting(&setting, asks, &seconds, &open, &count);
        printf("%-14s%-14s%-14s %10.2f %8u %8u\n", bits & 1 ? "substitution" : "",
               bits & 2 ? "refinement" : "", bits & 4 ? "simplification" : "", seconds, open, count);
        fflush(stdout);
        if (!bits) nothing = seconds;
    }
    printf("\nThe chain: each layer switched off\n%-42s %10s %8s %8s\n", "off", "seconds", "open", "of");
    struct setting everything = {"nothing", true, all};
    run_setting(&everything, asks, &full, &full_open, &count);
    printf("%-42s %10.3f %8u %8u\n", everything.name, full, full_open, count);
    struct setting settings[] = {
#define LAYER(number, layer, ...) {#layer, true, all},
#define X(feature, what)          {#feature, true, all},
        LAYER_TABLE(LAYER) SOLVER_FEATURES(X)
#undef LAYER
#undef X
    };
    unsigned at = 0;
#define LAYER(number, layer, ...) settings[at++].options.layer = false;
    LAYER_TABLE(LAYER)
#undef LAYER
#define X(feature, what) settings[at++].options.feature = false;
    SOLVER_FEATURES(X)
#undef X
    for (unsigned i = 0; i < at; i++) {
        bool nothing_changes = !strcmp(settings[i].name, "disk") || !strcmp(settings[i].name, "check");
        if (nothing_changes) continue; // off anyway
        run_setting(&settings[i], asks, &seconds, &open, &count);
        printf("%-42s %10.3f %8u %8u\n", settings[i].name, seconds, open, count);
        fflush(stdout);
    }
    stream_limit = STREAM_LIMIT;
    bool good = nothing >= 30 * full && !full_open;
    printf("everything over nothing: %.0f times, %u open; demanded: 30 times, none open: %s\n\n",
           nothing / full, full_open, good ? "met" : "MISSED");
    return good;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool bench_hard(void) {
    printf("Single hard queries (seconds; limit %.0f)\n%-34s %8s %10s %10s %8s\n", HARD_LIMIT, "query",
           "answer", "Tamar", "Z3", "ratio");
    double ratios[64];
    unsigned count = 0;
    for (unsigned i = 0; i < hard_count; i++) {
        struct terms *terms = terms_new();
        Term condition = hard_queries[i].make(terms, hard_queries[i].size);
        struct stream stream = {.terms = terms};
        vec_push(&stream.events, ((struct event){.kind = EVENT_ASK, .condition = condition}));
        struct answers answers = {0};
        struct solver_options options = tamar_options();
        options.timeout = HARD_LIMIT;
        struct result tamar = replay_tamar(&stream, &options, &answers, NULL);
        struct result z3 = replay_z3(&stream, false, &answers);
        enum answer answer = answers.at.at[0];
        ratios[count++] = tamar.seconds / z3.seconds;
        printf("%-34s %8s %10.4f%s%10.4f%s%8.2f\n", hard_queries[i].name,
               answer == ANSWER_YES  ? "sat"
               : answer == ANSWER_NO ? "unsat"
                                     : "unknown",
               tamar.seconds, mark(tamar), z3.seconds, mark(z3), ratios[count - 1]);
        fflush(stdout);
        vec_free(&answers.at);
        stream_free(&stream);
    }
    qsort(ratios, count, sizeof *ratios, compare_doubles);
    bool good = ratios[count / 2] <= 2;
    printf("median ratio %.2f, demanded: 2 at most: %s\n\n", ratios[count / 2], good ? "met" : "MISSED");
    return good;
}

int main(int argc, char **argv) {
    uint32_t asks = 400;
    bool streams = argc == 1, ablation = argc == 1, hard = argc == 1, good = true;
    int files = argc; // index of the first file of `recorded`
    for (int i = 1; i < argc && files == argc; i++) {
        if (!strcmp(argv[i], "recorded")) files = i + 1;
        streams |= !strcmp(argv[i], "streams");
        ablation |= !strcmp(argv[i], "ablation");
        hard |= !strcmp(argv[i], "hard");
        if (!strcmp(argv[i], "--asks") && i + 1 < argc) asks = (uint32_t)atoi(argv[++i]);
        if (!strcmp(argv[i], "--only") && i + 1 < argc) only = argv[++i];
    }
    if (streams) good &= bench_streams(asks);
    if (ablation) good &= bench_ablation(MIN(asks, 40u));
    if (hard) good &= bench_hard();
    if (files < argc) good &= bench_recorded(argv + files, argc - files, asks);
    return !good;
}
